/** The editing filter: refuses an edit whole, so that the old text and its selection stay. */

/** @param page what dialog.js gives its parts */
export function enhance({ state, on, fieldOf, explain }) {
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
    const text = value.slice(0, selectionStart) + added + value.slice(selectionEnd);
    if (state.allows(field.name, text)) return;
    event.preventDefault();
    // A person who types sees that nothing comes; one who pastes may wonder.
    if (inputType === "insertFromPaste") explain(field, text);
  });

  // A browser's own drop removes the text from its source even if it is refused here, so this script inserts it itself.
  on("drop", (event) => {
    const { target, dataTransfer, clientX, clientY } = event, field = fieldOf(target);
    const added = dataTransfer?.getData("text/plain");
    if (!added || target !== field?.controls[0] || target.selectionStart == null) return;
    event.preventDefault();
    const { value, selectionStart: start, selectionEnd: end } = target;
    const caret = document.caretPositionFromPoint?.(clientX, clientY);
    const place = caret?.offsetNode === target ? caret.offset : value.length;
    const isOwn = document.activeElement === target && value.slice(start, end) === added;
    // Its own text moves: it goes from where it was.
    const without = (part, from) => isOwn ? part.slice(0, Math.max(0, start - from)) + part.slice(Math.max(0, end - from)) : part;
    const text = without(value.slice(0, place), 0) + added + without(value.slice(place), place);
    if (!state.allows(field.name, text)) return explain(field, text);
    target.focus();
    target.select();
    document.execCommand("insertText", false, text);
  });

  return {
    /** Puts `before` back, if that is given, and remembers what is selected. */
    afterEdit(field, before) {
      if (before !== undefined) restore(field, before);
      remember(field);
    },
  };
}
