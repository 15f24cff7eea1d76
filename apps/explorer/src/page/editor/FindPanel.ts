/** The panel of find in file: what to look for, how, and how much of it there is. Styled as the page. */
import type { EditorState, Extension } from "@codemirror/state"
import { EditorView, type Panel, showPanel, type ViewUpdate } from "@codemirror/view"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as FindInFile from "./FindInFile.ts"
import * as TextRanges from "./TextRanges.ts"
import { TIMEOUT } from "./FindClient.ts"

export const findPanel: Extension = [
  FindInFile.findInFile,
  showPanel.compute([FindInFile.isOpen.field], (state) => (FindInFile.isOpen.of(state) ? panel : null))
]

const panel = (view: EditorView): Panel => {
  const input = document.createElement("input")
  input.type = "text"
  input.placeholder = "Find in this file, or :line"
  input.setAttribute("aria-label", "Find in this file")
  input.spellcheck = false
  const count = document.createElement("span")
  count.className = "find-count"
  count.setAttribute("role", "status")
  const matchesCase = button("Aa", "Match case")
  const isWhole = button("W", "Whole words")
  const isPattern = button(".*", "Regular expression")
  const previous = button("↑", "Previous match")
  const following = button("↓", "Next match")
  const close = button("✕", "Close find")
  const dom = document.createElement("div")
  dom.className = "find"
  dom.setAttribute("role", "search")
  dom.append(input, count, matchesCase, isWhole, isPattern, previous, following, close)

  const read = () => {
    const line = lineOf(input.value)
    if (line === undefined) {
      FindInFile.setQuery(view, {
        text: input.value,
        matchCase: isPressed(matchesCase),
        wholeWord: isPressed(isWhole),
        isRegex: isPressed(isPattern)
      })
    } else if (line > 0) toLine(view, line)
    show(view.state)
  }
  const show = (state: EditorState) => {
    const { isWarning, text } = lineOf(input.value) === undefined ? describe(state) : lines(state)
    input.setAttribute("aria-invalid", String(FindInFile.findState.of(state)._tag === "Wrong"))
    count.classList.toggle("none", isWarning)
    if (count.textContent !== text) count.textContent = text
  }

  input.addEventListener("input", read)
  for (const option of [matchesCase, isWhole, isPattern]) {
    option.addEventListener("click", () => {
      press(option, !isPressed(option))
      read()
      input.focus()
    })
  }
  previous.addEventListener("click", () => FindInFile.step(-1)(view))
  following.addEventListener("click", () => FindInFile.step(1)(view))
  close.addEventListener("click", () => FindInFile.close(view))
  dom.addEventListener("keydown", (event) => {
    if (event.isComposing) return
    const isLine = event.key === "Enter" && lineOf(input.value) !== undefined
    const act =
      event.key === "Escape" || isLine
        ? FindInFile.close
        : event.key === "Enter" && event.target === input
          ? FindInFile.step(event.shiftKey ? -1 : 1)
          : undefined
    if (act === undefined) return
    event.preventDefault()
    act(view)
  })

  const before = FindInFile.query.of(view.state)
  input.value = before.text
  press(matchesCase, before.matchCase)
  press(isWhole, before.wholeWord)
  press(isPattern, before.isRegex)
  show(view.state)
  return { dom, top: true, update: ({ state }: ViewUpdate) => show(state) }
}

const button = (text: string, label: string): HTMLButtonElement => {
  const made = document.createElement("button")
  made.type = "button"
  made.textContent = text
  made.title = label
  made.setAttribute("aria-label", label)
  return made
}

const isPressed = (button: HTMLButtonElement): boolean => button.getAttribute("aria-pressed") === "true"

const press = (button: HTMLButtonElement, pressed: boolean): void =>
  button.setAttribute("aria-pressed", String(pressed))

/** `:21` is a line, and `:` the beginning of one. */
const lineOf = (typed: string): number | undefined => (/^:\d*$/.test(typed) ? Number(typed.slice(1)) : undefined)

const toLine = (view: EditorView, line: number): void => {
  const { doc } = view.state
  const { from } = doc.line(Math.min(line, doc.lines))
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) })
}

interface Said {
  readonly text: string
  readonly isWarning: boolean
}

const lines = ({ doc }: EditorState): Said => ({
  text: `of ${NumberFormat.quantity(doc.lines, "line")}`,
  isWarning: false
})

const REASONS = {
  late: `given up after ${TIMEOUT / 1_000} s: try a simpler expression`,
  deep: "too many ways to match: try a simpler expression",
  failed: "cannot look: load the page again"
}

const describe = (state: EditorState): Said => {
  const told = FindInFile.findState.of(state)
  switch (told._tag) {
    case "Nothing":
      return { text: "", isWarning: false }
    case "Wrong":
      return { text: "not a regular expression", isWarning: true }
    case "Looking":
      return { text: "looking…", isWarning: false }
    case "GivenUp":
      return { text: REASONS[told.reason], isWarning: true }
    case "Found": {
      const total = TextRanges.count(told.ranges)
      if (total === 0) return { text: "no match", isWarning: true }
      const all = `${NumberFormat.format(total)}${told.isTruncated ? "+" : ""}`
      const at = TextRanges.current(told.ranges, state.selection.main)
      return { text: at === undefined ? all : `${NumberFormat.format(at + 1)} of ${all}`, isWarning: false }
    }
  }
}
