/** Names of operations in the forms that agents write: an id, a tool, a command, or a method and path. */
import { allEntries, type CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import type { Operation } from "@tongs/core/contract/Operation"
import * as Words from "../text/Words.ts"

/** Returns the id of an operation, for example `gitRefs.get`. */
export const idOf = ({ group, name }: CatalogEntry): string => `${group}.${name}`

/** Returns the method and path of an operation, for example `GET /repos/{owner}/{repo}`. */
export const routeOf = ({ endpoint }: CatalogEntry): string =>
  `${endpoint.method} ${endpoint.path.replace(/:(\w+)/g, "{$1}")}`

const joined = (text: string): string => Words.split(text).join("")

/** Maximum number of characters of a name. */
const MAX_NAME = 300

/**
 * Returns the operation with this id (`branches.list`), tool name (`branches_list`), command (`branches list`) or
 * method and path, if any.
 */
export const find = (text: string): CatalogEntry | undefined => {
  if (text.length > MAX_NAME) return undefined
  const route = findRoutes(text)
  if (route.length > 0) return route.length === 1 ? route[0] : undefined
  const wanted = joined(text.replace(/^tongs /, ""))
  if (wanted === "") return undefined
  const names: ReadonlyArray<(entry: CatalogEntry) => string> = [idOf, ({ tool }) => tool, ({ command }) => command]
  for (const name of names) {
    const found = allEntries().find((entry) => joined(name(entry)) === wanted)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Returns the operations of a path, with or without a method: `PATCH /repos/{owner}/{repo}`, `/repos/:owner/:repo/hooks`
 * or `/repos/octo/hello/hooks`. The last parameter of a path may contain slashes.
 */
export const findRoutes = (text: string): ReadonlyArray<CatalogEntry> => {
  const { method, path } = routeIn(text)
  if (path === "") return []
  const segments = segmentsOf(path)
  const found = allEntries().flatMap((entry) => {
    if (method !== "" && entry.endpoint.method !== method.toUpperCase()) return []
    const score = match(segmentsOf(entry.endpoint.path), segments, entry.operation.rest)
    return score === undefined ? [] : [{ entry, score }]
  })
  const best = Math.max(...found.map(({ score }) => score))
  return found.filter(({ score }) => score === best).map(({ entry }) => entry)
}

/** Splits a method and path, or a URL, into parts. */
const routeIn = (text: string) => {
  const [, method = "", path = "", query = ""] =
    /^\s*(?:([A-Za-z]+)\s+)?(?:https?:\/\/[^/\s]+(?:\/api\/v3)?)?(\/[^\s?#]*)(?:\?([^\s#]*))?(?:#\S*)?\s*$/.exec(
      text
    ) ?? []
  return { method, path, query }
}

/** Returns the arguments in a path, for example the repository in `GET /repos/octo/hello`, and in the query. */
export const argumentsIn = (text: string, { endpoint, operation }: CatalogEntry): Readonly<Record<string, string>> => {
  const { path, query } = routeIn(text)
  const template = segmentsOf(endpoint.path)
  const segments = segmentsOf(path)
  const own = template.flatMap((name, index) => {
    const isRest = operation.rest !== false && index === template.length - 1
    const value = isRest ? segments.slice(index).join("/") : (segments[index] ?? "")
    const isPlaceholder = value === "" || value.startsWith(":") || value.startsWith("{")
    return !name.startsWith(":") || isPlaceholder ? [] : [[name.slice(1), decode(value)] as const]
  })
  return Object.fromEntries([...(path === "" ? [] : own), ...new URLSearchParams(query)])
}

/** Decodes percent encoding. Returns an invalid text unchanged. */
const decode = (text: string): string =>
  new URLSearchParams(`x=${text.replaceAll("+", "%2B").replaceAll("&", "%26")}`).get("x") ?? text

const segmentsOf = (path: string) => path.split("/").filter((segment) => segment !== "")

/** Returns the number of fixed segments that match; undefined if the paths differ. */
const match = (
  template: ReadonlyArray<string>,
  segments: ReadonlyArray<string>,
  rest: Operation["rest"]
): number | undefined => {
  const shortest = rest === "optional" ? template.length - 1 : template.length
  if (segments.length < shortest || (segments.length > template.length && rest === false)) return undefined
  let fixed = 0
  for (const [index, segment] of template.entries()) {
    if (segment.startsWith(":")) continue
    if (segment !== segments[index]) return undefined
    fixed += 1
  }
  return fixed
}
