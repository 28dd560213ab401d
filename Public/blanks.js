/** The rule on texts in which nothing can be seen. Pure, as judge.js. */

// White space and what cannot be seen, the ranges `hidden` of Sources/Prompts/Pattern/Unicode/hidden.txt without controls, which the
// rule `text` refuses; in UTF-16.
const blank = /[\s\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufffb]|\ud80d[\udc30-\udc3f]|\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]|[\udb40-\udb43][\udc00-\udfff]/g;

export const isBlank = (text) => !text.replace(blank, "");

/** Rules as judge.js has them. */
export const factories = {
  __proto__: null,

  /** Nobody has entered spaces in a field that is left empty. */
  notBlank: (rule, {say}) => (text) =>
    !isBlank(text) || !text && !!say?.("nonEmpty") && rule.message === say("notBlank") && {...rule, message: say("nonEmpty")},
};
