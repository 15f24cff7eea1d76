/** The palette: all screens and actions that are available here, found by typing. */
import * as FuzzyMatch from "../text/FuzzyMatch.ts"
import type { OperationAction } from "../actions/Operations.ts"
import type { CommandId } from "../actions/KeyBindings.ts"
import type { Route } from "../content/Route.ts"
import type { Screen } from "../screens/Screen.ts"

/** The effect of choosing an item. */
export type Choice =
  | { readonly _tag: "Command"; readonly command: CommandId }
  | { readonly _tag: "Operation"; readonly action: OperationAction }
  | { readonly _tag: "Route"; readonly route: Route }
  /** Opens a screen after asking for missing arguments. */
  | { readonly _tag: "Screen"; readonly screen: Screen }
  | { readonly _tag: "Profile"; readonly name: string }

export interface Item {
  readonly label: string
  /** The target, place or group, which distinguishes the item from items with the same label. */
  readonly detail: string
  /** Further words that find the item, for example the name of the operation. */
  readonly aliases?: string
  /** True if the item was chosen recently. */
  readonly isRecent?: boolean
  /** The key that does the same; empty without a key. */
  readonly key: string
  /** The reason why the item cannot be chosen. */
  readonly unavailable: string | undefined
  readonly choice: Choice
}

/**
 * Returns the items that match the text, best first. Unavailable items are last. Labels that contain the whole text
 * come first, so that a short name in the tabs is found before longer texts; then recent items.
 */
export const filter = (items: ReadonlyArray<Item>, text: string): ReadonlyArray<Item> => {
  const wanted = text.trim().toLowerCase()
  const found = FuzzyMatch.filter(items, text, ({ aliases = "", detail, label }) => `${label} ${detail} ${aliases}`)
  const ranks = new Map(found.map((item) => [item, rank(item, wanted)]))
  return found.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0))
}

const rank = ({ aliases = "", isRecent, label, unavailable }: Item, wanted: string): number => {
  const name = label.toLowerCase()
  const inAliases = aliases.toLowerCase().includes(wanted) ? 2 : 3
  const match = wanted === "" || name === wanted ? 0 : name.includes(wanted) ? 1 : inAliases
  return (unavailable === undefined ? 0 : 10) + match * 2 + (isRecent === true ? 0 : 1)
}

/** Returns the id of a choice, for the list of recent choices in the session. */
export const idOf = (choice: Choice): string => {
  switch (choice._tag) {
    case "Command":
      return choice.command
    case "Operation":
      return `${choice.action.entry.group}.${choice.action.entry.name}`
    case "Route":
      return choice.route.screen
    case "Screen":
      return choice.screen.id
    case "Profile":
      return `profile ${choice.name}`
  }
}

/** Maximum number of recent choices. */
const MAX_RECENT = 12

/** Adds a choice to the recent choices, of which the first element is the latest. */
export const remember = (recent: ReadonlyArray<string>, choice: Choice): ReadonlyArray<string> =>
  [idOf(choice), ...recent.filter((id) => id !== idOf(choice))].slice(0, MAX_RECENT)
