// The element in JSX of React.
import { useRef } from "react";
import type { OKCancelElement } from "okcancel";
import type {} from "okcancel/react";

export function Email({ onEmail }: { onEmail(email: string): void }) {
  const element = useRef<OKCancelElement>(null);
  return (
    <form>
      <label htmlFor="email">Email</label>
      <ok-cancel
        id="email" ref={element} prompt="email" name="email" required keepTitle values={{ email: "" }}
        onOutcome={({ detail }) => detail.outcome === "ok" && onEmail(String(detail.values.email))}
        onError={({ detail }) => console.log(detail.detail)}
        onClick={() => element.current?.show()}>
        Your email
      </ok-cancel>
      {/* @ts-expect-error: there is no such attribute */}
      <ok-cancel promt="email" />
    </form>
  );
}
