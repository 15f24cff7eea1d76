/** A link to a view: the browser's own in every way, but that a plain click stays on the page. */
import type { ComponentProps, MouseEvent } from "react"
import { go, type Memory, remember } from "./useView.ts"
import * as View from "./View.ts"

export const Link = ({
  leaving,
  memory,
  to,
  ...rest
}: Omit<ComponentProps<"a">, "href"> & {
  readonly to: View.View
  /** What the view that one leaves is to remember, and what the one that one goes to. */
  readonly leaving?: Memory
  readonly memory?: Memory
}) => {
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (leaving !== undefined) remember(leaving)
    go(to, memory === undefined ? {} : { memory })
  }
  return <a {...rest} href={View.print(to)} onClick={open} />
}
