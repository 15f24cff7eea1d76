/**
 * The terminal UI as linear text, for screen readers: prints what changes as lines, and never moves the cursor or repaints.
 */
import type { AtomRegistry } from "effect/reactivity/AtomRegistry"
import type { Model } from "./model/Model.ts"
import type { Announcement } from "./model/View.ts"
import type { TerminalInput } from "./terminal/TerminalInput.ts"

/** Milliseconds to wait for further changes before printing, so that each key prints the final state once. */
const DELAY = 60

/** Returns the lines that describe the change from one state of the screen to the next. */
export const lines = (before: Announcement | undefined, now: Announcement): ReadonlyArray<string> => {
  const isNewScreen = before?.title !== now.title
  const isOpened = before === undefined || (before.overlay.length === 0 && now.overlay.length > 0)
  const known = new Set(isOpened ? [] : before.overlay)
  const window = now.overlay.filter((line) => line !== "" && !known.has(line))
  const isClosed = before !== undefined && before.overlay.length > 0 && now.overlay.length === 0
  return [
    ...(isNewScreen ? [now.title] : []),
    ...(now.prompt !== "" && now.prompt !== before?.prompt ? [now.prompt] : []),
    ...window,
    ...(now.message !== "" && (isNewScreen || now.message !== before?.message) ? [now.message] : []),
    ...(now.overlay.length === 0 &&
    now.selected !== "" &&
    (isNewScreen || isClosed || now.selected !== before?.selected)
      ? [now.position === "" ? now.selected : `${now.selected} (${now.position})`]
      : [])
  ]
}

/** Prints the screen as it changes, and passes keys to the model. Returns a function that stops it. */
export const start = (
  model: Model,
  registry: AtomRegistry,
  input: TerminalInput,
  write: (text: string) => void
): (() => void) => {
  let printed: Announcement | undefined
  let timer: NodeJS.Timeout | undefined
  const print = () => {
    timer = undefined
    const { announcement, isLoading } = registry.get(model.view)
    if (isLoading && printed !== undefined && announcement.title === printed.title) return
    for (const line of lines(printed, announcement)) write(`${line}\r\n`)
    printed = announcement
  }
  const cancel = registry.subscribe(
    model.view,
    () => {
      timer ??= setTimeout(print, DELAY)
    },
    { immediate: true }
  )
  const stop = input.listen((event) => {
    if (event._tag === "Paste") model.paste(event.text)
    if (event._tag === "Key" && event.name !== "ctrl-z") model.press(event.name)
  })
  return () => {
    clearTimeout(timer)
    cancel()
    stop()
  }
}
