/** The panel of find in file: the query, the options and the count of matches. */
import type { EditorState, Extension } from "@codemirror/state"
import { EditorView, type Panel, showPanel, type ViewUpdate } from "@codemirror/view"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as FindInFile from "./FindInFile.ts"
import * as TextRanges from "./TextRanges.ts"
import { TIMEOUT } from "./FindClient.ts"

/** Adds find in file with the panel to an editor. */
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
  const matchCase = button("Aa", "Match case")
  const wholeWord = button("ab", "Whole word")
  const isRegex = button(".*", "Regular expression")
  const previous = button("↑", "Previous match")
  const next = button("↓", "Next match")
  const close = button("✕", "Close find")
  const dom = document.createElement("div")
  dom.className = "find"
  dom.setAttribute("role", "search")
  dom.append(input, count, matchCase, wholeWord, isRegex, previous, next, close)

  // The keys of the search box, by `code`, because Option on a Mac changes `key`.
  const options = new Map([
    ["KeyC", matchCase],
    ["KeyW", wholeWord],
    ["KeyR", isRegex]
  ])

  const submit = () => {
    const line = lineOf(input.value)
    if (line === undefined) {
      FindInFile.setQuery(view, {
        text: input.value,
        matchCase: isPressed(matchCase),
        wholeWord: isPressed(wholeWord),
        isRegex: isPressed(isRegex)
      })
    } else if (line > 0) toLine(view, line)
    update(view.state)
  }
  const update = (state: EditorState) => {
    const { isWarning, text } = lineOf(input.value) === undefined ? describe(state) : lineCount(state)
    input.setAttribute("aria-invalid", String(FindInFile.findState.of(state)._tag === "InvalidRegex"))
    count.classList.toggle("warn", isWarning)
    if (count.textContent !== text) count.textContent = text
  }

  input.addEventListener("input", submit)
  for (const option of [matchCase, wholeWord, isRegex]) {
    option.addEventListener("click", () => {
      press(option, !isPressed(option))
      submit()
      input.focus()
    })
  }
  previous.addEventListener("click", () => FindInFile.step(-1)(view))
  next.addEventListener("click", () => FindInFile.step(1)(view))
  close.addEventListener("click", () => FindInFile.close(view))
  dom.addEventListener("keydown", (event) => {
    if (event.isComposing) return
    const option = event.altKey && !event.ctrlKey && !event.metaKey ? options.get(event.code) : undefined
    if (option !== undefined) {
      event.preventDefault()
      option.click()
      return
    }
    const isLine = event.key === "Enter" && lineOf(input.value) !== undefined
    const command =
      event.key === "Escape" || isLine
        ? FindInFile.close
        : event.key === "Enter" && event.target === input
          ? FindInFile.step(event.shiftKey ? -1 : 1)
          : undefined
    if (command === undefined) return
    event.preventDefault()
    command(view)
  })

  const previousQuery = FindInFile.query.of(view.state)
  input.value = previousQuery.text
  press(matchCase, previousQuery.matchCase)
  press(wholeWord, previousQuery.wholeWord)
  press(isRegex, previousQuery.isRegex)
  update(view.state)
  return { dom, top: true, update: ({ state }: ViewUpdate) => update(state) }
}

const button = (text: string, label: string): HTMLButtonElement => {
  const element = document.createElement("button")
  element.type = "button"
  // Shown as generated content, which is not part of the accessible name.
  element.dataset["label"] = text
  element.title = label
  element.setAttribute("aria-label", label)
  return element
}

const isPressed = (button: HTMLButtonElement): boolean => button.getAttribute("aria-pressed") === "true"

const press = (button: HTMLButtonElement, pressed: boolean): void =>
  button.setAttribute("aria-pressed", String(pressed))

/** The line number in a go-to-line input such as `:21`; 0 for a lone `:`. */
const lineOf = (input: string): number | undefined => (/^:\d*$/.test(input) ? Number(input.slice(1)) : undefined)

const toLine = (view: EditorView, line: number): void => {
  const { doc } = view.state
  const { from } = doc.line(Math.min(line, doc.lines))
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) })
}

interface Status {
  readonly text: string
  readonly isWarning: boolean
}

const lineCount = ({ doc }: EditorState): Status => ({
  text: `of ${NumberFormat.quantity(doc.lines, "line")}`,
  isWarning: false
})

const reasons = {
  timeout: `timed out after ${TIMEOUT / 1_000} s: simplify the expression`,
  "too-complex": "too complex: simplify the expression",
  failed: "search failed: reload the page"
}

const describe = (state: EditorState): Status => {
  const found = FindInFile.findState.of(state)
  switch (found._tag) {
    case "Idle":
      return { text: "", isWarning: false }
    case "InvalidRegex":
      return { text: "invalid regular expression", isWarning: true }
    case "Searching":
      return { text: "searching…", isWarning: false }
    case "Failed":
      return { text: reasons[found.reason], isWarning: true }
    case "Found": {
      const total = TextRanges.count(found.ranges)
      if (total === 0) return { text: "no matches", isWarning: true }
      const all = `${NumberFormat.format(total)}${found.isTruncated ? "+" : ""}`
      const index = TextRanges.current(found.ranges, state.selection.main)
      return { text: index === undefined ? all : `${NumberFormat.format(index + 1)} of ${all}`, isWarning: false }
    }
  }
}
