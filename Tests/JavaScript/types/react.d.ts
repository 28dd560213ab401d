// As much of @types/react 19 as jsx.tsx needs: Debian has no package of it.
declare module "react" {
  export function useRef<T>(initial: T | null): { current: T | null };
  export interface HTMLAttributes<T> {
    id?: string;
    className?: string;
    children?: unknown;
    onClick?: (event: { currentTarget: T }) => void;
    onError?: (event: { currentTarget: T }) => void;
  }
  export type DetailedHTMLProps<E, T> = E & { ref?: { current: T | null }; key?: string };
  export namespace JSX {
    interface IntrinsicElements {
      form: DetailedHTMLProps<HTMLAttributes<HTMLFormElement>, HTMLFormElement>;
      label: DetailedHTMLProps<HTMLAttributes<HTMLLabelElement> & { htmlFor?: string }, HTMLLabelElement>;
    }
  }
}

declare module "react/jsx-runtime" {
  export { JSX } from "react";
}
