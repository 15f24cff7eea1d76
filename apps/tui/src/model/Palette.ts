/** The palette: all screens and actions that can be reached from here, found by typing. */
import * as FuzzyMatch from "../text/FuzzyMatch.ts"
import type { OperationAction } from "../actions/Operations.ts"
import type { CommandId } from "../actions/KeyBindings.ts"
import type { Route } from "../content/Route.ts"
import type { Screen } from "../screens/Screen.ts"

/** What choosing an item does. */
export type Choice =
  | { readonly _tag: "Command"; readonly command: CommandId }
  | { readonly _tag: "Operation"; readonly action: OperationAction }
  | { readonly _tag: "Route"; readonly route: Route }
  /** Opens a screen after asking for its missing arguments. */
  | { readonly _tag: "Screen"; readonly screen: Screen }
  | { readonly _tag: "Profile"; readonly name: string }

/** An item of the palette. */
export interface Item {
  readonly label: string
  /** What the item is, for example `screen` or the name of a group. */
  readonly detail: string
  /** The key that does the same; empty if there is none. */
  readonly key: string
  /** The reason why the item cannot be chosen. */
  readonly unavailable: string | undefined
  readonly choice: Choice
}

/** Returns the items that match the text, best first. Labels that contain the whole text come before all others. */
export const filter = (items: ReadonlyArray<Item>, text: string): ReadonlyArray<Item> => {
  const found = FuzzyMatch.filter(items, text, ({ detail, label }) => `${label} ${detail}`)
  const wanted = text.trim().toLowerCase()
  if (wanted === "") return found
  const rank = ({ label }: Item) => (label.toLowerCase() === wanted ? 0 : label.toLowerCase().includes(wanted) ? 1 : 2)
  return found.toSorted((a, b) => rank(a) - rank(b))
}
