/**
 * Relations between operations, derived from the contract: the detail that a row opens, the screens below an item, and
 * the writing operations of an item.
 */
import * as Args from "./Arguments.ts"
import { type CatalogEntry, allEntries, resultSchemas } from "./CatalogEntry.ts"
import * as Presentation from "./Presentation.ts"

export { type Arguments, argumentsOf, type Input, input, isAddressed, isList, requiredPath } from "./Arguments.ts"
export { type Call, current, inverse, isReversible, needsConfirmation, readBefore, recreation } from "./Inverse.ts"

/** The subject of a top-level screen: the signed-in user and the forge, an account, a repository, and so on. */
export type Place = "user" | "account" | "repository" | "organization" | "enterprise"

/** A writing operation of a screen, and its target: the selected item, or the list or place. */
export interface Write {
  readonly entry: CatalogEntry
  readonly target: "item" | "collection"
}

/** Path parameters of each place, in the order in which a path is matched. */
export const placeParameters: Readonly<Record<Place, ReadonlyArray<string>>> = {
  repository: ["owner", "repo"],
  organization: ["org"],
  enterprise: ["enterprise"],
  account: ["username"],
  user: []
}

const placeNames: ReadonlyArray<Exclude<Place, "user">> = ["repository", "organization", "enterprise", "account"]
const placeKeys = new Set([...Object.values(placeParameters).flat(), "user_id"])

/** Returns the place that contains what an operation reads or changes. */
export const placeOf = (entry: CatalogEntry): Place => {
  const required = Args.requiredPath(entry)
  const found = placeNames.find((place) => placeParameters[place].every((name) => required.includes(name)))
  return found ?? (required.includes("user_id") ? "account" : "user")
}

/** Returns whether an operation needs no path parameters besides the parameters of its place. */
export const isAtPlace = (entry: CatalogEntry): boolean =>
  Args.requiredPath(entry).length === placeParameters[placeOf(entry)].length

const reads = () => allEntries().filter(({ readonly }) => readonly)

const memo = <A>(derive: (entry: CatalogEntry) => A) => {
  const cache = new WeakMap<CatalogEntry, A>()
  return (entry: CatalogEntry): A => {
    const known = cache.get(entry)
    if (known !== undefined) return known
    const made = derive(entry)
    cache.set(entry, made)
    return made
  }
}

/** Returns the operation that shows a place, for example `repositories.get`; undefined for an enterprise. */
export const home = (place: Place): CatalogEntry | undefined =>
  reads().find(
    (entry) =>
      placeOf(entry) === place &&
      isAtPlace(entry) &&
      !Args.isList(entry) &&
      Presentation.declaration(resultSchemas(entry)) !== undefined &&
      placeParameters[place].every((name) => name in Args.given(entry))
  )

const itemDeclaration = (entry: CatalogEntry) => Presentation.declaration(Args.itemSchemas(entry))

/** Returns whether an item of `entry` is a place, for example a repository, rather than something that has a link to one. */
const isPlace = (entry: CatalogEntry, place: Place): boolean => {
  const declared = itemDeclaration(entry)
  const shown = home(place)
  if (declared === undefined) return false
  if (shown !== undefined && Presentation.isSameResource(declared, itemDeclaration(shown))) return true
  const paths = placeParameters[place].map((name) => declared.arguments?.[name])
  const identity = declared.identity ?? []
  return paths.length > 0 && identity.length === paths.length && identity.every((path) => paths.includes(path))
}

/**
 * Returns whether the path of an operation is known on an item of `entry`. A member that gives an argument only for
 * items of another kind fills one place: an account is an organization or a member of one.
 */
const isReached = (entry: CatalogEntry, target: CatalogEntry): boolean => {
  const own = Args.given(entry)
  const known = new Set([...Args.requiredPathKeys(entry), ...Object.keys(own)])
  const path = Args.requiredPathKeys(target)
  const used = path.flatMap((key) => own[key] ?? []).map((one) => (typeof one === "string" ? { path: one } : one))
  return (
    path.every((key) => known.has(key)) &&
    !used.some((one) => one.when !== undefined && used.some((other) => other !== one && other.path === one.path))
  )
}

/** Returns the arguments of an item of `entry` that an operation takes. */
const taken = (entry: CatalogEntry, target: CatalogEntry): ReadonlyArray<string> => {
  const own = Args.given(entry)
  return Args.keys(target).filter((key) => key in own)
}

/** Moves the operations of a group to the front. */
const ordered = (group: string, found: ReadonlyArray<CatalogEntry>): ReadonlyArray<CatalogEntry> => [
  ...found.filter((entry) => entry.group === group),
  ...found.filter((entry) => entry.group !== group)
]

/**
 * Returns the operations that can show one item of a list: first operations with the same resource, then the operations
 * that the declaration of the resource names. The choice may depend on the item.
 */
export const details: (list: CatalogEntry) => ReadonlyArray<CatalogEntry> = memo((list) => {
  if (!Args.isList(list)) return []
  const declared = itemDeclaration(list)
  const own = reads().filter(
    (target) =>
      Presentation.isSameResource(declared, Presentation.declaration(resultSchemas(target))) &&
      isReached(list, target) &&
      taken(list, target).length > 0
  )
  const opened = (declared?.opens ?? []).flatMap(
    (name) => allEntries().find((entry) => `${entry.group}.${entry.name}` === name) ?? []
  )
  return [...ordered(list.group, own), ...opened.filter((target) => isReached(list, target))]
})

/**
 * Returns the operation that shows one item of a list; with the arguments of an item, the first operation that fits the
 * arguments.
 */
export const detail = (list: CatalogEntry, known?: Args.Arguments): CatalogEntry | undefined =>
  details(list).find((target) => known === undefined || Args.isAddressed(target, known))

/**
 * Returns the further operations that show something of an item of a list, or of a resource. The arguments of a certain
 * item may not suffice for every operation: check with `isAddressed`.
 */
export const children: (entry: CatalogEntry) => ReadonlyArray<CatalogEntry> = memo((entry) => {
  const shown = [entry, ...details(entry)]
  const declared = itemDeclaration(entry)
  const found = reads().filter((target) => {
    if (shown.includes(target) || !isReached(entry, target)) return false
    if (Presentation.isSameResource(declared, Presentation.declaration(resultSchemas(target)))) return false
    const keys = taken(entry, target)
    if (keys.some((key) => !placeKeys.has(key))) return true
    return keys.length > 0 && (home(placeOf(target)) === target || isPlace(entry, placeOf(target)))
  })
  return ordered(entry.group, found)
})

const paths = ({ endpoint, operation }: CatalogEntry): ReadonlyArray<string> => [
  endpoint.path,
  ...(operation.alsoAt === undefined ? [] : [operation.alsoAt])
]

const isSamePath = (one: CatalogEntry, other: CatalogEntry) => paths(one).some((path) => paths(other).includes(path))

const parent = ({ endpoint }: CatalogEntry) => endpoint.path.slice(0, endpoint.path.lastIndexOf("/"))

const endsInParameter = ({ endpoint }: CatalogEntry) => /\/:\w+$/u.test(endpoint.path)

const placeWith = (key: string): Place => placeNames.find((place) => placeParameters[place].includes(key)) ?? "account"

/**
 * Returns whether a writing operation takes an argument of an item of `entry`, and knows the rest of the path. If some
 * resource declares an argument for the body, only resources with this declaration count: a comment has the path of a
 * file, but is not a file.
 */
const isItemWrite = (entry: CatalogEntry, target: CatalogEntry): boolean => {
  const keys = taken(entry, target)
  if (keys.length === 0 || !isReached(entry, target)) return false
  const body = Args.bodyKeys(target)
  if (body.length > 0 && !body.some((key) => keys.includes(key))) return false
  if (keys.some((key) => !placeKeys.has(key))) return true
  return endsInParameter(target) && keys.some((key) => isPlace(entry, placeWith(key)))
}

/** Screens that a writing operation changes as a whole. The first rule that finds some applies. */
const collectionRules: ReadonlyArray<(entry: CatalogEntry, target: CatalogEntry) => boolean> = [
  // The list or setting at the same path, or the list whose items are written with PUT, each at an own path.
  (entry, target) =>
    isSamePath(entry, target) ||
    (isCreation(target) && endsInParameter(target) && entry.endpoint.path === parent(target)),
  // A resource without a list.
  (entry, target) => entry.group === target.group && parent(entry) === target.endpoint.path,
  // Settings beside a resource, such as the token of an installation.
  (entry, target) => entry.group === target.group && isAtPlace(target) && parent(entry) === parent(target)
]

const isCreation = ({ operation }: CatalogEntry) => operation.effect === "create"

const collections = memo((target) =>
  collectionRules.reduce<ReadonlyArray<CatalogEntry>>(
    (found, rule) => (found.length > 0 ? found : reads().filter((entry) => rule(entry, target))),
    []
  )
)

/** Returns whether no item and no list has a writing operation. The operation then belongs to its place. */
const isOfPlace = memo(
  (target) => collections(target).length === 0 && !reads().some((entry) => isItemWrite(entry, target))
)

/**
 * Returns the writing operations that apply to the item or resource of a screen, or to the list or place: first those of
 * the screen's group, last those of other groups that only administrators may run.
 */
export const writes: (entry: CatalogEntry) => ReadonlyArray<Write> = memo((entry) => {
  const found = allEntries().flatMap((target): ReadonlyArray<Write> => {
    if (target.readonly) return []
    const isCollection = collections(target).includes(entry)
    const isItem = isItemWrite(entry, target) && !(isCollection && isCreation(target) && Args.isList(entry))
    if (isItem || (isOfPlace(target) && home(placeOf(target)) === entry)) return [{ entry: target, target: "item" }]
    return isCollection ? [{ entry: target, target: "collection" }] : []
  })
  const isOwn = (write: Write) => write.entry.group === entry.group
  const rank = (write: Write) => (isOwn(write) ? 0 : write.entry.operation.access === "administer" ? 2 : 1)
  return found.toSorted((a, b) => rank(a) - rank(b))
})
