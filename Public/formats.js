/** Formats of JSON Schema, for the rule `format`; with hosts.js, which knows host names and addresses. */
import {isEmailLabel, isIPv4, isIPv6} from "./hosts.js";

const time = "T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)";
const date = "(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)";

// RFC 3986, appendix A: code points of names, of the first segment of a relative path, and of any segment.
const name = "\\w\\-.~!$&'()*+,;=", plain = "%[\\dA-Fa-f]{2}", first = `(?:[${name}@]|${plain})`, segment = `(?:[${name}:@]|${plain})`;
const host = `(?:\\[[\\dA-Fa-f:.]+\\]|(?:[${name}]|${plain})*)`;
const authority = `//(?:(?:[${name}:]|${plain})*@)?${host}(?::\\d*)?(?:/${segment}*)*`;
const absolute = `/(?:${segment}+(?:/${segment}*)*)?`;
const path = `(?:[A-Za-z][A-Za-z\\d+.\\-]*:(?:${authority}|${absolute}|${segment}+(?:/${segment}*)*)?|` +
  `${authority}|${absolute}|${first}+(?:/${segment}*)*)?`;
const rest = `(?:[${name}:@/?]|${plain})*`;

const matching = (pattern) => RegExp.prototype.test.bind(new RegExp(`^(?:${pattern})$`, "u"));
const isReference = matching(`${path}(?:\\?${rest})?(?:#${rest})?`);

const isASCIILabel = (label) => /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i.test(label);

// The server decides the format `regex`.
const formats = {
  __proto__: null,

  hostname: (text) => text.length <= 253 && text.split(".").every((label) => isASCIILabel(label) && isEmailLabel(label)),
  "idn-hostname": (text) => [...text].length <= 253 && text.split(/[.\u3002\uff0e\uff61]/).every(isEmailLabel),
  ipv4: isIPv4,
  ipv6: isIPv6,
  uuid: matching("[\\dA-Fa-f]{8}-(?:[\\dA-Fa-f]{4}-){3}[\\dA-Fa-f]{12}"),
  duration: matching(`P(?:\\d+W|${date}(?:${time})?|${time})`),
  "uri-reference": (text) => isReference(text) && isIPv6(/\[(.*?)\]/.exec(text)?.[1] ?? "::"),
  "json-pointer": matching("(?:/(?:[^/~]|~[01])*)*"),
};

/** Rules as judge.js has them. */
export const factories = {
  __proto__: null,

  format: ({format}) => formats[format],
};
