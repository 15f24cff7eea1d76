/** The values that a window over the screen shows. `views/windows` draws them, `WindowAnnouncement` reads them. */
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { FileCommit } from "../actions/FileCommit.ts"
import type { Form } from "../actions/Form.ts"
import * as KeyBindings from "../actions/KeyBindings.ts"
import * as Operations from "../actions/Operations.ts"
import type { TextInput } from "../text/TextInput.ts"
import * as ListWindow from "./ListWindow.ts"
import type { NameCard } from "./NameCard.ts"
import * as OperationFlow from "./OperationFlow.ts"
import * as Palette from "./Palette.ts"
import type * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"
import type { ExternalState } from "./Viewport.ts"

/** The keys of all commands by section, and the notices. */
export interface Help {
  readonly _tag: "Help"
  readonly title: string
  readonly sections: ReadonlyArray<Section>
  readonly notices: ReadonlyArray<string>
  /** The first visible row. */
  readonly top: number
}

/** Commands with the names of their keys. */
export interface Section {
  readonly name: string
  readonly commands: ReadonlyArray<{ readonly keys: ReadonlyArray<string>; readonly label: string }>
}

/** Details of a name. */
export interface Card {
  readonly _tag: "Card"
  readonly title: string
  readonly card: NameCard
  /** The first visible row. */
  readonly top: number
}

/** The palette, or a menu. */
export interface Choices {
  readonly _tag: "Palette"
  readonly title: string
  readonly input: TextInput | undefined
  /** The visible items. */
  readonly items: ReadonlyArray<Palette.Item>
  /** Index of the first visible item. */
  readonly first: number
  /** Index of the selected item. */
  readonly cursor: number
  readonly selected: Palette.Item | undefined
  /** Number of items that match the input. */
  readonly count: number
}

/** The input of an operation or of a screen. */
export interface FormContent {
  readonly _tag: "Form"
  readonly title: string
  readonly target: Target | undefined
  readonly form: Form
  readonly isSending: boolean
}

/** The commit of an edited file. */
export interface Commit {
  readonly _tag: "FileCommit"
  readonly title: string
  readonly window: FileCommit
}

export interface Confirmation {
  readonly _tag: "Confirmation"
  readonly title: string
  readonly target: Target
  /** What the operation gives access to. */
  readonly consequence: string | undefined
  readonly isReversible: boolean
  /** How to undo the operation. */
  readonly hints: ReadonlyArray<string>
  /** The name to type; undefined if a key is enough. */
  readonly requiredText: string | undefined
  readonly input: TextInput
}

export interface Results {
  readonly _tag: "Results"
  readonly title: string
  readonly results: ReadonlyArray<State.OperationResult>
  readonly visible: ReadonlyArray<State.OperationResult>
  readonly done: number
  readonly failed: number
}

export type WindowContent = Help | Card | Choices | FormContent | Commit | Confirmation | Results

/** The targets and the cost of an operation. */
export interface Target {
  /** The names of the targets; empty for an operation without targets. */
  readonly names: string
  readonly cost: string
  /** The requests that are left; empty if unknown. */
  readonly budget: string
}

/** Returns true while the window waits for a response. */
export const isSending = (content: WindowContent): boolean =>
  content._tag === "Form" ? content.isSending : content._tag === "FileCommit" && content.window.isSending

/** Rows of a window that are not items: the frame, and the lines above the items. */
const PALETTE_ROWS = 4
const MENU_ROWS = 3
const RESULTS_ROWS = 4

/** Returns the number of items that fit into a window with a list. */
export const listRows = (state: State.State, overlay: State.Overlay): number => {
  const isMenu = overlay._tag === "Palette" && overlay.input === undefined
  const others = overlay._tag === "Results" ? RESULTS_ROWS : isMenu ? MENU_ROWS : PALETTE_ROWS
  return Math.max(1, Viewport.bodyRows(state) - others)
}

/** Returns the values of the open window. */
export const make = (state: State.State, external: ExternalState, overlay: State.Overlay): WindowContent => {
  switch (overlay._tag) {
    case "Help":
      return {
        _tag: "Help",
        title: "Keys",
        sections: sectionsOf(external.keys),
        notices: external.notices,
        top: overlay.top
      }
    case "Card":
      return { _tag: "Card", title: overlay.card.name.name, card: overlay.card, top: overlay.top }
    case "Palette":
      return choices(overlay, listRows(state, overlay))
    case "Form": {
      const { form, isSending, pending } = overlay
      return { _tag: "Form", title: titleOf(pending), target: targetOf(pending, external), form, isSending }
    }
    case "ScreenForm": {
      const { entry, form } = overlay
      return { _tag: "Form", title: entry.operation.summary, target: undefined, form, isSending: false }
    }
    case "FileCommit":
      return { _tag: "FileCommit", title: `Commit ${overlay.window.base.path}`, window: overlay.window }
    case "Confirmation": {
      const { input, pending, requiredText } = overlay
      return {
        _tag: "Confirmation",
        title: titleOf(pending),
        target: targetOf(pending, external),
        ...OperationFlow.riskOf(pending),
        hints: OperationFlow.restoringHint(pending, external),
        requiredText,
        input
      }
    }
    case "Results":
      return results(overlay, listRows(state, overlay))
  }
}

const titleOf = ({ action }: State.PendingOperation): string => Operations.titleOf(action)

const sectionsOf = ({ commands }: KeyBindings.KeyBindings): ReadonlyArray<Section> =>
  [...new Set(commands.map(({ section }) => section))].map((name) => ({
    name,
    commands: commands
      .filter(({ id, section }) => section === name && !/^tab[2-9]$/.test(id))
      .map(({ id, keys, label }) =>
        id === "tab1" ? { keys: ["1-9"], label: "tab 1 to 9" } : { keys: keys.map(KeyBindings.label), label }
      )
  }))

const choices = (
  { input, items, title, window }: Extract<State.Overlay, { readonly _tag: "Palette" }>,
  rows: number
): Choices => {
  const found = Palette.filter(items, input?.text ?? "")
  const { cursor, top } = ListWindow.clamp(window, found.length, rows)
  return {
    _tag: "Palette",
    title,
    input,
    items: found.slice(top, top + rows),
    first: top,
    cursor,
    selected: found[cursor],
    count: found.length
  }
}

const targetOf = ({ action, targets }: State.PendingOperation, { limits }: ExternalState): Target => {
  const titles = targets.map(({ title }) => title).filter((title) => title !== "")
  const budget = limits.status?.windows.find(({ resource }) => resource === action.entry.operation.resource)
  return {
    names:
      titles.length > 1 ? `${NumberFormat.quantity(titles.length, "item")}: ${titles.join(", ")}` : (titles[0] ?? ""),
    cost: `Costs ${Operations.cost(action.entry, targets.length)}`,
    budget: budget === undefined ? "" : `${budget.remaining} of ${budget.limit} requests left`
  }
}

const results = (
  { pending, results: all, window }: Extract<State.Overlay, { readonly _tag: "Results" }>,
  rows: number
): Results => {
  const { top } = ListWindow.scroll(window, 0, all.length, rows)
  const count = (status: State.OperationResult["status"]) => all.filter((result) => result.status === status).length
  return {
    _tag: "Results",
    title: titleOf(pending),
    results: all,
    visible: all.slice(top, top + rows),
    done: count("done"),
    failed: count("failed")
  }
}
