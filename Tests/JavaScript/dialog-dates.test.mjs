import assert from "node:assert/strict";
import { it } from "node:test";
import { localized } from "../../Public/dialog-dates.js";

it("writes dates and times as the person's control shows them, in one piece", () => {
  for (const [message, type, locale, expected] of [
    ["Enter a date, like 2025-01-31", "date", "en-US", "Enter a date, like 01/31/2025"],
    ["Enter a date, like 2025-01-31", "date", "de", "Enter a date, like 31.01.2025"],
    ["Enter a date, like 2025-01-31", "date", "nl", "Enter a date, like 31\u201101\u20112025"],
    ["Enter a date from 2025-01-31 to 2025-12-01", "date", "en-GB", "Enter a date from 31/01/2025 to 01/12/2025"],
    ["Enter a time, like 09:30", "time", "en-US", "Enter a time, like 09:30\u00a0AM"],
    ["Enter a time, like 09:30", "time", "fr", "Enter a time, like 09:30"],
    ["Like 2025-01-31T09:30", "datetime-local", "en-US", "Like 01/31/2025,\u00a009:30\u00a0AM"],
    ["Not before 2025-01-31", "datetime-local", "en-US", "Not before 01/31/2025"],
  ]) {
    assert.equal(localized(message, type, locale), expected);
  }
});

it("leaves everything else as it is", () => {
  for (const [message, type] of [
    ["Enter a date, like 2025-02-30", "date"], ["Use ticket 12025-01-31", "date"], ["From 9:00", "time"], ["At 25:00", "time"],
    ["Choose 2025-01-31", "time"], ["Enter a date from 1900 to 2015", "date"],
  ]) {
    assert.equal(localized(message, type, "en-US"), message);
  }
});
