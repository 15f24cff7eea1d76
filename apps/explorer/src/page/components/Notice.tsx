import type { ReactNode } from "react"

/** A titled message in place of content. */
export const Notice = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="notice">
    <h2>{title}</h2>
    {children}
  </section>
)
