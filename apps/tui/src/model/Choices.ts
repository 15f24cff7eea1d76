/**
 * The items of the palette: actions of the selected item, screens of this place, all screens, operations and commands.
 */
import { allEntries, type CatalogEntry, findEntry } from "@tongs/core/contract/CatalogEntry"
import { toKebabCase } from "@tongs/core/contract/Operation"
import * as Relations from "@tongs/core/contract/Relations"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as KeyBindings from "../actions/KeyBindings.ts"
import type { OperationAction } from "../actions/Operations.ts"
import * as Route from "../content/Route.ts"
import * as Places from "../screens/Places.ts"
import * as Registry from "../screens/Registry.ts"
import { type Screen, text } from "../screens/Screen.ts"
import * as Verbs from "../screens/Verbs.ts"
import * as OperationFlow from "./OperationFlow.ts"
import * as Palette from "./Palette.ts"
import * as State from "./State.ts"
import * as Titles from "./Titles.ts"
import * as Viewport from "./Viewport.ts"
import type { ExternalState } from "./Viewport.ts"

/** Returns the actions of the visible screen as items: the verbs that apply, then the operations without a verb. */
export const actions = (state: State.State, external: ExternalState): ReadonlyArray<Palette.Item> => {
  const known = knownOf(state, external)
  const operations = operationItems(state, external)
  const verbs = Verbs.all
    .filter((verb) => verb.on !== "anything" && Verbs.applies(verb, known))
    .map((verb) => verbItem(verb, state, external, known))
  const named = new Set(verbs.map(operationOf))
  const keys = new Map(operations.map((item) => [operationOf(item), item.key]))
  const withKeys = verbs.map((item) => {
    const key = keys.get(operationOf(item)) ?? ""
    // The key of an operation belongs to the first verb of the operation.
    keys.delete(operationOf(item))
    return item.key === "" ? { ...item, key } : item
  })
  return [...withKeys, ...operations.filter((item) => !named.has(operationOf(item)))]
}

/** Returns an operation as the first verb that applies to the selected item; undefined without such a verb. */
export const verbOf = (
  state: State.State,
  external: ExternalState,
  entry: CatalogEntry
): OperationAction | undefined => {
  if (State.position(state).marked.size > 1) return undefined
  const known = knownOf(state, external)
  const verb = Verbs.all.find(
    (verb) =>
      verb.deed._tag === "Operation" &&
      verb.deed.operation === `${entry.group}.${entry.name}` &&
      Verbs.applies(verb, known)
  )
  const choice = verb && choiceOf(verb, known.values)
  return choice?._tag === "Operation" ? choice.action : undefined
}

const operationOf = ({ choice }: Palette.Item): string | undefined =>
  choice._tag === "Operation" ? `${choice.action.entry.group}.${choice.action.entry.name}` : undefined

const operationItems = (state: State.State, external: ExternalState): ReadonlyArray<Palette.Item> =>
  OperationFlow.actions(state, external).map((action) => {
    const [first, ...others] = OperationFlow.targets(state, external, action)
    const target = others.length > 0 ? `${others.length + 1} items` : (first?.title ?? "")
    return {
      label: action.label,
      detail: (action.on === "item" ? target : Titles.placeName(State.route(state))) || groupName(action.entry),
      ...wordsOf(action.entry),
      key: keyOf(external, action.command),
      unavailable: OperationFlow.unavailable(state, external, action),
      choice: { _tag: "Operation", action }
    }
  })

const keyOf = ({ keys }: ExternalState, command: KeyBindings.CommandId | undefined): string =>
  command === undefined
    ? ""
    : (keys.commands.find(({ id }) => id === command)?.keys ?? []).map(KeyBindings.label).join(" ")

const verbItem = (verb: Verbs.Verb, state: State.State, external: ExternalState, known: Verbs.Known): Palette.Item => {
  const { deed } = verb
  const isSingle = deed._tag === "Operation" && deed.values !== undefined
  const isWrite = deed._tag === "Operation" || (deed._tag === "Command" && deed.command === "modify")
  const missing = Verbs.applies(verb, known)
    ? isSingle && State.position(state).marked.size > 1
      ? "works on one item. Press Esc to clear the marks"
      : undefined
    : `select a ${verb.on} first`
  return {
    label: verb.label,
    detail: detailOf(verb, known.values),
    words: verb.words,
    key: deed._tag === "Command" ? keyOf(external, deed.command) : "",
    unavailable: isWrite && external.isReadOnly ? "read-only mode" : missing,
    choice: choiceOf(verb, known.values)
  }
}

/** Names the item that a verb concerns. */
const detailOf = ({ on }: Verbs.Verb, values: Route.Arguments): string => {
  switch (on) {
    case "anything":
      return ""
    case "repository":
      return [text(values, "owner"), text(values, "repo")].filter(Boolean).join("/")
    case "file":
      return text(values, "path")
    case "commit":
      return AbbreviatedId.of(text(values, "sha"))
    case "branch":
      return text(values, "branch")
    case "tag":
      return text(values, "tag")
  }
}

const choiceOf = ({ deed, label }: Verbs.Verb, values: Route.Arguments): Palette.Choice => {
  if (deed._tag === "Command") return { _tag: "Command", command: deed.command }
  if (deed._tag === "Open") return { _tag: "Route", route: deed.route(values) }
  const entry = findEntry(deed.operation)
  // A verb of an operation that the contract does not have is a bug, which the test of the table finds.
  if (entry === undefined) throw new Error(`${deed.operation} is no operation`)
  return {
    _tag: "Operation",
    action: { entry, label, on: "item", command: undefined, ...(deed.values && { values: deed.values(values) }) }
  }
}

/** Returns all items, first the items about the visible screen. Items of the API without words of people are last. */
export const all = (
  state: State.State,
  external: ExternalState,
  profiles: ReadonlyArray<string>
): ReadonlyArray<Palette.Item> => {
  const known = knownOf(state, external)
  const own = actions(state, external)
  const [general, specific] = partition(Verbs.all, ({ on }) => on === "anything")
  const others = specific.filter((verb) => !Verbs.applies(verb, known))
  const item = (verb: Verbs.Verb) => verbItem(verb, state, external, known)
  const ownOperations = new Set(OperationFlow.actions(state, external).map(({ entry }) => entry))
  const here = Places.tabLabel(State.route(state).screen)?.place
  const screens = Registry.all().map((screen) => screenItem(screen, known.values))
  const [named, derived] = partition(screens, (item) => item.isOfApi !== true)
  const [open, asking] = partition(named, ({ choice }) => choice._tag === "Route")
  const [ofPlace, elsewhere] = partition(open, (item) => tabOf(item)?.place === here)
  const operations = allEntries()
    .filter((entry) => !entry.readonly && !ownOperations.has(entry))
    .map((entry): Palette.Item => ({
      label: entry.operation.summary,
      detail: groupName(entry),
      ...wordsOf(entry),
      key: "",
      unavailable: external.isReadOnly ? "read-only mode" : undefined,
      choice: {
        _tag: "Operation",
        action: { entry, label: entry.operation.summary, on: "collection", command: undefined }
      }
    }))
  const [worded, unworded] = partition(operations, (item) => item.isOfApi !== true)
  const ofVerbs = new Set(Verbs.all.flatMap(({ deed }) => (deed._tag === "Command" ? [deed.command] : [])))
  const commands = external.keys.commands
    .filter(({ id }) => !/^tab\d$/.test(id) && id !== "palette" && !ofVerbs.has(id))
    .map((command): Palette.Item => ({
      label: command.label,
      detail: "command",
      id: command.id,
      key: command.keys.map(KeyBindings.label).join(" "),
      unavailable: undefined,
      choice: { _tag: "Command", command: command.id }
    }))
  const ofProfiles = profiles.map((name): Palette.Item => ({
    label: `switch to profile ${name}`,
    detail: "profile",
    words: "sign in as another account, log in, other forge",
    key: "",
    unavailable: undefined,
    choice: { _tag: "Profile", name }
  }))
  const all = [
    ...own,
    ...ofPlace.toSorted((a, b) => (tabOf(a)?.index ?? 0) - (tabOf(b)?.index ?? 0)),
    ...general.map(item),
    ...elsewhere,
    ...asking,
    ...worded,
    ...ofProfiles,
    ...others.map(item),
    ...commands,
    ...derived,
    ...unworded
  ]
  const ranks = new Map(state.recentChoices.map((id, index) => [id, index]))
  const rankOf = ({ choice }: Palette.Item) => ranks.get(Palette.idOf(choice)) ?? Infinity
  const recent = all.filter((item) => rankOf(item) < Infinity).toSorted((a, b) => rankOf(a) - rankOf(b))
  return [...recent.map((item) => ({ ...item, isRecent: true })), ...all.filter((item) => rankOf(item) === Infinity)]
}

const partition = <A>(
  all: ReadonlyArray<A>,
  isFirst: (each: A) => boolean
): readonly [ReadonlyArray<A>, ReadonlyArray<A>] => [all.filter(isFirst), all.filter((each) => !isFirst(each))]

const tabOf = ({ choice }: Palette.Item): Places.TabLabel | undefined =>
  choice._tag === "Route" ? Places.tabLabel(choice.route.screen) : undefined

/** Returns the name of a group as words: `repository hooks`. */
const groupName = ({ group }: CatalogEntry): string => toKebabCase(group).replaceAll("-", " ")

/** Returns the words and the id that find an operation. An operation without words of people belongs to the API. */
const wordsOf = (entry: CatalogEntry): Pick<Palette.Item, "words" | "id" | "isOfApi"> => ({
  words: entry.operation.words ?? "",
  id: `${entry.group}.${entry.name}`,
  isOfApi: entry.operation.words === undefined
})

/** Returns the arguments of the visible screen, of its resource and of the selected item. */
export const knownArguments = (state: State.State, external: ExternalState): Route.Arguments => ({
  ...Viewport.documentArguments(external),
  ...State.route(state).arguments,
  ...Viewport.selectedRow(state, external)?.arguments,
  ...Viewport.selectedLine(state, external)?.arguments
})

/** Returns the arguments of the visible screen and of the selected item, for verbs. */
export const knownOf = (state: State.State, external: ExternalState): Verbs.Known => {
  const value = Viewport.selectedRow(state, external)?.value
  return {
    values: knownArguments(state, external),
    isFolder: typeof value === "object" && value !== null && "type" in value && value.type === "dir"
  }
}

const screenItem = (screen: Screen, known: Route.Arguments): Palette.Item => {
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
  const asks = `asks for ${missing.map((name) => name.replaceAll("_", " ")).join(", ")}`
  const words = screen.entry?.operation.words
  const isOfApi = (tab?.isOfApi ?? screen.entry !== undefined) && words === undefined
  return {
    label: isOfApi ? (screen.entry?.operation.summary ?? screen.label) : (tab?.label ?? screen.label),
    detail: [isOfApi ? "API" : "", isOpen ? shown || (tab?.place ?? "") : [tab?.place, asks].filter(Boolean).join(", ")]
      .filter(Boolean)
      .join(", "),
    words: [screen.label, screen.entry?.operation.summary, words].filter(Boolean).join(", "),
    id: screen.id,
    isOfApi,
    key: "",
    unavailable: isOpen || canAsk ? undefined : `needs ${missing.join(" and ")}`,
    choice: isOpen ? { _tag: "Route", route: Route.make(screen.id, values) } : { _tag: "Screen", screen }
  }
}
