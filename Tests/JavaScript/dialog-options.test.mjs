import assert from "node:assert/strict";
import { it } from "node:test";
import { plain } from "../../Public/dialog-options.js";

it("searches without case, accents and white space", () => {
  for (const [text, expected] of [["\n São  Paulo ", "saopaulo"], ["ÅRHUS", "arhus"], ["Łódź", "łodz"], ["東京", "東京"], ["ﬁn", "fin"], ["Straße", "strasse"]]) {
    assert.equal(plain(text), expected);
  }
});
