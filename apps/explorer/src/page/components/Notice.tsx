/** A view that has nothing to show but words. */
import type { ReactNode } from "react"

export const Notice = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="notice">
    <h2>{title}</h2>
    {children}
  </section>
)
