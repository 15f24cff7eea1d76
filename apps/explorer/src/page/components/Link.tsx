/** A link to a view: the browser's own in every way, but that a plain click stays on the page. */
import type { ComponentProps, MouseEvent } from "react"
import { navigate, type HistoryState, updateHistoryState } from "../hooks/useRoute.ts"
import * as Route from "../model/Route.ts"

export const Link = ({
  leaving,
  memory,
  to,
  ...rest
}: Omit<ComponentProps<"a">, "href"> & {
  readonly to: Route.Route
  /** What the view that one leaves is to remember, and what the one that one goes to. */
  readonly leaving?: HistoryState
  readonly memory?: HistoryState
}) => {
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (leaving !== undefined) updateHistoryState(leaving)
    navigate(to, memory === undefined ? {} : { memory })
  }
  return <a {...rest} href={Route.href(to)} onClick={open} />
}
