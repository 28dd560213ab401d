/** One field of the page. Of check boxes and radio buttons dialog-controls.js knows more. */
export class FieldView {
  constructor(field, dialog) {
    const { name } = Object.assign(this, field);
    this.box = dialog.querySelector(`[data-field="${name}"]`);
    this.controls = this.marked = [...this.box.querySelectorAll("[name]")];
    const label = this.box.querySelector("label, legend");
    // Without the word that says that it is optional.
    this.label = (label.firstElementChild ?? label).textContent.trim();
    this.error = this.box.querySelector(".error");
    this.message = this.error.textContent;
  }

  /** The text it holds now. */
  read() {
    return this.controls[0].value;
  }

  /** Puts a text back. */
  write(text) {
    this.controls[0].value = text;
  }

  /** A message in the words of this page. */
  word(message) {
    return message;
  }

  focus() {
    this.controls[0].focus();
  }

  /** Calls `changed` when a script writes to the controls, which fires no event. */
  observe(changed) {
    for (const control of this.controls) {
      const kind = Object.getPrototypeOf(control);
      for (const name of Object.keys(kind)) {
        if (!/^(value|checked|selectedIndex|setRange|step)/.test(name)) continue;
        const native = Object.getOwnPropertyDescriptor(kind, name), member = native.set ? "set" : "value";
        const write = (...rest) => {
          native[member].apply(control, rest);
          changed();
        };
        Object.defineProperty(control, name, { ...native, [member]: write });
      }
    }
  }

  /** @returns whether the message is another than before */
  show(text, isInvalid) {
    const message = this.word(text);
    if (message === this.message) return false;
    this.message = this.error.textContent = message;
    this.error.hidden = !message;
    // The message may be about an edit that was refused, while the text in the field is valid.
    const isWrong = !!message && isInvalid;
    this.box.toggleAttribute("data-invalid", isWrong);
    for (const element of this.marked) element.setAttribute("aria-invalid", isWrong);
    return true;
  }
}
