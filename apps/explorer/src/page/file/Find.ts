/** Find in file: what is looked for, and what was found, drawn in the text. `FindPanel` is what one types into. */
import { type EditorState, type Extension, Prec } from "@codemirror/state"
import { EditorView, keymap, ViewPlugin } from "@codemirror/view"
import { given, painted } from "./Painted.ts"
import * as Pattern from "./Pattern.ts"
import * as Ranges from "./Ranges.ts"
import * as Seeker from "./Seeker.ts"

/** What came of looking. */
export type Outcome =
  | { readonly _tag: "Nothing" }
  /** It is no regular expression. */
  | { readonly _tag: "Wrong" }
  | { readonly _tag: "Looking" }
  /** The pattern took longer than `Seeker.LIMIT`, or too much room; or there is nobody to look. */
  | { readonly _tag: "GivenUp"; readonly reason: Exclude<Seeker.Answer, Pattern.Found> }
  | ({ readonly _tag: "Found" } & Pattern.Found)

export const query = given<Pattern.Query>({ text: "", matchesCase: false, isWhole: false, isPattern: false })
export const outcome = given<Outcome>({ _tag: "Nothing" })
export const opened = given(false)

/** Opens the panel, or goes to it. It has `typed`, or what is selected, or what was looked for before. */
export const open = (view: EditorView, typed?: string): true => {
  if (!opened.of(view.state)) view.dispatch({ effects: opened.set(true) })
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
  view.dispatch({ effects: opened.set(false) })
  view.focus()
  return true
}

/** Looks for something else once the typing rests, and goes to the first of it from where the reader is. */
export const look = (view: EditorView, sought: Pattern.Query): void => view.plugin(looking)?.look(sought)

/** To the next match (1) or the one before (-1), once it is known. Where nothing is looked for, to the panel. */
export const step =
  (by: 1 | -1) =>
  (view: EditorView): true => {
    const { main } = view.state.selection
    if (view.plugin(looking)?.later(by) === true) return true
    const ranges = found(view.state)
    const index = Ranges.next(ranges, main, by)
    if (index !== undefined) select(view, ranges, index)
    else if (query.of(view.state).text === "") open(view)
    return true
  }

const looking = ViewPlugin.fromClass(
  class {
    readonly view: EditorView
    readonly seeker: Seeker.Seeker
    /** Until the typing rests; and until it is said that somebody looks. */
    pause: number | undefined
    patience: number | undefined
    /** Steps from the first match to come, while there is one to come. */
    ahead: number | undefined

    constructor(view: EditorView) {
      this.view = view
      this.seeker = Seeker.make(() => view.state.doc.toString())
    }

    look(sought: Pattern.Query) {
      this.stop()
      const pattern = Pattern.compile(sought)
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
      this.seeker.seek(pattern, (answer) => {
        const { ahead = 0 } = this
        this.ahead = undefined
        clearTimeout(this.patience)
        if (typeof answer === "string") return this.tell({ _tag: "GivenUp", reason: answer })
        this.tell({ _tag: "Found", ...answer })
        // Whoever has closed the panel reads on where they are.
        if (!opened.of(this.view.state)) return
        const { from } = this.view.state.selection.main
        const index = Ranges.next(answer.ranges, { from, to: from }, 1)
        const all = Ranges.count(answer.ranges)
        if (index === undefined) this.view.dispatch({ selection: { anchor: from } })
        else select(this.view, answer.ranges, (((index + ahead) % all) + all) % all)
      })
    }

    tell(told: Outcome) {
      this.view.dispatch({ effects: outcome.set(told) })
    }

    /** What was looked for before is of no interest. */
    stop() {
      clearTimeout(this.pause)
      clearTimeout(this.patience)
      this.ahead = undefined
      this.seeker.forget()
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

const found = (state: EditorState): Ranges.Ranges => {
  const told = outcome.of(state)
  return told._tag === "Found" ? told.ranges : Ranges.none
}

const select = (view: EditorView, ranges: Ranges.Ranges, index: number): void => {
  const { from, to } = Ranges.at(ranges, index) ?? view.state.selection.main
  view.dispatch({
    selection: { anchor: from, head: to },
    effects: EditorView.scrollIntoView(from, { y: "center" })
  })
}

export const finding: Extension = [
  query.field,
  outcome.field,
  opened.field,
  looking,
  painted(
    (state, from, to, draw) => {
      if (opened.of(state)) Ranges.paint(found(state), state.selection.main, { from, to }, "found", draw)
    },
    (update) => update.selectionSet || outcome.has(update) || opened.has(update)
  ),
  Prec.high(
    keymap.of([
      { key: "Escape", run: (view) => opened.of(view.state) && close(view) },
      { key: "Mod-g", run: step(1), shift: step(-1), preventDefault: true },
      { key: "F3", run: step(1), shift: step(-1), preventDefault: true }
    ])
  )
]
