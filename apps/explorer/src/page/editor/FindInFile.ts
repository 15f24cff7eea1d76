/** Find in file: what is looked for, and what was found, drawn in the text. `FindPanel` is what one types into. */
import { type EditorState, type Extension, Prec } from "@codemirror/state"
import { EditorView, keymap, ViewPlugin } from "@codemirror/view"
import { externalField, viewportDecorations } from "./ViewportDecorations.ts"
import * as FindPattern from "./FindPattern.ts"
import * as TextRanges from "./TextRanges.ts"
import * as FindClient from "./FindClient.ts"

/** What came of looking. */
export type FindState =
  | { readonly _tag: "Nothing" }
  /** It is no regular expression. */
  | { readonly _tag: "Wrong" }
  | { readonly _tag: "Looking" }
  /** The pattern took longer than `Seeker.LIMIT`, or too much room; or there is nobody to look. */
  | { readonly _tag: "GivenUp"; readonly reason: Exclude<FindClient.FindOutcome, FindPattern.FindResult> }
  | ({ readonly _tag: "Found" } & FindPattern.FindResult)

export const query = externalField<FindPattern.FindQuery>({
  text: "",
  matchCase: false,
  wholeWord: false,
  isRegex: false
})
export const findState = externalField<FindState>({ _tag: "Nothing" })
export const isOpen = externalField(false)

/** Opens the panel, or goes to it. It has `typed`, or what is selected, or what was looked for before. */
export const open = (view: EditorView, typed?: string): true => {
  if (!isOpen.of(view.state)) view.dispatch({ effects: isOpen.set(true) })
  const input = view.dom.querySelector<HTMLInputElement>(".find input")
  if (input !== null) {
    const text = typed ?? selected(view.state)
    if (text !== undefined) {
      input.value = text
      input.dispatchEvent(new Event("input"))
    }
    input.focus()
    if (typed === undefined) input.select()
  }
  return true
}

export const close = (view: EditorView): true => {
  view.dispatch({ effects: isOpen.set(false) })
  view.focus()
  return true
}

/** Looks for something else once the typing rests, and goes to the first of it from where the reader is. */
export const setQuery = (view: EditorView, sought: FindPattern.FindQuery): void => view.plugin(looking)?.look(sought)

/** To the next match (1) or the one before (-1), once it is known. Where nothing is looked for, to the panel. */
export const step =
  (by: 1 | -1) =>
  (view: EditorView): true => {
    const { main } = view.state.selection
    if (view.plugin(looking)?.later(by) === true) return true
    const ranges = found(view.state)
    const index = TextRanges.next(ranges, main, by)
    if (index !== undefined) select(view, ranges, index)
    else if (query.of(view.state).text === "") open(view)
    return true
  }

const looking = ViewPlugin.fromClass(
  class {
    readonly view: EditorView
    readonly seeker: FindClient.FindClient
    /** Until the typing rests; and until it is said that somebody looks. */
    pause: number | undefined
    patience: number | undefined
    /** Steps from the first match to come, while there is one to come. */
    ahead: number | undefined

    constructor(view: EditorView) {
      this.view = view
      this.seeker = FindClient.make(() => view.state.doc.toString())
    }

    look(sought: FindPattern.FindQuery) {
      this.stop()
      const pattern = FindPattern.compile(sought)
      this.view.dispatch({ effects: query.set(sought) })
      if (pattern === undefined || sought.text === "") {
        this.tell({ _tag: pattern === undefined ? "Wrong" : "Nothing" })
      } else {
        this.ahead = 0
        this.pause = window.setTimeout(() => this.seek(pattern), PAUSE)
      }
    }

    /** Whether a step waits for what is looked for: what is there is of something else. */
    later(by: 1 | -1): boolean {
      if (this.ahead === undefined) return false
      this.ahead += by
      return true
    }

    seek(pattern: RegExp) {
      this.patience = window.setTimeout(() => this.tell({ _tag: "Looking" }), PATIENCE)
      this.seeker.find(pattern, (answer) => {
        const { ahead = 0 } = this
        this.ahead = undefined
        clearTimeout(this.patience)
        if (typeof answer === "string") return this.tell({ _tag: "GivenUp", reason: answer })
        this.tell({ _tag: "Found", ...answer })
        // Whoever has closed the panel reads on where they are.
        if (!isOpen.of(this.view.state)) return
        const { from } = this.view.state.selection.main
        const index = TextRanges.next(answer.ranges, { from, to: from }, 1)
        const all = TextRanges.count(answer.ranges)
        if (index === undefined) this.view.dispatch({ selection: { anchor: from } })
        else select(this.view, answer.ranges, (((index + ahead) % all) + all) % all)
      })
    }

    tell(told: FindState) {
      this.view.dispatch({ effects: findState.set(told) })
    }

    /** What was looked for before is of no interest. */
    stop() {
      clearTimeout(this.pause)
      clearTimeout(this.patience)
      this.ahead = undefined
      this.seeker.cancel()
    }

    destroy() {
      this.stop()
      this.seeker.close()
    }
  }
)

/** Milliseconds without a key after which matches are looked for, and after which it is said that they still are. */
const PAUSE = 80
const PATIENCE = 200

/** What is selected, where that is something to look for. */
const selected = ({ doc, selection: { main } }: EditorState): string | undefined =>
  main.empty || main.to - main.from > 200 || doc.lineAt(main.from).to < main.to
    ? undefined
    : doc.sliceString(main.from, main.to)

const found = (state: EditorState): TextRanges.TextRanges => {
  const told = findState.of(state)
  return told._tag === "Found" ? told.ranges : TextRanges.empty
}

const select = (view: EditorView, ranges: TextRanges.TextRanges, index: number): void => {
  const { from, to } = TextRanges.at(ranges, index) ?? view.state.selection.main
  view.dispatch({
    selection: { anchor: from, head: to },
    effects: EditorView.scrollIntoView(from, { y: "center" })
  })
}

export const findInFile: Extension = [
  query.field,
  findState.field,
  isOpen.field,
  looking,
  viewportDecorations(
    (state, from, to, draw) => {
      if (isOpen.of(state)) TextRanges.addDecorations(found(state), state.selection.main, { from, to }, "found", draw)
    },
    (update) => update.selectionSet || findState.has(update) || isOpen.has(update)
  ),
  Prec.high(
    keymap.of([
      { key: "Escape", run: (view) => isOpen.of(view.state) && close(view) },
      { key: "Mod-g", run: step(1), shift: step(-1), preventDefault: true },
      { key: "F3", run: step(1), shift: step(-1), preventDefault: true }
    ])
  )
]
