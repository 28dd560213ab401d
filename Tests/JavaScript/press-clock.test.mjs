import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import vm from "node:vm";

// A script of pages, and no module: beside a document it would also open the gate.
const PressClock = vm.runInThisContext(`${readFileSync(new URL("../../Public/gate.js", import.meta.url))}; PressClock`);

/** Numbers from 0 up to 1 that a seed decides (mulberry32). */
function random(seed) {
  return () => {
    seed = seed + 0x6D2B79F5 | 0;
    let mixed = Math.imul(seed ^ seed >>> 15, 1 | seed);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  };
}

/** A page with one button, which has the focus: what a browser tells its clock, and how often the button is pressed. */
class Page {
  clock = new PressClock();
  presses = 0;
  /** When something happened last. */
  last = 0;

  pass(at) {
    this.last = Math.max(this.last, at);
  }

  shown(at) {
    this.pass(at);
    this.clock.show(at);
  }

  act(at, isPointer) {
    this.pass(at);
    this.presses += this.clock.counts(at, isPointer);
  }

  enter(at, repeats = false) {
    this.clock.keyDown("Enter", at, repeats);
    this.act(at);
  }

  spaceDown(at, repeats = false) {
    this.clock.keyDown(" ", at, repeats);
  }

  up(key, at) {
    this.pass(at);
    this.clock.keyUp(key);
    if (key !== " ") return;
    this.act(at);
    this.clock.keyAt = undefined;
  }

  click(at, down = at, isInside = true) {
    this.clock.pointerAt = isInside ? down : -Infinity;
    this.act(at, true);
    this.clock.pointerAt = undefined;
  }

  /** Enter, as a person presses it who has read the question. */
  answer(at) {
    this.enter(at);
    this.up("Enter", at + 80);
  }
}

/** What happens to people: `page`, when the question is shown, and a number from 0 up to 1 that is drawn anew each time. */
const accidents = {
  "a key typed before the first frame": (page, shown, any) => {
    page.enter(shown * any());
    page.up("Enter", shown * any());
    page.shown(shown);
  },
  "a key typed as the question appears": (page, shown, any) => {
    page.shown(shown);
    page.enter(shown + 499 * any());
    page.up("Enter", shown + 700);
  },
  "Enter held down since the page before": (page, shown, any) => {
    page.shown(shown);
    for (let at = shown + 40 * any(); at < shown + 3000; at += 33) page.enter(at, true);
    page.up("Enter", shown + 3010);
  },
  "Space held down since the page before": (page, shown, any) => {
    page.shown(shown);
    for (let at = shown + 40 * any(); at < shown + 3000; at += 33) page.spaceDown(at, true);
    page.up(" ", shown + 3010);
  },
  "the end of the press that opened the dialog": (page, shown, any) => {
    page.shown(shown);
    page.up(" ", shown + 2000 * any());
  },
  "Space that went down too early": (page, shown, any) => {
    page.shown(shown);
    page.spaceDown(shown + 499 * any());
    page.up(" ", shown + 500 + 1000 * any());
  },
  "the second click of a double click": (page, shown, any) => {
    page.shown(shown);
    const down = shown + 499 * any();
    page.click(down + 90, down);
  },
  "a click held over the half second": (page, shown, any) => {
    page.shown(shown);
    page.click(shown + 501 + 1000 * any(), shown + 499 * any());
  },
  "a click that began beside the dialog": (page, shown, any) => {
    page.shown(shown);
    page.click(shown + 700 + any(), shown + 600, false);
  },
  "the click that brings the window to the front": (page, shown, any) => {
    page.shown(shown);
    const focus = shown + 1000 + 5000 * any();
    page.shown(focus);
    page.click(focus + 80, focus);
  },
  "the same in a browser that says so after the click has begun": (page, shown, any) => {
    page.shown(shown);
    const down = shown + 1000 + 5000 * any();
    page.clock.pointerAt = down;
    page.shown(down + 1);
    page.act(down + 80, true);
  },
  "a key typed while the page was hidden": (page, shown, any) => {
    page.shown(shown);
    page.shown(shown + 9000);
    page.enter(shown + 9000 + 499 * any());
    page.up("Enter", shown + 9600);
  },
  "a line break pasted into what had the focus": (page, shown, any) => {
    page.shown(shown);
    for (const at of [10, 11, 12]) page.enter(shown + at + any());
    page.up("Enter", shown + 20);
  },
  "a screen reader's press of another dialog": (page, shown, any) => {
    page.shown(shown);
    page.act(shown + 499 * any());
  },
};

const seed = Number(process.env.SEED ?? 1), count = 200;

describe(`Accidents from seed ${seed}`, () => {
  const any = random(seed), names = Object.keys(accidents);
  for (let number = 0; number < count; number++) {
    // A page that takes up to two seconds to load.
    const name = names[number % names.length], shown = 2000 * any();
    it(`${number}: ${name} answers nothing, and Enter 0.6 s later does`, () => {
      const page = new Page();
      accidents[name](page, shown, any);
      assert.equal(page.presses, 0);
      page.answer(page.last + 600);
      assert.equal(page.presses, 1);
    });
  }
});

describe("A press that is meant", () => {
  for (const [name, press] of Object.entries({
    "Enter": (page) => page.answer(500),
    "Enter that stays down presses once": (page) => {
      page.enter(600);
      for (const at of [1100, 1133, 1166]) page.enter(at, true);
      page.up("Enter", 1200);
    },
    "Space that stays down for a while": (page) => {
      page.spaceDown(600);
      for (const at of [1100, 1133, 1166]) page.spaceDown(at, true);
      page.up(" ", 1200);
    },
    "a click": (page) => page.click(580, 500),
    "a screen reader's": (page) => page.act(500),
    "a screen reader's after a click that came too early": (page) => {
      page.click(180, 100);
      page.act(700);
    },
    "a screen reader's while its own keys are down": (page) => {
      for (const at of [400, 433, 900]) page.clock.keyDown("Alt", at, at > 400);
      page.act(700);
    },
    "a screen reader's that comes as a pointer's": (page) => page.act(500, true),
    "a key while another one is held down since before": (page) => {
      page.clock.keyDown("Shift", 10, true);
      page.enter(900);
    },
  })) {
    it(name, () => {
      const page = new Page();
      page.shown(0);
      press(page);
      assert.equal(page.presses, 1);
    });
  }

  it("is none before the question can be seen, however late", () => {
    const page = new Page();
    page.answer(60_000);
    page.click(60_000);
    assert.equal(page.presses, 0);
  });
});
