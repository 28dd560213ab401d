/** A coding agent would like to be allowed more than one call: Enter in that choice presses no button. */

/** @param page what dialog.js gives its parts */
export function enhance({ on }) {
  on("okcancel:return", (event) => event.preventDefault());
}
