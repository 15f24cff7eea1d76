/**
 * The items of the palette: actions of the selected item, screens of this place, all screens, operations and commands.
 */
import { allEntries, type CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import { toKebabCase } from "@tongs/core/contract/Operation"
import * as Relations from "@tongs/core/contract/Relations"
import * as KeyBindings from "../actions/KeyBindings.ts"
import type { OperationAction } from "../actions/Operations.ts"
import * as Route from "../content/Route.ts"
import * as Places from "../screens/Places.ts"
import * as Registry from "../screens/Registry.ts"
import type { Screen } from "../screens/Screen.ts"
import * as OperationFlow from "./OperationFlow.ts"
import * as Palette from "./Palette.ts"
import * as State from "./State.ts"
import * as Titles from "./Titles.ts"
import * as Viewport from "./Viewport.ts"
import type { ExternalState } from "./Viewport.ts"

/** Returns the actions of the visible screen as items. */
export const actions = (state: State.State, external: ExternalState): ReadonlyArray<Palette.Item> =>
  OperationFlow.actions(state, external).map((action) => operationItem(state, external, action))

const operationItem = (state: State.State, external: ExternalState, action: OperationAction): Palette.Item => {
  const key = action.command === undefined ? undefined : external.keys.keyOf(action.command)
  const [first, ...others] = OperationFlow.targets(state, external, action)
  const target = others.length > 0 ? `${others.length + 1} items` : (first?.title ?? "")
  return {
    label: action.entry.operation.summary,
    detail: (action.on === "item" ? target : Titles.placeName(State.route(state))) || groupName(action.entry),
    aliases: aliasesOf(action.entry),
    key: key === undefined ? "" : KeyBindings.label(key),
    unavailable: OperationFlow.unavailable(state, external, action),
    choice: { _tag: "Operation", action }
  }
}

/** Returns all items, first the items about the visible screen. */
export const all = (
  state: State.State,
  external: ExternalState,
  profiles: ReadonlyArray<string>
): ReadonlyArray<Palette.Item> => {
  const own = actions(state, external)
  const ownOperations = new Set(OperationFlow.actions(state, external).map(({ entry }) => entry))
  const known = knownArguments(state, external)
  const here = Places.tabLabel(State.route(state).screen)?.place
  const screens = Registry.all().map((screen) => ({
    item: screenItem(screen, known),
    isHere: Places.tabLabel(screen.id)?.place === here
  }))
  const open = screens.filter(({ item }) => item.choice._tag === "Route")
  const operations = allEntries()
    .filter((entry) => !entry.readonly && !ownOperations.has(entry))
    .map((entry): Palette.Item => ({
      label: entry.operation.summary,
      detail: groupName(entry),
      aliases: aliasesOf(entry),
      key: "",
      unavailable: external.isReadOnly ? "read-only mode" : undefined,
      choice: { _tag: "Operation", action: { entry, on: "collection", command: undefined } }
    }))
  const commands = external.keys.commands
    .filter(({ id }) => !/^tab\d$/.test(id) && id !== "palette")
    .map((command): Palette.Item => ({
      label: command.label,
      detail: "command",
      aliases: command.id,
      key: command.keys.map(KeyBindings.label).join(" "),
      unavailable: undefined,
      choice: { _tag: "Command", command: command.id }
    }))
  const all = [
    ...own,
    ...open.filter(({ isHere }) => isHere).map(({ item }) => item),
    ...open.filter(({ isHere }) => !isHere).map(({ item }) => item),
    ...screens.map(({ item }) => item).filter(({ choice }) => choice._tag === "Screen"),
    ...operations,
    ...profiles.map((name): Palette.Item => ({
      label: `switch to profile ${name}`,
      detail: "profile",
      key: "",
      unavailable: undefined,
      choice: { _tag: "Profile", name }
    })),
    ...commands
  ]
  const ranks = new Map(state.recentChoices.map((id, index) => [id, index]))
  const rankOf = ({ choice }: Palette.Item) => ranks.get(Palette.idOf(choice)) ?? Infinity
  const recent = all.filter((item) => rankOf(item) < Infinity).toSorted((a, b) => rankOf(a) - rankOf(b))
  return [...recent.map((item) => ({ ...item, isRecent: true })), ...all.filter((item) => rankOf(item) === Infinity)]
}

/** Returns the name of a group as words: `repository hooks`. */
const groupName = ({ group }: CatalogEntry): string => toKebabCase(group).replaceAll("-", " ")

const aliasesOf = (entry: CatalogEntry): string => `${groupName(entry)} ${entry.group}.${entry.name}`

/** Returns the arguments of the visible screen and of the selected item. */
export const knownArguments = (state: State.State, external: ExternalState): Route.Arguments => ({
  ...State.route(state).arguments,
  ...Viewport.selectedRow(state, external)?.arguments,
  ...Viewport.selectedLine(state, external)?.arguments
})

const screenItem = (screen: Screen, known: Route.Arguments): Palette.Item => {
  const summary = screen.entry?.operation.summary ?? screen.label
  const tab = Places.tabLabel(screen.id)
  const given = screen.entry === undefined ? known : Relations.input(screen.entry, known).known
  const missing = screen.required.filter((name) => given[name] === undefined)
  const values = Object.fromEntries(screen.required.map((name) => [name, given[name]]))
  const shown = Object.values(values)
    .filter((value) => value !== undefined)
    .map(String)
    .join("/")
  const isOpen = missing.length === 0
  const canAsk = screen.entry !== undefined || screen.form !== undefined
  const asks = `asks for ${missing.join(", ")}`
  return {
    label: tab?.label ?? (screen.entry === undefined ? screen.label : summary),
    detail: isOpen ? shown || (tab?.place ?? "") : [tab?.place, asks].filter(Boolean).join(", "),
    aliases: `${summary} ${tab?.place ?? ""} ${screen.label} ${screen.id}`,
    key: "",
    unavailable: isOpen || canAsk ? undefined : `needs ${missing.join(" and ")}`,
    choice: isOpen ? { _tag: "Route", route: Route.make(screen.id, values) } : { _tag: "Screen", screen }
  }
}
