/**
 * Checks host names, for the rules `url` and `format`, and for `email` with `international`. Few dialogs have these rules, so it is
 * loaded apart from the judge.
 */

export const isIPv4 = (host) => /^(\d+\.){3}\d+$/.test(host) && host.split(".").every((part) => part === String(+part & 255));

export function isIPv6(host) {
  const tail = host.slice(host.lastIndexOf(":") + 1);
  if (tail.includes(".")) {
    if (!isIPv4(tail)) return false;
    host = host.slice(0, -tail.length) + "0:0";
  }
  const halves = host.split("::");
  const groups = halves.flatMap((half) => half ? half.split(":") : []);
  return groups.every((group) => /^[\da-f]{1,4}$/i.test(group)) &&
    (halves.length === 1 ? groups.length === 8 : halves.length === 2 && groups.length < 8);
}

const ranges = (text) => text.split(" ").map((range) => range.split("-").map((point) => parseInt(point, 16)));
const isIn = (ranges, point) => ranges.some(([low, high = low]) => low <= point && point <= high);

// Characters that no parser accepts in a host name (Unicode TS 46), as far as all versions of Unicode agree: controls,
// private use, characters that map to nothing, and those that read as ASCII punctuation, digits or spaces.
const notInHosts = ranges("0-2c 2e-2f 3a-40 5b-5e 60 7b-a0 a8 ad af b2-b4 b8-b9 2d8-2dd 34f 37a 384-385 61c 6dd 70f 115f-1160 1680 17b4-17b5 180b-180f 1fbd 1fbf-1fc1 1fcd-1fcf 1fdd-1fdf 1fed-1fef 1ffd-1ffe 2000-200b 200e-200f 2017 2024-202f 203e 2047-2049 205f-2079 2080-2089 2100-2101 2105-2106 2460-249b 24ea 2a74 2ff0-3000 3002 309b-309c 3164 33c2 33c7 33d8 d800-f8ff fc5e-fc63 fdd0-fdef fdfa-fdfb fe00-fe0e fe10-fe1f fe30 fe47-fe4c fe50-fe7f feff-ff20 ff3b-ff40 ff5b-ff65 ffa0 ffe3 fff0-ffff 110bd 110cd 13430-1343f 1bca0-1bca3 1d173-1d17a 1d7ce-1d7ff 1f100-1f10a 1fbf0-1fbf9 1fffe-1ffff 2fffe-2ffff 3fffe-10ffff");
// Accents, joiners and Arabic digits come behind something else, and joiners behind letters of scripts that join.
const notFirst = ranges("300-36f 660-669 200c-200d 20d0-20ff fe0f fe20-fe2f"), joiners = ranges("200c-200d"), joined = ranges("600-1cff");
// A right-to-left label begins with a right-to-left letter and contains no left-to-right letter (RFC 5893, section 2).
const rightToLeft = ranges("590-6ef 6fa-8ff fb1d-fdff fe70-fefc 10800-10fff 1e800-1efff");
const eitherWay = ranges("2d 30-39 300-36f 6f0-6f9 200c-200d");

function isHostLabel(label) {
  const spelled = /^xn--/i.test(label) ? punycode(label.slice(4)) : label;
  const points = [...spelled ?? ""].map((character) => character.codePointAt(0));
  const isRightToLeft = points.some((point) => isIn(rightToLeft, point));
  return points.length > 0 && [...label].length <= 63 && !/^-|-$/.test(spelled) && !isIn(notFirst, points[0]) &&
    points.every((point, index) => !isIn(notInHosts, point) && (!isIn(joiners, point) || isIn(joined, points[index - 1])) &&
      (!isRightToLeft || isIn(rightToLeft, point) || index > 0 && isIn(eitherWay, point)));
}

/** Decodes what follows `xn--` in a label (RFC 3492); undefined if it is invalid or stands for ASCII only. */
function punycode(text) {
  const [, plain, digits] = /^(?:([\w-]*)-)?([a-z\d]+)$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const points = [...plain ?? ""];
  let point = 128, place = 0, bias = 72, position = 0;
  while (position < digits.length) {
    const before = place;
    for (let weight = 1, step = 36; ; step += 36) {
      if (position === digits.length || place > 0x7fffffff) return undefined;
      const digit = (parseInt(digits[position++], 36) + 26) % 36;
      place += digit * weight;
      const threshold = Math.min(Math.max(step - bias, 1), 26);
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const count = points.length + 1;
    let delta = Math.floor((place - before) / (before === 0 ? 700 : 2));
    delta += Math.floor(delta / count);
    for (bias = 0; delta > 455; bias += 36) delta = Math.floor(delta / 35);
    bias += Math.floor(36 * delta / (delta + 38));
    point += Math.floor(place / count);
    if (point > 0x10ffff || point >= 0xd800 && point < 0xe000) return undefined;
    place %= count;
    points.splice(place++, 0, String.fromCodePoint(point));
  }
  return points.join("");
}

function isDomain(host) {
  const labels = host.replace(/[.\u3002\uff0e\uff61]$/, "").split(/[.\u3002\uff0e\uff61]/);
  return [...labels.join(".")].length <= 253 && !/^(\d+|0x[\da-f]*)$/i.test(labels.at(-1)) && labels.every(isHostLabel);
}

function isURL(text) {
  const [all, ipv6, host, port = 0] = /^https?:\/\/(?:\[(.*?)\]|([^\s/?#:[]+))(?::(\d{1,5}))?(?![^/?#])/i.exec(text) ?? [];
  return all !== undefined && +port < 65536 && (host ? isIPv4(host) || isDomain(host) : isIPv6(ipv6)) &&
    !/[\0- "<>\\`\x7f-\x9f\ufdd0-\ufdef]|%(?![\da-f]{2})|#[^]*#/i.test(text) &&
    ![...text].some((character) => (character.codePointAt(0) & 0xfffe) === 0xfffe);
}

export const isEmailLabel = (label) => !label.includes("_") && isHostLabel(label);

/** Rules as judge.js has them. */
export const factories = {
  __proto__: null,

  url: () => isURL,
  email: ({international}, {isEmail}) => (text) => isEmail(text, international === true ? isEmailLabel : undefined),
};
