/** For a page about a problem, in a frame where a dialog should be: tells the page around the frame. */
import { host } from "./frame.js";

const page = host(), { status, outcome, detail } = document.querySelector("[data-status]").dataset;
if (/expired|withdrawn/.test(outcome)) page?.tell("outcome", { outcome: { outcome } });
else page?.tell("error", { status: Number(status), detail });
