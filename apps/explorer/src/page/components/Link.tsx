import type { ComponentProps, MouseEvent } from "react"
import { type HistoryState, navigate, updateHistoryState } from "../hooks/useRoute.ts"
import * as Route from "../model/Route.ts"

/** Whether a click is plain: main button, no modifier. */
export const isPlainClick = ({ altKey, button, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

/** A link to a route. A plain click navigates within the page; the browser handles every other click. */
export const Link = ({
  currentState,
  onNavigate,
  state,
  to,
  ...rest
}: Omit<ComponentProps<"a">, "href"> & {
  readonly to: Route.Route
  /** The state to store in the current view's history entry before the navigation. */
  readonly currentState?: HistoryState
  /** The state of the new history entry. */
  readonly state?: HistoryState
  /** Replaces the navigation of a plain click. */
  readonly onNavigate?: () => void
}) => {
  const onClick = (event: MouseEvent) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    if (onNavigate !== undefined) return onNavigate()
    if (currentState !== undefined) updateHistoryState(currentState)
    navigate(to, state === undefined ? {} : { state })
  }
  return <a {...rest} href={Route.href(to)} onClick={onClick} />
}
