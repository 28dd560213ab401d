/** Until dialog.js has come, OK is as the server judged the first values, and a press waits. Pages carry this inside. */
{
  const dialog = document.getElementById("dialog");
  const close = (isClosed) => {
    for (const button of dialog.querySelectorAll(".ok, .action:not([form])")) {
      if (button.dataset.whenInvalid) button.disabled = isClosed;
      else button.setAttribute("aria-disabled", isClosed);
    }
  };
  close(!("valid" in dialog.dataset));
  dialog.onsubmit = (event) => {
    event.preventDefault();
    dialog.held = event.submitter;
  };
  // If it never comes, the form works as without a script.
  setTimeout(() => {
    if (!dialog.onsubmit) return;
    dialog.onsubmit = null;
    close(false);
    dialog.held?.click();
  }, 3000);
}
