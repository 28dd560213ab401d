// With `import type {} from "okcancel/react"` in one file, React's JSX knows <ok-cancel>.
import type { HTMLAttributes, DetailedHTMLProps } from "react";
import type { OKCancelAttributes, OKCancelElement } from "./okcancel.js";

type Attributes = Omit<DetailedHTMLProps<HTMLAttributes<OKCancelElement>, OKCancelElement>, keyof OKCancelAttributes>;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "ok-cancel": Attributes & OKCancelAttributes;
    }
  }
}
