/**
 * The characters that texts and patterns are made of: few and often, so that they meet, and the ones that engines disagree on.
 */
export const letters = [..."abcxyzABZ"];
export const digits = [..."0123456789"];
export const punctuation = [..." .-_@:/+,;!?#%&=~'\"<>(){}[]|^$*\\`"];

/** Astral, combining, full width, with special case folding (ſ ß K µ ς İ ı), or digits only in Unicode. */
export const unicode = ["é", "É", "e\u0301", "\u0301", "ß", "ẞ", "ſ", "\u212a", "µ", "μ", "σ", "ς", "Σ", "İ", "ı", "Ａ", "٣", "中", "😀", "👩‍👧", "𝒳", "\u{10ffff}",
  "\ufffd", "\uffff", "Å", "Ω", "ω", "ǅ", "ﬅ", "ﬆ", "Ა", "ა", "Ꮿ", "ꭰ"];

/** White space of JavaScript, and its neighbours that are not white space. */
export const space = [" ", "\t", "\n", "\v", "\f", "\r", "\r\n", "\u00a0", "\u0085", "\u1680", "\u180e", "\u2000", "\u200a", "\u200b", "\u2028", "\u2029",
  "\u202f", "\u205f", "\u3000", "\ufeff"];

/** What the rule `text` is about, and the neighbours that it lets be. */
export const control = ["\0", "\u0001", "\b", "\u001b", "\u001f", "\u007f", "\u0080", "\u009f", "\ud800", "\udfff", "\udc00\ud800"];

const common = [...letters, ...digits, ...punctuation];

/** Any character, the plain ones most often. */
export function anyCharacter(random) {
  const roll = random.fraction();
  if (roll < 0.72) return random.pick(common);
  if (roll < 0.86) return random.pick(unicode);
  return roll < 0.97 ? random.pick(space) : random.pick(control);
}

/** The text with one to three edits. */
export function mutated(random, text) {
  let characters = [...text];
  for (let edits = random.pick([1, 1, 1, 2, 3]); edits > 0; edits--) {
    const at = random.integer(0, characters.length);
    switch (random.integer(0, 7)) {
      case 0: characters.splice(at, 1); break;
      case 1: characters.splice(at, 0, anyCharacter(random)); break;
      case 2: characters.splice(at, 1, anyCharacter(random)); break;
      case 3: characters.splice(at, 0, ...characters.slice(at, at + random.integer(1, 3))); break;
      case 4: characters.splice(at, random.integer(1, 4)); break;
      case 5: characters = random.chance(0.5) ? [anyCharacter(random), ...characters] : [...characters, anyCharacter(random)]; break;
      case 6: if (at < characters.length) characters[at] = random.pick([characters[at].toUpperCase(), characters[at].toLowerCase()]); break;
      default: if (at + 1 < characters.length) [characters[at], characters[at + 1]] = [characters[at + 1], characters[at]];
    }
  }
  return characters.join("");
}
