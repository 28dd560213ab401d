/**
 * Random texts of the forms that rules know, at their limits more often than chance would have it.
 */
import {anyCharacter, digits, unicode} from "./characters.mjs";

const word = [..."abcdefxyz0189"];

/** Zeros of scripts, some of them young, and what is no zero. */
const zeros = [0x30, 0x660, 0x6f0, 0x966, 0xff10, 0x10d40, 0x11de0, 0x1d7ce, 0x1fbf0, 0x2080];

/** The same number as people may write it, or nearly: with other digits, marks and signs. */
function asWritten(random, text) {
  if (random.chance(0.5)) return text;
  const zero = random.pick(zeros), mark = random.pick([".", ",", ",", "\u066b", "\u066c", ",,"]);
  const inScript = (digit) => String.fromCodePoint((random.chance(0.02) ? random.pick(zeros) : zero) + +digit);
  const written = random.chance(0.5) ? text : text.replace(/\d/g, inScript);
  const signed = written.replace(/^-/, () => random.pick(["-", "\u2212", "\u2013"])).replace(/\./, () => mark);
  return random.pick(["", "", "", "+", "\uff0b"]) + signed + random.pick(["", "", "", "", ".", ",", ",000"]);
}

export function integer(random) {
  const length = random.pick([1, 1, 2, 3, 3, 5, 18, 19, 20, 33, 34, 35]);
  return asWritten(random, random.pick(["", "", "-", "-0", "0"]) + random.string(length, length, digits));
}

/** A number that is whole where exponent and fraction say so: forms of one value differ. */
export function number(random) {
  if (random.chance(0.2)) return integer(random);
  const whole = random.string(0, random.pick([1, 2, 3, 20, 31]), digits), fraction = random.string(1, random.pick([1, 2, 3, 14]), digits);
  const exponent = random.chance(0.3) ? random.pick(["e", "E"]) + random.pick(["", "+", "-"]) + random.pick(["0", "1", "2", "003", "10", "274", "307", "308", "309", "342"]) : "";
  return asWritten(random, random.pick(["", "", "-"]) + (random.chance(0.6) ? whole + "." + fraction : whole || "0") + exponent);
}

/** Another way to write a number of moderate size; the value stays. */
export function rewritten(random, text) {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
  const fraction = text.split(".")[1] ?? "";
  const digitsAlone = text.replace(".", "");
  return random.pick([
    text, text + (fraction ? "0" : ".0"), `${digitsAlone}e-${fraction.length}`, `${text}e0`, `${text}E+00`, text.replace(/^(-?)/, "$10"), text.replace(/^(-?)0\./, "$1."),
  ]);
}

export function date(random) {
  const year = random.pick(["0001", "0004", "0099", "0100", "1600", "1900", "1999", "2000", "2000", "2023", "2023", "2024", "2024", "2100", "9999", "0000", "10000"]);
  const month = String(random.integer(0, 130) === 0 ? 13 : random.integer(1, 12));
  const day = String(random.pick([1, 9, 15, 28, 28, 29, 30, 31]));
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

export function time(random) {
  const two = (value) => String(value).padStart(2, "0");
  const minutes = `${two(random.pick([0, 1, 9, 12, 12, 20, 23, 23, 24]))}:${two(random.pick([0, 1, 15, 30, 45, 59, 59, 60]))}`;
  if (random.chance(0.4)) return minutes;
  return `${minutes}:${two(random.pick([0, 1, 15, 30, 45, 59, 59, 60]))}` + (random.chance(0.5) ? "." + random.string(1, random.pick([1, 2, 3, 3, 4]), digits) : "");
}

export const dateTime = (random) => date(random) + random.pick(["T", "T", "T", "T", " ", " ", "t", ""]) + time(random);

export function email(random) {
  const local = random.string(1, 6, [...word, ..."._-+!#$%&'*/=?^`{|}~"]);
  return `${local}@${random.list(1, 4, () => hostLabel(random, random.chance(0.3) ? beyondASCII : [])).join(".")}`;
}

/** What hosts have, what they have in some places only, and what they never have. */
const beyondASCII = [...unicode, ..."üß例אמ٠۱क", "\u094d", "\u200c", "\u200d", "\ufe0f", "\u00ad", "\u3002", "\uff0e", "１", "²", "／", "xn--", "\ue000"];

function hostLabel(random, others) {
  if (random.chance(0.05)) return random.pick(["xn--", "XN--"]) + random.string(0, 9, [...word, ..."-"]);
  const length = random.pick([1, 2, 3, 5, 8, 62, 63, 64]);
  return random.string(length, length, [...word, ...word, ..."-", ...others]);
}

export function url(random) {
  const scheme = random.pick(["http", "https", "https", "HTTP", "hTTps", "ftp", "httpſ"]);
  const user = random.chance(0.04) ? "user:pw@" : "";
  const port = random.chance(0.3) ? ":" + random.pick(["", "0", "80", "00080", "8080", "65535", "65536", "123456"]) : "";
  const path = random.chance(0.6) ? "/" + urlCharacters(random) : "";
  const query = random.chance(0.3) ? "?" + urlCharacters(random) : "";
  const fragment = random.chance(0.3) ? "#" + urlCharacters(random) : "";
  return `${scheme}://${user}${host(random)}${port}${path}${query}${fragment}`;
}

function host(random) {
  const part = () => random.pick(["0", "1", "10", "127", "192", "249", "255", "256", "01", "1000"]);
  switch (random.integer(0, 9)) {
    case 0: case 1: return random.list(random.pick([4, 4, 4, 3]), 4, part).join(".") + (random.chance(0.05) ? "." : "");
    case 2: case 3: return `[${ipv6(random)}]`;
    case 4: return `${hostLabel(random, [])}.${random.pick(["0x", "0x1f", "0Xff", "0xg", "12", "1a", "٣"])}`;
    case 5: return random.list(3, 5, () => random.string(60, 63, word)).join(".") + random.pick(["", "."]);
    default: return random.list(1, 4, () => hostLabel(random, [..."_", ...(random.chance(0.2) ? beyondASCII : [])])).join(".") + (random.chance(0.1) ? "." : "");
  }
}

function ipv6(random) {
  const group = () => random.string(1, random.pick([1, 4, 4, 5]), [..."0123456789abcdefABCDEF"].concat(random.chance(0.02) ? "g" : []));
  const tail = random.chance(0.25) ? [random.pick(["1.2.3.4", "255.255.255.255", "1.2.3.256", "1.2.3", "01.2.3.4"])] : [];
  if (random.chance(0.4)) return [...random.list(8 - tail.length * 2, 8 - tail.length * 2, group), ...tail].join(":");
  return `${random.list(0, 4, group).join(":")}::${[...random.list(0, 4, group), ...tail].join(":")}`;
}

const names = (random, others) => random.list(1, random.pick([4, 4, 5]), () => hostLabel(random, others)).join(".");

/** Texts of the formats of JSON Schema, by name. */
export const formats = {
  hostname: (random) => names(random, random.chance(0.1) ? ["_", "é"] : []) + (random.chance(0.05) ? "." : ""),
  "idn-hostname": (random) => names(random, beyondASCII),
  ipv4: (random) => random.list(random.pick([4, 4, 4, 3]), 4, () => random.pick(["0", "1", "10", "99", "255", "256", "01", "1000"])).join("."),
  ipv6,
  uuid: (random) => [8, 4, 4, 4, 12].map((count) => random.string(count, count + random.chance(0.05), [..."0123456789abcdefABCDEF"])).join("-"),
  duration: (random) => ["P", ..."YMWD", "T", ..."HMS"].map((unit) => /[PT]/.test(unit) ? random.chance(0.9) ? unit : "" :
    random.chance(0.4) ? random.string(1, 3, digits) + unit : "").join(""),
  "uri-reference": (random) => random.pick(["", "", "a:", "urn:", "1:", "http://", "//", "/"]) +
    random.pick(["", "", "u:p@", "h", "h:80", "h:x", `[${ipv6(random)}]`, "[]", "[v1.a]", "@@"]) +
    random.list(0, 4, () => random.pick(["/", "//", "a", "a:b", "?", "#", "%20", "%2", "é", "~", "[", "|", "..", ";=", "\\"])).join(""),
  "json-pointer": (random) => random.list(0, 4, () => random.pick(["/", "/a", "/~0", "/~1", "~", "~2", "/é", "/ ", "a"])).join(""),
};

function urlCharacters(random) {
  const allowed = [..."abcXYZ019!$&'()*+,-./:;=?@_~[]|{}^", "%20", "%aF", "é", "中", "😀", "\u00a0", "\u2028", "\ufffd", "\u{10fffd}"];
  const refused = [..." \"<>\\`%#", "%2", "%zz", "\u007f", "\u0085", "\ufdd0", "\uffff", "\u{1fffe}", "\u{10ffff}", anyCharacter(random)];
  return random.list(0, 6, () => random.chance(0.97) ? random.pick(allowed) : random.pick(refused)).join("");
}
