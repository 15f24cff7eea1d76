/** Find in file: the query, the matches, and the keys to move between matches. `FindPanel` is the input. */
import { type EditorState, type Extension, Prec } from "@codemirror/state"
import { EditorView, keymap, ViewPlugin } from "@codemirror/view"
import { externalField } from "./ExternalField.ts"
import * as FindClient from "./FindClient.ts"
import * as FindPattern from "./FindPattern.ts"
import * as TextRanges from "./TextRanges.ts"
import { viewportDecorations } from "./ViewportDecorations.ts"

/** The state of the search. */
export type FindState =
  | { readonly _tag: "Idle" }
  | { readonly _tag: "InvalidRegex" }
  | { readonly _tag: "Searching" }
  | { readonly _tag: "Failed"; readonly reason: Exclude<FindClient.FindOutcome, FindPattern.FindResult> }
  | ({ readonly _tag: "Found" } & FindPattern.FindResult)

/** The current query. */
export const query = externalField<FindPattern.FindQuery>({
  text: "",
  matchCase: false,
  wholeWord: false,
  isRegex: false
})
/** The state of the search for `query`. */
export const findState = externalField<FindState>({ _tag: "Idle" })
/** Whether the panel is open. */
export const isOpen = externalField(false)

/** Opens the panel and focuses the input, which then contains `text`, else the selection, else the previous query. */
export const open = (view: EditorView, text?: string): true => {
  if (!isOpen.of(view.state)) view.dispatch({ effects: isOpen.set(true) })
  const input = view.dom.querySelector<HTMLInputElement>(".find input")
  if (input !== null) {
    const value = text ?? selectedText(view.state)
    if (value !== undefined) {
      input.value = value
      input.dispatchEvent(new Event("input"))
    }
    input.focus()
    if (text === undefined) input.select()
  }
  return true
}

export const close = (view: EditorView): true => {
  view.dispatch({ effects: isOpen.set(false) })
  view.focus()
  return true
}

/** Searches after a pause in typing, and selects the first match from the caret on. */
export const setQuery = (view: EditorView, query: FindPattern.FindQuery): void => view.plugin(finder)?.setQuery(query)

/**
 * Selects the next match (1) or the previous match (-1). Waits for the results of a pending search. Opens the panel if
 * there is no query.
 */
export const step =
  (by: 1 | -1) =>
  (view: EditorView): true => {
    const { main } = view.state.selection
    if (view.plugin(finder)?.deferStep(by) === true) return true
    const ranges = foundRanges(view.state)
    const index = TextRanges.next(ranges, main, by)
    if (index !== undefined) select(view, ranges, index)
    else if (query.of(view.state).text === "") open(view)
    return true
  }

const finder = ViewPlugin.fromClass(
  class {
    readonly view: EditorView
    readonly client: FindClient.FindClient
    typingTimer: number | undefined
    searchingTimer: number | undefined
    /** Steps to take from the first match once the pending search has results. Undefined if no search is pending. */
    pendingSteps: number | undefined

    constructor(view: EditorView) {
      this.view = view
      this.client = FindClient.make(() => view.state.doc.toString())
    }

    setQuery(next: FindPattern.FindQuery) {
      this.cancel()
      const pattern = FindPattern.compile(next)
      this.view.dispatch({ effects: query.set(next) })
      if (pattern === undefined || next.text === "") {
        this.setState({ _tag: pattern === undefined ? "InvalidRegex" : "Idle" })
      } else {
        this.pendingSteps = 0
        this.typingTimer = window.setTimeout(() => this.find(pattern), TYPING_DELAY)
      }
    }

    /** True while a step waits for the new query's results. */
    deferStep(by: 1 | -1): boolean {
      if (this.pendingSteps === undefined) return false
      this.pendingSteps += by
      return true
    }

    find(pattern: RegExp) {
      this.searchingTimer = window.setTimeout(() => this.setState({ _tag: "Searching" }), SEARCHING_DELAY)
      this.client.find(pattern, (outcome) => {
        const { pendingSteps = 0 } = this
        this.pendingSteps = undefined
        clearTimeout(this.searchingTimer)
        if (typeof outcome === "string") return this.setState({ _tag: "Failed", reason: outcome })
        this.setState({ _tag: "Found", ...outcome })
        // Don't scroll once the panel is closed.
        if (!isOpen.of(this.view.state)) return
        const { from } = this.view.state.selection.main
        const index = TextRanges.next(outcome.ranges, { from, to: from }, 1)
        const total = TextRanges.count(outcome.ranges)
        if (index === undefined) this.view.dispatch({ selection: { anchor: from } })
        else select(this.view, outcome.ranges, (((index + pendingSteps) % total) + total) % total)
      })
    }

    setState(state: FindState) {
      this.view.dispatch({ effects: findState.set(state) })
    }

    cancel() {
      clearTimeout(this.typingTimer)
      clearTimeout(this.searchingTimer)
      this.pendingSteps = undefined
      this.client.cancel()
    }

    destroy() {
      this.cancel()
      this.client.close()
    }
  }
)

/** Milliseconds without a key before a search starts. */
const TYPING_DELAY = 80
/** Milliseconds of searching before the panel shows progress. */
const SEARCHING_DELAY = 200

/** The selection; undefined for a long selection, and for one of several lines. */
const selectedText = ({ doc, selection: { main } }: EditorState): string | undefined =>
  main.empty || main.to - main.from > 200 || doc.lineAt(main.from).to < main.to
    ? undefined
    : doc.sliceString(main.from, main.to)

const foundRanges = (state: EditorState): TextRanges.TextRanges => {
  const found = findState.of(state)
  return found._tag === "Found" ? found.ranges : TextRanges.empty
}

const select = (view: EditorView, ranges: TextRanges.TextRanges, index: number): void => {
  const { from, to } = TextRanges.at(ranges, index) ?? view.state.selection.main
  view.dispatch({
    selection: { anchor: from, head: to },
    effects: EditorView.scrollIntoView(from, { y: "center" })
  })
}

/** Adds find in file to an editor, without the panel. */
export const findInFile: Extension = [
  query.field,
  findState.field,
  isOpen.field,
  finder,
  viewportDecorations(
    (state, from, to, add) => {
      if (isOpen.of(state)) {
        TextRanges.addDecorations(foundRanges(state), state.selection.main, { from, to }, "find-match", add)
      }
    },
    (update) => update.selectionSet || findState.hasChanged(update) || isOpen.hasChanged(update)
  ),
  Prec.high(
    keymap.of([
      { key: "Escape", run: (view) => isOpen.of(view.state) && close(view) },
      { key: "Mod-g", run: step(1), shift: step(-1), preventDefault: true },
      { key: "F3", run: step(1), shift: step(-1), preventDefault: true }
    ])
  )
]
