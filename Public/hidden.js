/**
 * Writes out invisible characters in texts that people read: `⟨U+200B⟩`. Pure; Sources/Prompts/Values/Hidden.swift does
 * the same. Loaded only if a text has such characters, which is rare.
 */

const ranges = (text) => text.split(" ").map((range) => range.split("-").map((point) => parseInt(point, 16)));
const isIn = (ranges, point) => ranges.some(([low, high = low]) => low <= point && point <= high);

// The ranges of Sources/Prompts/Pattern/Unicode/hidden.txt, which says what they are.
const hidden = ranges("0-8 b-1f 7f-9f ad 34f 61c 115f-1160 17b4-17b5 180b-180f 200b-200f 2028-202e 2060-206f 2800 3164 fe00-fe0f feff ffa0 fff0-fffb 13430-1343f 1bca0-1bca3 1d173-1d17a e0000-e0fff");
const space = ranges("9-a 20 a0 1680 2000-200a 202f 205f 3000");
const virama = ranges("94d 9cd a4d acd b4d bcd c4d ccd d3b-d3c d4d dca e3a eba f84 1039-103a 1714-1715 1734 17d2 1a60 1b44 1baa-1bab 1bf2-1bf3 2d7f a806 a82c a8c4 a953 a9c0 aaf6 abed 10a3f 11046 11070 1107f 110b9 11133-11134 111c0 11235 112ea 1134d 113ce-113d0 11442 114c2 115bf 1163f 116b6 1172b 11839 1193d-1193e 119e0 11a34 11a47 11a99 11c3f 11d44-11d45 11d97 11f41-11f42 1612f");
const joinsNext = ranges("620 626 628 62a-62e 633-63f 641-647 649-64a 66e-66f 678-687 69a-6bf 6c1-6c2 6cc 6ce 6d0-6d1 6fa-6fc 6ff 712-714 71a-71d 71f-727 729 72b 72d-72e 74e-758 75c-76a 76d-770 772 775-777 77a-77f 7ca-7ea 841-845 848 84a-853 855 860 862-865 868 886 889-88d 88f 8a0-8a9 8af-8b0 8b3-8b8 8ba-8c8 1807 1820-1878 1887-18a8 18aa a840-a872 10ac0-10ac4 10acd 10ad3-10adc 10ade-10ae0 10aeb-10aee 10b80 10b82 10b86-10b88 10b8a-10b8b 10b8d 10b90 10bad-10bae 10d00-10d21 10d23 10ec3-10ec4 10ec6-10ec7 10f30-10f32 10f34-10f44 10f51-10f53 10f70-10f73 10f76-10f81 10fb0 10fb2-10fb3 10fb8 10fbb-10fbc 10fbe-10fbf 10fc1 10fc4 10fca-10fcb 1e900-1e943");
const joinsPrevious = ranges("620 622-63f 641-64a 66e-66f 671-673 675-6d3 6d5 6ee-6ef 6fa-6fc 6ff 710 712-72f 74d-77f 7ca-7ea 840-858 860 862-865 867-86a 870-882 886 889-88f 8a0-8ac 8ae-8c8 1807 1820-1878 1887-18a8 18aa a840-a871 10ac0-10ac5 10ac7 10ac9-10aca 10ace-10ad6 10ad8-10ae1 10ae4 10aeb-10aef 10b80-10b91 10ba9-10bae 10d01-10d23 10ec2-10ec4 10ec6-10ec7 10f30-10f44 10f51-10f54 10f70-10f81 10fb0 10fb2-10fb6 10fb8-10fbf 10fc1-10fc4 10fc9-10fca 1e900-1e943");
const transparent = ranges("300-34e 350-36f 485-486 610-61a 64b-65f 670 6d6-6dc 6df-6e4 6e7-6e8 6ea-6ed 70f 711 730-74a 7eb-7f3 7fd 859-85b 897-89f 8ca-8e1 8e3-8ff 951-954 1885-1886 18a9 1ab0-1add 1ae0-1aeb 1cd0-1cd2 1cd4-1ce0 1ce2-1ce8 1ced 1cf4 1cf8-1cf9 1dc0-1dff 20d0-20f0 302a-302d 3099-309a fe20-fe2d 101fd 102e0 10ae5-10ae6 10d24-10d27 10efa-10eff 10f46-10f50 10f82-10f85 1133b 1cf00-1cf2d 1cf30-1cf46 1d167-1d169 1d17b-1d182 1d185-1d18b 1d1aa-1d1ad 1e944-1e94b");
const arabic = ranges("620-63f 641-64a 66e-66f 671-6d3 6d5 6e5-6e6 6ee-6ef 6fa-6fc 6ff 750-77f 870-887 889-88f 8a0-8c9 fb50-fbb1 fbd3-fd3d fd50-fd8f fd92-fdc7 fdf0-fdfb fe70-fe74 fe76-fefc 10ec2-10ec7 1ee00-1ee03 1ee05-1ee1f 1ee21-1ee22 1ee24 1ee27 1ee29-1ee32 1ee34-1ee37 1ee39 1ee3b 1ee42 1ee47 1ee49 1ee4b 1ee4d-1ee4f 1ee51-1ee52 1ee54 1ee57 1ee59 1ee5b 1ee5d 1ee5f 1ee61-1ee62 1ee64 1ee67-1ee6a 1ee6c-1ee72 1ee74-1ee77 1ee79-1ee7c 1ee7e 1ee80-1ee89 1ee8b-1ee9b 1eea1-1eea3 1eea5-1eea9 1eeab-1eebb");
const pictograph = ranges("a9 ae 203c 2049 2122 2139 2194-2199 21a9-21aa 231a-231b 2328 23cf 23e9-23f3 23f8-23fa 24c2 25aa-25ab 25b6 25c0 25fb-25fe 2600-2604 260e 2611 2614-2615 2618 261d 2620 2622-2623 2626 262a 262e-262f 2638-263a 2640 2642 2648-2653 265f-2660 2663 2665-2666 2668 267b 267e-267f 2692-2697 2699 269b-269c 26a0-26a1 26a7 26aa-26ab 26b0-26b1 26bd-26be 26c4-26c5 26c8 26ce-26cf 26d1 26d3-26d4 26e9-26ea 26f0-26f5 26f7-26fa 26fd 2702 2705 2708-270d 270f 2712 2714 2716 271d 2721 2728 2733-2734 2744 2747 274c 274e 2753-2755 2757 2763-2764 2795-2797 27a1 27b0 27bf 2934-2935 2b05-2b07 2b1b-2b1c 2b50 2b55 3030 303d 3297 3299 1f004 1f02c-1f02f 1f094-1f09f 1f0af-1f0b0 1f0c0 1f0cf-1f0d0 1f0f6-1f0ff 1f170-1f171 1f17e-1f17f 1f18e 1f191-1f19a 1f1ae-1f1e5 1f201-1f20f 1f21a 1f22f 1f232-1f23a 1f23c-1f23f 1f249-1f25f 1f266-1f321 1f324-1f393 1f396-1f397 1f399-1f39b 1f39e-1f3f0 1f3f3-1f3f5 1f3f7-1f3fa 1f400-1f4fd 1f4ff-1f53d 1f549-1f54e 1f550-1f567 1f56f-1f570 1f573-1f57a 1f587 1f58a-1f58d 1f590 1f595-1f596 1f5a4-1f5a5 1f5a8 1f5b1-1f5b2 1f5bc 1f5c2-1f5c4 1f5d1-1f5d3 1f5dc-1f5de 1f5e1 1f5e3 1f5e8 1f5ef 1f5f3 1f5fa-1f64f 1f680-1f6c5 1f6cb-1f6d2 1f6d5-1f6e5 1f6e9 1f6eb-1f6f0 1f6f3-1f6ff 1f7da-1f7ff 1f80c-1f80f 1f848-1f84f 1f85a-1f85f 1f888-1f88f 1f8ae-1f8af 1f8bc-1f8bf 1f8c2-1f8cf 1f8d9-1f8ff 1f90c-1f93a 1f93c-1f945 1f947-1f9ff 1fa58-1fa5f 1fa6e-1faff 1fc00-1fffd");
const ideograph = ranges("3006-3007 3021-3029 3038-303a 3400-4dbf 4e00-9fff f900-fa6d fa70-fad9 16fe4 16ff2-16ff6 17000-18cd5 18cff-18d1e 18d80-18df2 1b170-1b2fb 20000-2a6df 2a700-2b81d 2b820-2cead 2ceb0-2ebe0 2ebf0-2ee5d 2f800-2fa1d 30000-3134a 31350-33479");
const mongolian = ranges("1820-1878 1880-1884 1887-18a8 18aa");

/** The most white space characters, and line feeds among them, that may stand in a row. */
const mostSpace = 100, mostLines = 10;
/** The most characters that are written out one by one; after them, they are counted. */
const mostMarks = 100;

const named = (point) => `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
const isModifier = (point) => point >= 0x1f3fb && point <= 0x1f3ff;

/** True if an invisible character is needed at its place. */
function isNeeded(points, index) {
  const before = points[index - 1], after = points[index + 1];
  /** The next one in a direction that is not transparent. */
  const beyond = (step) => {
    let place = index + step;
    while (isIn(transparent, points[place])) place += step;
    return points[place];
  };
  switch (points[index]) {
    case 0x200c: {
      if (isIn(virama, before)) return true;
      const left = beyond(-1), right = beyond(1);
      return isIn(joinsNext, left) && isIn(joinsPrevious, right) || isIn(arabic, left) && isIn(arabic, right);
    }
    case 0x200d: {
      if (isIn(virama, before) || isIn(arabic, beyond(-1))) return true;
      let place = index - 1;
      if (points[place] === 0xfe0f) place--;
      if (isModifier(points[place])) place--;
      return isIn(pictograph, points[place]) && isIn(pictograph, after);
    }
    case 0xfe0e: case 0xfe0f:
      // A digit is one in a key cap only.
      return isIn(pictograph, before) || isModifier(before) || after === 0x20e3 && /[\d#*]/.test(String.fromCodePoint(before ?? 0));
    case 0x180b: case 0x180c: case 0x180d: case 0x180f:
      return isIn(mongolian, before);
    default:
      return points[index] >= 0xe0100 && points[index] <= 0xe01ef && isIn(ideograph, before);
  }
}

/** @returns {{text: string, marks: string[]}} the text as people may read it, and what was written out, first to last */
export function reveal(text) {
  const marks = [];
  const mark = (what) => {
    marks.push(`⟨${what}⟩`);
    return marks.at(-1);
  };
  const long = (run) => {
    const first = named(run[0]), last = named(run.at(-1));
    return mark(`${first === last ? first : `${first}…${last}`} ×${run.length}`);
  };
  const characters = [...text], points = characters.map((character) => character.codePointAt(0));
  const plain = (start, end) => characters.slice(start, end).join("");
  let revealed = "", index = 0, unnamed = 0;
  while (index < points.length) {
    const start = index;
    while (isIn(space, points[index])) index++;
    if (index > start) {
      const run = points.slice(start, index), end = start + run.lastIndexOf(10) + 1, lines = points.slice(start, end);
      const isLong = lines.length > mostSpace || lines.filter((point) => point === 10).length > mostLines;
      revealed += isLong ? `${long(lines.slice(0, -1))}\n` : plain(start, end);
      revealed += index - end > mostSpace ? long(points.slice(end, index)) : plain(end, index);
      continue;
    }
    // A flag of a region: a black flag, its code in tags, and the last tag.
    const flag = points[index] === 0x1f3f4 && /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/u.exec(
      plain(index + 1, index + 8));
    const kept = flag ? [...flag[0]].length + 1 : 1;
    if (flag || !isIn(hidden, points[index]) || isNeeded(points, index)) revealed += plain(index, index + kept);
    else if (marks.length < mostMarks) revealed += mark(named(points[index]));
    else unnamed++;
    index += kept;
  }
  if (unnamed > 0) revealed += mark(`… ×${unnamed}`);
  return { text: revealed, marks };
}

/** The invisible characters of a text, each once, and no more than fit in a line. */
export function summary(text) {
  const marks = [...new Set(reveal(text).marks)];
  return [...marks.slice(0, 8), ...marks.length > 8 ? ["…"] : []].join(" ");
}
