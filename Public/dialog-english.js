/**
 * Only in pages whose language has no built-in texts: what scripts show there is English, but for the messages of the
 * author. It says which is which, so that a screen reader speaks either as it is meant.
 */
const shown = ".error, #why, #live, #problem, #summary bdi + bdi, .buttons > [type=button], .more > button, .find, .find + .help, " +
  "[id^=hidden-], [id^=read-]";

const dialog = document.getElementById("dialog"), { lang } = document.documentElement;
const authored = dialog.dataset.authored?.split("\n").filter(Boolean) ?? [];

function mark() {
  for (const element of dialog.querySelectorAll(shown)) {
    // A message may stand behind the name of its field.
    element.lang = authored.some((message) => element.textContent.endsWith(message)) ? lang : "en";
  }
}

mark();
new MutationObserver(mark).observe(dialog, { childList: true, characterData: true, subtree: true });
