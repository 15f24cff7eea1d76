/**
 * The terminal UI as linear text, for screen readers: prints each change as lines, and never moves the cursor or
 * repaints.
 *
 * **Details**
 *
 * A line of input is printed like the echo of a terminal: typed characters are added at the end. Other edits print the
 * whole text again on a new line. Texts that change while the user types, such as the best match, are printed when the
 * user pauses.
 */
import type * as Cause from "effect/Cause"
import type { AtomRegistry } from "effect/reactivity/AtomRegistry"
import * as Terminal from "@tongs/core/text/Terminal"
import type { KeyBindings } from "./actions/KeyBindings.ts"
import type { Announcement, Input } from "./model/Announcement.ts"
import type { Model } from "./model/Model.ts"
import type { TerminalInput } from "./terminal/TerminalInput.ts"

/** Milliseconds to wait for further changes before printing, so that each key prints the final state once. */
const DELAY = 60

/** Milliseconds without typing after which texts that depend on the typed text are printed. */
const TYPING_DELAY = 700

/** Milliseconds of loading after which the loading is announced. */
const LOADING_DELAY = 1_000

/** Maximum number of lines that one key reads. */
const MAX_READ = 100

/** Returns the lines that describe the change from one state of the screen to the next, without the line of input. */
export const lines = (before: Announcement | undefined, now: Announcement): ReadonlyArray<string> => {
  const isNew = before?.place !== now.place
  const old = isNew ? undefined : before
  const introduced = new Set(old?.introduction)
  // Enter in a filter closes the line of input. The selected row is then printed again.
  const isSame = old?.focus?.item === now.focus?.item && (old?.input === undefined || now.input !== undefined)
  const said = new Set(isSame ? old?.focus?.texts.map(({ key }) => key) : [])
  const focus = now.focus?.texts.filter(({ key }) => !said.has(key)).map(({ text }) => text) ?? []
  return [
    // The number of tabs in the title changes when the last ones are known.
    ...(isNew ? [now.title] : []),
    ...now.introduction.filter((line) => !introduced.has(line)),
    ...(now.problem !== "" && now.problem !== old?.problem ? [now.problem] : []),
    ...(now.problem === "" && (old?.problem ?? "") !== "" ? ["Loaded again"] : []),
    ...(now.message !== undefined && now.message !== before?.message ? [now.message.text] : []),
    ...(now.section.text !== "" && now.section.key !== old?.section.key ? [now.section.text] : []),
    ...focus.map((text, index) =>
      now.position !== "" && index === focus.length - 1 ? `${text} (${now.position})` : text
    )
  ]
}

/** Returns the lines that a command to move by a page passes, in reading order, with the new position at the end. */
export const passed = (before: Announcement, now: Announcement): ReadonlyArray<string> | undefined => {
  const from = before.reading?.cursor
  const { reading } = now
  if (from === undefined || reading === undefined || before.place !== now.place) return undefined
  const count = Math.min(MAX_READ, Math.abs(reading.cursor - from))
  if (count === 0) return undefined
  const first = reading.cursor > from ? reading.cursor - count + 1 : reading.cursor
  return [...Array.from({ length: count }, (_, index) => reading.at(first + index)), now.position]
}

/**
 * Returns the text to print for a line of input; `isOpen` is true if the cursor of the terminal is still at the end of
 * the line.
 */
export const echo = (before: Input | undefined, now: Input, isOpen: boolean): string => {
  const isSame = before?.label === now.label
  const isAtEnd = now.cursor === now.text.length
  if (isSame && before.text === now.text) return before.cursor === now.cursor ? "" : `\n${atCursor(now)}\n`
  if (isSame && isOpen && isAtEnd && now.text.startsWith(before.text)) return now.text.slice(before.text.length)
  return `${isOpen ? "\n" : ""}${now.label}: ${now.text}${isAtEnd ? "" : `\n${atCursor(now)}\n`}`
}

/** Describes the place of the cursor in a text. */
const atCursor = ({ cursor, text }: Input): string => {
  const [rest = ""] = text.slice(cursor).split("\n")
  return rest === "" ? "at the end of the line" : `before ${rest.startsWith(" ") ? "space, " : ""}${rest.trim()}`
}

/** The device, the keys and the first words of a linear UI. */
export interface Options {
  readonly input: TerminalInput
  readonly write: (text: string) => void
  readonly keys: KeyBindings
  /** Sentences to print first. */
  readonly greeting: ReadonlyArray<string>
  /** Suspends the program until the shell resumes it. */
  readonly pause: () => Promise<void>
  /** Called with the cause of a defect, after which the program ends. */
  readonly onDefect: (cause: Cause.Cause<unknown>) => void
}

/** Prints each change of the screen, and passes keys to the model. Returns a function that stops the printing. */
export const start = (model: Model, registry: AtomRegistry, options: Options): (() => void) => {
  const { greeting, input, keys, onDefect, pause } = options
  let printed: Announcement | undefined
  /** True while the cursor of the terminal is at the end of a line of input. */
  let isOpen = false
  let timer: NodeJS.Timeout | undefined
  let typing: NodeJS.Timeout | undefined
  let loading: NodeJS.Timeout | undefined
  /** The command of the last key, until the effect of the command is printed. */
  let command: string | undefined

  const write = (text: string) => {
    if (text === "") return
    options.write(Terminal.escape(text, { newlines: true }).replaceAll("\n", "\r\n"))
    isOpen = !text.endsWith("\n")
  }
  const writeLines = (all: ReadonlyArray<string>) => {
    if (all.length > 0) write(`${isOpen ? "\n" : ""}${all.map((line) => oneLine(line)).join("\n")}\n`)
  }
  const announceLoading = (text: string) => {
    if (text === "") {
      clearTimeout(loading)
      loading = undefined
    } else
      loading ??= setTimeout(() => {
        writeLines([registry.get(model.view).announcement().loading].filter((text) => text !== ""))
      }, LOADING_DELAY)
  }
  const print = () => {
    timer = undefined
    const { announcement, defect } = registry.get(model.view)
    if (defect !== undefined) return onDefect(defect)
    const now = announcement()
    announceLoading(now.loading)
    const before = printed
    const isSamePlace = before?.place === now.place
    const isTyping = isSamePlace && now.input !== undefined && before.input?.label === now.input.label
    if (isTyping && before.input?.text !== now.input?.text) {
      clearTimeout(typing)
      typing = setTimeout(() => {
        typing = undefined
        print()
      }, TYPING_DELAY)
    } else if (!isTyping) {
      clearTimeout(typing)
      typing = undefined
    }
    const pressed = command
    if (now.loading === "") command = undefined
    const isPaused = typing === undefined
    printed = isPaused || before === undefined ? now : { ...before, input: now.input }
    if (isPaused) {
      const read =
        pressed !== undefined && reading.has(pressed) && before !== undefined ? passed(before, now) : undefined
      const isStuck =
        isSamePlace && pressed !== undefined && moving.has(pressed) && before.focus?.item === now.focus?.item
      writeLines(read ?? lines(isStuck ? { ...before, focus: undefined, section: { text: "", key: "" } } : before, now))
    }
    if (now.input !== undefined) write(echo(isSamePlace ? before.input : undefined, now.input, isOpen))
    else if (isOpen) write("\n")
  }
  const schedule = () => {
    timer ??= setTimeout(print, DELAY)
  }
  const repeat = () => {
    printed = undefined
    schedule()
  }
  writeLines(greeting)
  const cancel = model.subscribe(schedule)
  schedule()
  const stop = input.listen((event) => {
    if (event._tag === "Paste") model.paste(event.text)
    if (event._tag !== "Key") return
    if (event.name === "ctrl-z") return void pause().then(repeat)
    if (event.name === "ctrl-l") return repeat()
    command = keys.commandFor(event.name)
    model.press(event.name)
    schedule()
  })
  return () => {
    for (const pending of [timer, typing, loading]) clearTimeout(pending)
    cancel()
    stop()
    if (isOpen) write("\n")
  }
}

const oneLine = (text: string): string => Terminal.escape(text)

/** Commands that read all passed lines. */
const reading: ReadonlySet<string> = new Set(["pageDown", "pageUp", "halfDown", "halfUp"])

/** Commands after which an unchanged selected item is printed again: the list ends at this item. */
const moving: ReadonlySet<string> = new Set([
  ...reading,
  "down",
  "up",
  "top",
  "bottom",
  "nextSection",
  "previousSection"
])
