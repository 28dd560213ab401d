/**
 * For a page about a problem. In a frame where a dialog should be, tells the page around the frame; elsewhere, what a
 * person had typed can be copied.
 */
import { host } from "./frame.js";

const page = host(), { status, outcome, detail, copy, copied } = document.querySelector("[data-status]").dataset;
if (/expired|withdrawn/.test(outcome)) page?.tell("outcome", { outcome: { outcome } });
else page?.tell("error", { status: Number(status), detail });

const title = document.getElementById("title");
for (const text of copy ? document.querySelectorAll(".typed > textarea") : []) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: copy });
  // In the language of the heading, which is one of our texts too.
  if (title.lang) button.lang = title.lang;
  button.onclick = () => {
    text.select();
    // Browsers have `navigator.clipboard` only where the page came over TLS.
    if (document.execCommand("copy")) button.textContent = copied;
    button.focus();
  };
  text.parentElement.after(button);
}
