/**
 * Until dialog.js has come, the dialog shows, and OK looks enabled or dimmed as the server judged the first values, but
 * nothing can be pressed or typed. Pages carry this inside.
 */
{
  const dialog = document.getElementById("dialog");
  const wait = (waits, isInvalid) => {
    dialog.inert = waits;
    for (const button of dialog.querySelectorAll(".ok, .action:not([form])")) {
      if (button.dataset.whenInvalid) button.disabled = isInvalid;
      else button.setAttribute("aria-disabled", isInvalid);
    }
  };
  wait(true, !("valid" in dialog.dataset));
  // If it never comes, the form works as without a script.
  setTimeout(() => "ready" in dialog.dataset || wait(false, false), 3000);
}
