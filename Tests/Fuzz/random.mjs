/**
 * Random choices from a seed: the same seed makes the same choices on every machine (mulberry32).
 */
export class Random {
  #state;

  /** @param {number} seed an integer of 32 bits */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** A fraction from 0 to below 1. */
  fraction() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from low to high, both included. */
  integer(low, high) {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  /** True this often: 0.1 is one time in ten. */
  chance(probability) {
    return this.fraction() < probability;
  }

  /** One of the list. */
  pick(list) {
    return list[this.integer(0, list.length - 1)];
  }

  /** A list of so many, each made anew. */
  list(low, high, make) {
    return Array.from({length: this.integer(low, high)}, make);
  }

  /** So many characters of those given. */
  string(low, high, characters) {
    return this.list(low, high, () => this.pick(characters)).join("");
  }
}
