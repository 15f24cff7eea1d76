/**
 * The operations of the contract as actions: the operations of a screen, the targets, and why an operation is
 * unavailable.
 */
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import type { Access } from "@tongs/core/contract/Operation"
import * as RateLimitCost from "@tongs/core/limits/RateLimitCost"
import * as Relations from "@tongs/core/contract/Relations"
import type { Arguments } from "../content/Route.ts"
import type { CommandId } from "./KeyBindings.ts"

/** The resource that an operation changes. */
export interface Target {
  /** Distinguishes the target from the other targets. */
  readonly id: string
  /** The name of the target in confirmations. */
  readonly title: string
  /** Arguments of the screen and of the item. */
  readonly arguments: Arguments
  /** The resource as the forge sent it; undefined until the resource is loaded. */
  readonly value: unknown
}

/** An operation that the user can run on the current screen. */
export interface OperationAction {
  readonly entry: CatalogEntry
  /** The name in windows and messages: a verb, or the summary of the operation. */
  readonly label: string
  /** Values for the input besides those of the target, for example the prefix of a new branch. */
  readonly values?: Arguments
  /** `item`: the selected or marked items. `collection`: the list or the place. */
  readonly on: "item" | "collection"
  /** The command whose key runs the operation. */
  readonly command: CommandId | undefined
}

/** Returns the label of an operation as the title of a window. */
export const titleOf = ({ label }: Pick<OperationAction, "label">): string =>
  label.charAt(0).toUpperCase() + label.slice(1)

const commandOf: Readonly<Record<CatalogEntry["operation"]["effect"], CommandId | undefined>> = {
  read: undefined,
  create: "create",
  update: "modify",
  delete: "delete",
  trigger: "trigger"
}

/**
 * Returns the operations of a screen. The first operation of each effect gets the key of the effect, items before
 * lists.
 */
export const of = (screen: CatalogEntry | undefined): ReadonlyArray<OperationAction> => {
  if (screen === undefined) return []
  const all = Relations.writes(screen).toSorted((a, b) => rank(a.target) - rank(b.target))
  const taken = new Set<CommandId>()
  return all.map(({ entry, target }) => {
    const wanted = commandOf[entry.operation.effect]
    const command = wanted === undefined || taken.has(wanted) ? undefined : wanted
    if (command !== undefined) taken.add(command)
    return { entry, label: entry.operation.summary, on: target, command }
  })
}

const rank = (target: "item" | "collection") => (target === "item" ? 0 : 1)

/** Facts that decide whether an operation is available. */
export interface Availability {
  readonly isReadOnly: boolean
  /** The targets that the operation would have. */
  readonly targets: ReadonlyArray<Target>
  /** The reason why the forge has refused this operation before, if any. */
  readonly refusal: string | undefined
}

/** Returns the reason why an operation is unavailable; undefined for an available operation. */
export const unavailable = (
  action: OperationAction,
  { isReadOnly, refusal, targets }: Availability
): string | undefined => {
  if (isReadOnly) return "read-only mode"
  if (targets.length === 0) return "select an item"
  if (refusal !== undefined) return refusal
  const lacking = permissionProblem(action.entry, targets)
  return lacking
}

/** Returns the permission that the account lacks, by the permissions in the repository that the screen has loaded. */
const permissionProblem = ({ operation }: CatalogEntry, targets: ReadonlyArray<Target>): string | undefined => {
  const [value] = targets.map(({ value }) => value)
  const permissions = isRecord(value) && isRecord(value.permissions) ? value.permissions : undefined
  if (permissions === undefined) return undefined
  const [permission, problem] = demands[operation.access] ?? []
  return permission !== undefined && permissions[permission] === false ? problem : undefined
}

/** The permission that the account needs for an operation, and the problem without this permission. */
const demands: Partial<Record<Access, readonly [permission: string, problem: string]>> = {
  triage: ["triage", "needs the triage role"],
  write: ["push", "needs write access"],
  maintain: ["maintain", "needs the maintain role"],
  administer: ["admin", "needs the role of an administrator"]
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Describes the cost of an operation on `count` targets. */
export const cost = (entry: CatalogEntry, count: number): string => {
  const points = RateLimitCost.pointsOf(entry) * count
  const requests = count === 1 ? "1 request" : `${count} requests`
  return entry.operation.resource === "none" ? requests : `${requests}, ${points} points of the secondary limit`
}
