/**
 * Operations of GitHub's description that this forge does not implement. The path of an unimplemented operation answers
 * 404 with a sentence that says so, to all callers, even if a path with parameters of the contract would match too.
 */
import { allEntries, type CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import { type Dialect, pathOf, vocabularies } from "@tongs/core/contract/Dialect"
import * as ApiError from "../api/ApiError.ts"
import { preceding, TABLE } from "./UnimplementedTable.ts"

export interface UnimplementedOperation {
  readonly method: string
  /** Path template, for example `/repos/{owner}/{repo}/commits/{ref}/status`. */
  readonly path: string
  /** URL of the operation's documentation. */
  readonly documentation: string
}

interface Template {
  readonly segments: ReadonlyArray<string>
  /** Index of the parameter that can contain slashes, as in a matching endpoint of the contract. */
  readonly rest: number | undefined
}

interface Row extends UnimplementedOperation, Template {}

export interface UnimplementedOperations {
  /** Finds the operation of a percent-encoded path. */
  readonly find: (method: string, path: string) => UnimplementedOperation | undefined
  /** Returns the HTTP methods that GitHub has for a path and this forge does not implement. */
  readonly methods: (path: string) => ReadonlyArray<string>
  /**
   * Creates the function that tells whether a path matched by an endpoint of the contract belongs to an unimplemented
   * operation. Undefined if no unimplemented operation has a more specific path.
   */
  readonly precedence: (entry: CatalogEntry) => ((path: string) => boolean) | undefined
}

const isParameter = (segment: string) => segment.startsWith("{") || segment.startsWith(":")

/** Returns the shape of a path, which ignores the names of parameters. */
const shapeOf = (segments: ReadonlyArray<string>) =>
  segments.map((segment) => (isParameter(segment) ? "{}" : segment)).join("/")

const split = (path: string) => path.split("/").slice(1)

/** Converts a path of the table, which has GitHub's names, to the dialect. */
const toDialect = (dialect: Dialect, path: string) => {
  if (dialect === "github") return path
  const names = new Map(Object.entries(vocabularies.github.segments).map(([service, github]) => [github, service]))
  return path
    .split("/")
    .map((segment) => names.get(segment) ?? segment)
    .join("/")
}

/** Returns the path of an endpoint, split into segments. */
const templateOf = (dialect: Dialect, entry: CatalogEntry): Template => {
  const segments = split(pathOf(dialect, entry))
  return { segments, rest: entry.operation.rest === false ? undefined : segments.findLastIndex(isParameter) }
}

/**
 * Parses the table. A line with a page of the documentation comes before the paths of the page's operations; after a
 * path come the methods, each with a section of the page.
 */
const parse = (dialect: Dialect): ReadonlyArray<Row> => {
  const stems = new Set(
    allEntries().flatMap((entry) => {
      const { rest, segments } = templateOf(dialect, entry)
      return rest === undefined ? [] : [shapeOf(segments.slice(0, rest + 1))]
    })
  )
  let page = ""
  return TABLE.trim()
    .split("\n")
    .flatMap((line) => {
      const [first = "", ...words] = line.split(" ")
      if (!first.startsWith("/")) {
        page = first
        return []
      }
      const path = toDialect(dialect, first)
      const segments = split(path)
      const rest = segments.findIndex((_, index) => stems.has(shapeOf(segments.slice(0, index + 1))))
      return Array.from({ length: words.length / 2 }, (_, index): Row => ({
        method: words[2 * index] ?? "",
        path,
        documentation: `${page.startsWith("https:") ? page : `${ApiError.DOCUMENTATION}/${page}`}#${words[2 * index + 1]}`,
        segments,
        rest: rest === -1 ? undefined : rest
      }))
    })
}

const matches = (template: ReadonlyArray<string>, parts: ReadonlyArray<string>) =>
  template.every((segment, index) => (isParameter(segment) ? parts[index] !== "" : segment === parts[index]))

const isPathOf = ({ rest, segments }: Template, parts: ReadonlyArray<string>): boolean => {
  if (rest === undefined) return segments.length === parts.length && matches(segments, parts)
  const after = segments.length - rest - 1
  return (
    parts.length >= segments.length &&
    matches(segments.slice(0, rest + 1), parts) &&
    matches(segments.slice(rest + 1), parts.slice(parts.length - after))
  )
}

/** Compares templates by the first different segment: a word precedes a parameter. */
const isMoreSpecific = ({ segments }: Template, than: Template): boolean => {
  if (than.rest === undefined ? segments.length !== than.segments.length : segments.length < than.segments.length)
    return false
  for (const [index, segment] of segments.entries()) {
    const other = than.segments[index]
    if (other === undefined) return true
    if (isParameter(other) && !isParameter(segment)) return true
    if (isParameter(other) !== isParameter(segment)) return false
    if (!isParameter(other) && other !== segment) return false
  }
  return false
}

/** Returns whether requests for an unimplemented operation would match an endpoint, whose path is less specific. */
export const precedes = (
  dialect: Dialect,
  { method, path }: Pick<UnimplementedOperation, "method" | "path">,
  entry: CatalogEntry
): boolean =>
  method === entry.endpoint.method &&
  isMoreSpecific({ segments: split(toDialect(dialect, path)), rest: undefined }, templateOf(dialect, entry))

export const make = (dialect: Dialect): UnimplementedOperations => {
  let parsed: ReadonlyMap<string, ReadonlyArray<Row>> | undefined
  const rowsOf = (method: string): ReadonlyArray<Row> => {
    // Words sort before parameters, so the first match is the most specific one.
    parsed ??= Map.groupBy(
      parse(dialect).toSorted((a, b) => (a.path < b.path ? -1 : 1)),
      (row) => row.method
    )
    return parsed.get(method === "HEAD" ? "GET" : method) ?? []
  }

  const find = (method: string, path: string) => {
    const parts = split(path)
    return rowsOf(method).find((row) => isPathOf(row, parts))
  }

  return {
    find,
    methods: (path) => ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((method) => find(method, path) !== undefined),
    precedence: (entry) => {
      const { rest } = templateOf(dialect, entry)
      const rows = preceding
        .filter((operation) => precedes(dialect, operation, entry))
        .map(({ path }) => ({ segments: split(toDialect(dialect, path)), rest }))
      if (rows.length === 0) return undefined
      return (path) => {
        const parts = split(path)
        return rows.some((row) => isPathOf(row, parts))
      }
    }
  }
}

/** 404: this forge does not implement the operation. */
export const error = ({ method, path }: UnimplementedOperation) =>
  ApiError.notFound(`This forge does not implement ${method} ${path}`)
