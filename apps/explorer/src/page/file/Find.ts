/** Find in file: a panel over the text, styled as the page. */
import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  search,
  SearchQuery,
  setSearchQuery
} from "@codemirror/search"
import { type EditorState, type Extension, Prec } from "@codemirror/state"
import { EditorView, keymap, type Panel, type ViewUpdate } from "@codemirror/view"
import * as Count from "@tongs/core/text/Count"

export const find: Extension = [
  search({
    top: true,
    literal: true,
    createPanel: (view) => panel(view),
    scrollToMatch: ({ from }) => EditorView.scrollIntoView(from, { y: "center" })
  }),
  Prec.high(
    keymap.of([
      { key: "Mod-g", run: findNext, shift: findPrevious, preventDefault: true },
      { key: "F3", run: findNext, shift: findPrevious, preventDefault: true }
    ])
  )
]

const panel = (view: EditorView): Panel => {
  const input = document.createElement("input")
  input.type = "text"
  input.placeholder = "Find in this file, or :line"
  input.setAttribute("main-field", "true")
  input.setAttribute("aria-label", "Find in this file")
  input.spellcheck = false
  const count = document.createElement("span")
  count.className = "find-count"
  count.setAttribute("role", "status")
  const options = {
    caseSensitive: button("Aa", "Match case"),
    wholeWord: button("W", "Whole words"),
    regexp: button(".*", "Regular expression")
  }
  const previous = button("↑", "Previous match")
  const following = button("↓", "Next match")
  const close = button("✕", "Close find")
  const dom = document.createElement("div")
  dom.className = "find"
  dom.setAttribute("role", "search")
  dom.append(input, count, ...Object.values(options), previous, following, close)

  const read = () => {
    const line = lineOf(input.value)
    if (line !== undefined) return toLine(view, line)
    const query = new SearchQuery({
      search: input.value,
      literal: true,
      caseSensitive: isPressed(options.caseSensitive),
      wholeWord: isPressed(options.wholeWord),
      regexp: isPressed(options.regexp)
    })
    if (query.eq(getSearchQuery(view.state))) return
    view.dispatch({ effects: setSearchQuery.of(query) })
    clearTimeout(seeking)
    if (query.valid) seeking = window.setTimeout(() => seek(view, query), PAUSE)
  }
  let seeking: number | undefined
  const show = (state: EditorState) => {
    const query = getSearchQuery(state)
    if (input.value !== query.search && lineOf(input.value) === undefined) input.value = query.search
    press(options.caseSensitive, query.caseSensitive)
    press(options.wholeWord, query.wholeWord)
    press(options.regexp, query.regexp)
    const isWrong = query.search !== "" && !query.valid
    input.setAttribute("aria-invalid", String(isWrong))
    count.classList.toggle("none", isWrong)
    clearTimeout(counting)
    if (lineOf(input.value) !== undefined) count.textContent = `of ${Count.noun(state.doc.lines, "line")}`
    else if (isWrong) count.textContent = "not a regular expression"
    else if (query.search === "") count.textContent = ""
    else counting = window.setTimeout(() => tell(tally(view.state, query)), PAUSE)
  }
  let counting: number | undefined
  const tell = (found: Tally) => {
    count.textContent = describe(found)
    count.classList.toggle("none", found.total === 0)
  }

  input.addEventListener("input", read)
  for (const option of Object.values(options)) {
    option.addEventListener("click", () => {
      press(option, !isPressed(option))
      read()
      input.focus()
    })
  }
  previous.addEventListener("click", () => findPrevious(view))
  following.addEventListener("click", () => findNext(view))
  close.addEventListener("click", () => closeSearchPanel(view))
  dom.addEventListener("keydown", (event) => {
    const isLine = event.key === "Enter" && lineOf(input.value) !== undefined
    const act =
      event.key === "Escape" || isLine
        ? closeSearchPanel
        : event.key === "Enter" && event.target === input
          ? event.shiftKey
            ? findPrevious
            : findNext
          : undefined
    if (act === undefined) return
    clearTimeout(seeking)
    event.preventDefault()
    act(view)
  })
  show(view.state)
  return {
    dom,
    top: true,
    mount: () => input.select(),
    destroy: () => {
      clearTimeout(counting)
      clearTimeout(seeking)
    },
    update: (update: ViewUpdate) => {
      const isAnother = !getSearchQuery(update.state).eq(getSearchQuery(update.startState))
      if (isAnother || update.selectionSet) show(update.state)
    }
  }
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
  const { from } = doc.line(Math.min(Math.max(1, line), doc.lines))
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) })
}

/** How many matches there are, and which of them, from 1, is selected. */
interface Tally {
  readonly total: number
  readonly at: number | undefined
  readonly more: boolean
}

/** To the first match from where the reader is; as long as one types, that does not move on. */
const seek = (view: EditorView, query: SearchQuery): void => {
  const { from } = view.state.selection.main
  const later = query.getCursor(view.state, from).next()
  const found = later.done === true ? query.getCursor(view.state, 0, from).next() : later
  view.dispatch(
    found.done === true
      ? { selection: { anchor: from } }
      : {
          selection: { anchor: found.value.from, head: found.value.to },
          effects: EditorView.scrollIntoView(found.value.from, { y: "center" })
        }
  )
}

/** Milliseconds without a key after which matches are looked for; how many are counted, and for how many more. */
const PAUSE = 80
const COUNTED = 10_000
const PATIENCE = 40

const tally = (state: EditorState, query: SearchQuery): Tally => {
  const until = performance.now() + PATIENCE
  const { main } = state.selection
  const cursor = query.getCursor(state)
  let total = 0
  let at: number | undefined
  for (let found = cursor.next(); !found.done; found = cursor.next()) {
    total++
    if (found.value.from === main.from && found.value.to === main.to) at = total
    if (total >= COUNTED || performance.now() > until) return { total, at, more: true }
  }
  return { total, at, more: false }
}

const describe = ({ at, more, total }: Tally): string => {
  if (total === 0) return "no match"
  const all = `${Count.format(total)}${more ? "+" : ""}`
  return at === undefined ? all : `${Count.format(at)} of ${all}`
}
