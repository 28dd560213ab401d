/** In a frame, a page that tells of a problem stands where a dialog should be: the page around it has to know. */
import { host } from "./frame.js";

const page = host(), { status, outcome, detail } = document.querySelector("[data-status]").dataset;
if (/expired|withdrawn/.test(outcome)) page?.tell("outcome", { outcome: { outcome } });
else page?.tell("error", { status: Number(status), detail });
