/** The editing filter: refuses an edit whole, so that the old text and its selection stay. */

/**
 * @param {import("./dialog.js").DialogState} state says what is allowed
 * @param on adds a listener that goes with the dialog
 * @param fieldOf the field of an element
 */
export function filter(state, on, fieldOf) {
  const selections = new WeakMap();
  let isComposing = false;

  function remember(field) {
    const { selectionStart, selectionEnd, selectionDirection } = field.controls[0];
    selections.set(field, [selectionStart, selectionEnd, selectionDirection]);
  }

  function restore(field, text) {
    field.write(text);
    const selection = selections.get(field);
    // Dates have no selection.
    if (selection?.[0] != null) field.controls[0].setSelectionRange(...selection);
  }

  // The selection to keep when an edit comes without a warning, as autofill does.
  on("selectionchange", () => {
    const field = fieldOf(document.activeElement);
    if (field && !isComposing) remember(field);
  }, document);
  on("compositionstart", ({ target }) => {
    isComposing = true;
    remember(fieldOf(target));
  });
  on("compositionend", () => isComposing = false);

  // Refusing beforehand keeps the browser's undo history. What cannot be foreseen is put back by `refuses`.
  on("beforeinput", (event) => {
    const { target, inputType, data, dataTransfer } = event, field = fieldOf(target);
    if (isComposing || !field) return;
    remember(field);
    const { value, selectionStart, selectionEnd, localName } = target;
    const added = inputType === "insertLineBreak" ? "\n" : data ?? dataTransfer?.getData("text/plain");
    if (!/^insert(Text|FromPaste|LineBreak)$/.test(inputType) || added == null || selectionStart == null) return;
    // Browsers differ in what becomes of line breaks pasted into one line.
    if (localName === "input" && /[\r\n]/.test(added)) return;
    if (!state.allows(field.name, value.slice(0, selectionStart) + added + value.slice(selectionEnd))) {
      event.preventDefault();
    }
  });

  return {
    /** Puts `before` back, unless the text is allowed. @returns whether it did */
    refuses(field, text, before) {
      const isRefused = !state.allows(field.name, text);
      if (isRefused) restore(field, before);
      remember(field);
      return isRefused;
    },
  };
}
