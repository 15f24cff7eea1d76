/** OAuth scopes, which limit classic and OAuth tokens. Other tokens have permissions instead. */
import type { CatalogEntry } from "./CatalogEntry.ts"

/** Maximum number of scopes read from a header. */
const MAX_SCOPES = 100

/** A scope, or permissions such as `contents=write;workflows=write`. Other text of a forge is not shown as a name. */
const namePattern = /^[\w:=;.-]{1,100}$/

/** Returns the scopes or permissions in a header, for example in `x-oauth-scopes`. */
export const parse = (header: string | undefined): ReadonlyArray<string> =>
  (header ?? "")
    .split(",", MAX_SCOPES)
    .map((name) => name.trim())
    .filter((name) => namePattern.test(name))

/** Returns a scope and the included scopes. */
const included = (scope: string): ReadonlyArray<string> => {
  if (scope === "user") return ["user", "read:user", "user:email", "user:follow"]
  if (scope === "repo") return ["repo", "public_repo", "repo:status", "repo_deployment"]
  const [level, rest] = scope.split(":", 2)
  if (rest === undefined) return [scope]
  if (level === "admin") return [scope, `write:${rest}`, `read:${rest}`]
  return level === "write" ? [scope, `read:${rest}`] : [scope]
}

/** Returns true if a granted scope is accepted or includes an accepted one. Also true if `accepted` is empty. */
export const suffice = (granted: ReadonlyArray<string>, accepted: ReadonlyArray<string>): boolean =>
  accepted.length === 0 || accepted.some((scope) => grantsOf(granted).has(scope))

/** Granted scopes and all scopes that these include. A token has the same array in all requests. */
const grants = new WeakMap<ReadonlyArray<string>, ReadonlySet<string>>()

const grantsOf = (granted: ReadonlyArray<string>): ReadonlySet<string> => {
  const known = grants.get(granted)
  if (known !== undefined) return known
  const all = new Set(granted.flatMap(included))
  grants.set(granted, all)
  return all
}

/**
 * Returns the scopes of which the token needs one to see the private items of a list or search. Empty if the token has
 * one of the scopes, if the scopes of the token are unknown, or for a list of one repository, which is complete or
 * fails.
 */
export const hiddenBehind = (
  { fields, operation: { privateScopes } }: Pick<CatalogEntry, "fields" | "operation">,
  granted: ReadonlyArray<string> | undefined
): ReadonlyArray<string> =>
  granted === undefined ||
  suffice(granted, privateScopes) ||
  fields.some((field) => field.in === "path" && field.name === "repo")
    ? []
    : privateScopes
