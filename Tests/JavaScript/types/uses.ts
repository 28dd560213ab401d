// What a page writes with the types of okcancel.js; each @ts-expect-error is a mistake that they find.
import { ask, OKCancelElement, type OKCancelEvent, type Outcome } from "okcancel";

OKCancelElement.server = "https://ask.example.com";

export async function everyOutcome(): Promise<string> {
  const outcome = await ask("email", { values: { email: "", tags: ["a"], age: 7, agreed: true, note: null }, lang: "de" });
  // @ts-expect-error: nothing has values before somebody looks how it ended
  outcome.values;
  switch (outcome.outcome) {
    case "ok": return String(outcome.values.email) + (outcome.receipt ?? outcome.id ?? "");
    case "action": return outcome.action + String(outcome.values?.email);
    // @ts-expect-error: a cancelled dialog has no values
    case "cancel": return outcome.values;
    case "expired": return outcome.outcome;
    case "withdrawn": return outcome.outcome;
    // @ts-expect-error: there is no such outcome
    case "closed": return "";
  }
}

export async function ownValues(): Promise<string | undefined> {
  const outcome = await ask<{ email: string }>({ link: "https://ask.example.com/a/x" }, { signal: new AbortController().signal });
  // @ts-expect-error: this prompt has no such field
  if (outcome.outcome === "ok") outcome.values.mail;
  return outcome.outcome === "ok" ? outcome.values.email : undefined;
}

ask({ title: "Why?", fields: [{ name: "reason" }] }, { create: async ({ title }) => ({ link: title }) });
ask("email", { create: "/asks", server: "https://ask.example.com" });
// @ts-expect-error
ask(undefined);
// @ts-expect-error
ask({});
// @ts-expect-error
ask("email", { language: "de" });

const element = document.querySelector("ok-cancel")!;
const made: OKCancelElement = document.createElement("ok-cancel");
element.prompt = "email";
element.required = element.keepTitle = element.open = made.disabled;
element.values = { email: "ann@b.c" };
const text: string | undefined = typeof element.value === "string" ? element.value : element.validationMessage;
element.form?.requestSubmit();
element.show().then(({ outcome }: Outcome) => outcome === "ok" && element.close());
element.addEventListener("okcancel:outcome", ({ detail }) => detail.outcome === "ok" && detail.values);
element.addEventListener("okcancel:error", ({ detail: { status, detail } }) => [status?.toFixed(), detail.trim()]);
element.addEventListener("okcancel:validity", ({ detail }) => detail.isValid);
element.addEventListener("change", (event) => event.target);
element.onOutcome = ({ detail }: OKCancelEvent<"outcome">) => detail.outcome;
element.onReady = null;
// @ts-expect-error
element.addEventListener("okcancel:outcome", ({ detail }) => detail.value);
// @ts-expect-error
element.outcome = undefined;
// @ts-expect-error
element.onOutcome = ({ detail }) => detail.isValid;
export { text };
