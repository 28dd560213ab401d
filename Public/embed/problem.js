/** In a frame, a page that tells of a problem stands where a dialog should be: the page around it has to know. */
import { host } from "./frame.js";

const page = host(), { status, outcome } = document.querySelector(".problem").dataset;
const detail = document.getElementById("detail").textContent;
if (/expired|withdrawn/.test(outcome)) page?.tell("outcome", { outcome: { outcome } });
else page?.tell("error", { status: Number(status), detail });
