/** Connections: lists with pages, opaque cursors, nodes and edges. */
import type { PageRequest } from "../../base/Paging.ts"
import { QueryError } from "./QueryError.ts"

/** Maximum items of a page, and the items of a page without `first` and `last`. */
const MAX_ITEMS = 100

/** The arguments of a connection. */
export interface PageArguments {
  readonly first?: number | null
  readonly last?: number | null
  readonly after?: string | null
  readonly before?: string | null
}

/** The items of a page, and the number of all items. */
export interface ListPage<A> {
  readonly items: ReadonlyArray<A>
  readonly total: number
}

/** A page with its place in the list. */
export interface Connection<A> {
  readonly totalCount: number
  readonly nodes: ReadonlyArray<A>
  readonly edges: () => ReadonlyArray<{ readonly cursor: string; readonly node: A }>
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string | null
    readonly endCursor: string | null
  }
}

const cursorOf = (offset: number): string => Buffer.from(`cursor:v1:${offset}`).toString("base64")

const offsetOf = (cursor: string): number => {
  const [, digits] = /^cursor:v1:(\d{1,9})$/.exec(Buffer.from(cursor, "base64").toString()) ?? []
  if (digits !== undefined) return Number(digits)
  throw new QueryError("INVALID_CURSOR_ARGUMENTS", `\`${cursor}\` does not appear to be a valid cursor.`)
}

/** Returns a given size. Fails for a negative size and a size above the limit, in GitHub's words. */
const sizeOf = (field: string, given: PageArguments, name: "first" | "last"): number | undefined => {
  const size = given[name] ?? undefined
  if (size !== undefined && size < 0)
    throw new QueryError("ARGUMENT_LIMIT", `\`${name}\` on the \`${field}\` connection cannot be less than zero.`)
  if (size !== undefined && size > MAX_ITEMS) {
    throw new QueryError(
      "EXCESSIVE_PAGINATION",
      `Requesting ${size} records on the \`${field}\` connection exceeds the \`${name}\` limit of ${MAX_ITEMS} records.`
    )
  }
  return size
}

interface Range {
  readonly begin: number
  readonly end: number
}

/** Returns the range of a page in a list of `total` items. */
const rangeOf = (field: string, given: PageArguments, total: number): Range => {
  const first = sizeOf(field, given, "first")
  const last = sizeOf(field, given, "last")
  const start = (given.after ?? undefined) === undefined ? 0 : offsetOf(given.after ?? "") + 1
  const limit = (given.before ?? undefined) === undefined ? total : Math.min(total, offsetOf(given.before ?? ""))
  const end = first === undefined && last !== undefined ? limit : Math.min(limit, start + (first ?? MAX_ITEMS))
  const begin = last === undefined ? start : Math.max(start, end - last)
  return { begin, end: Math.max(begin, end) }
}

/**
 * Creates a connection. `read` reads the items of a range of at most `MAX_ITEMS`, and the number of all items. `total`
 * is that number, if known.
 */
export const make = async <A>(
  field: string,
  given: PageArguments,
  read: (page: PageRequest) => Promise<ListPage<A>>,
  total?: number
): Promise<Connection<A>> => {
  const readRange = ({ begin, end }: Range) => read({ page: 1, offset: begin, perPage: end - begin })
  const isFromEnd = (given.last ?? undefined) !== undefined
  const known = total ?? (isFromEnd ? (await readRange({ begin: 0, end: 0 })).total : undefined)
  const range = rangeOf(field, given, known ?? Number.MAX_SAFE_INTEGER)
  const page = await readRange(range)
  return connection(page.items, range.begin, page.total)
}

const connection = <A>(nodes: ReadonlyArray<A>, begin: number, totalCount: number): Connection<A> => {
  const end = begin + nodes.length
  return {
    totalCount,
    nodes,
    edges: () => nodes.map((node, index) => ({ cursor: cursorOf(begin + index), node })),
    pageInfo: {
      hasNextPage: end < totalCount,
      hasPreviousPage: begin > 0 && totalCount > 0,
      startCursor: nodes.length === 0 ? null : cursorOf(begin),
      endCursor: nodes.length === 0 ? null : cursorOf(end - 1)
    }
  }
}

/** Creates a connection of a list that is in memory. */
export const ofList = <A, B>(
  field: string,
  given: PageArguments,
  all: ReadonlyArray<A>,
  create: (item: A) => B
): Connection<B> => {
  const { begin, end } = rangeOf(field, given, all.length)
  return connection(all.slice(begin, end).map(create), begin, all.length)
}

/** Replaces the nodes of a page. A node that the caller cannot read is undefined, and the page has no item for it. */
export const withNodes = <A>(page: Connection<unknown>, nodes: ReadonlyArray<A | undefined>) => {
  const cursors = page.edges().map(({ cursor }) => cursor)
  const edges = nodes.flatMap((node, index) => (node === undefined ? [] : [{ cursor: cursors[index], node }]))
  return { ...page, nodes: edges.map(({ node }) => node), edges }
}

/** Returns a field that is an empty connection, for data that the forge does not have. */
export const empty = (field: string) => (given: PageArguments) => ofList(field, given, [], () => undefined)

/** Sorts rows by a key; rows with equal keys keep their order. */
export const sorted = <A>(rows: ReadonlyArray<A>, key: (row: A) => string | number, direction: "ASC" | "DESC") => {
  const sign = direction === "DESC" ? -1 : 1
  return rows.toSorted((one, other) => sign * (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0))
}
