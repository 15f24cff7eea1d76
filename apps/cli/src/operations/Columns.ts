/** Which parts of a list's items make a table that people can read, whatever the resource. */
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import type * as Table from "@tongs/core/text/Table"

/** Most columns of a table. */
const MOST = 6

type Row = Readonly<Record<string, unknown>>

interface Candidate {
  readonly header: string
  readonly path: ReadonlyArray<string>
  readonly show?: "id" | "line" | "age"
  readonly align?: "right"
  readonly keep?: boolean
  /** It tells items apart: the first such column is enough. */
  readonly names?: boolean
}

/** What tells items apart comes first, what describes them next; a column is taken where any item has it. */
const candidates: ReadonlyArray<Candidate> = [
  { header: "NAME", path: ["full_name"], names: true },
  { header: "REF", path: ["ref"], names: true },
  { header: "PATH", path: ["path"], names: true },
  { header: "FILE", path: ["filename"], names: true },
  { header: "NAME", path: ["name"], names: true },
  { header: "LOGIN", path: ["login"], names: true },
  { header: "MODE", path: ["mode"], keep: true },
  { header: "TYPE", path: ["type"], keep: true },
  { header: "STATUS", path: ["status"], keep: true },
  { header: "SHA", path: ["sha"], show: "id", keep: true },
  { header: "TYPE", path: ["object", "type"], keep: true },
  { header: "SHA", path: ["object", "sha"], show: "id", keep: true },
  { header: "SHA", path: ["commit", "sha"], show: "id", keep: true },
  { header: "SUBJECT", path: ["commit", "message"], show: "line" },
  { header: "AUTHOR", path: ["commit", "author", "name"] },
  { header: "AGE", path: ["commit", "author", "date"], show: "age", keep: true },
  { header: "SIZE", path: ["size"], align: "right", keep: true },
  { header: "ADDED", path: ["additions"], align: "right", keep: true },
  { header: "REMOVED", path: ["deletions"], align: "right", keep: true },
  { header: "BRANCH", path: ["default_branch"] },
  { header: "PRIVATE", path: ["private"], keep: true },
  { header: "DESCRIPTION", path: ["description"], show: "line" },
  { header: "PROTECTED", path: ["protected"], keep: true },
  { header: "UPDATED", path: ["updated_at"], show: "age", keep: true },
  { header: "CREATED", path: ["created_at"], show: "age", keep: true }
]

/** Columns for these items; ages are told from `now`. */
export const choose = (rows: ReadonlyArray<Row>, now: number): ReadonlyArray<Table.Column<Row>> => {
  const chosen: Array<Candidate> = []
  for (const candidate of candidates) {
    const isTaken = chosen.some(
      ({ header, names }) => header === candidate.header || (names === true && candidate.names === true)
    )
    if (chosen.length < MOST && !isTaken && rows.some((row) => scalar(at(row, candidate.path)) !== undefined))
      chosen.push(candidate)
  }
  const columns = chosen.length > 0 ? chosen : fallback(rows)
  return columns.map((candidate) => ({
    header: candidate.header,
    value: (row) => show(scalar(at(row, candidate.path)), candidate.show, now),
    ...(candidate.align === undefined ? {} : { align: candidate.align }),
    ...(candidate.keep === undefined ? {} : { keep: candidate.keep })
  }))
}

/** The first scalars of resources that have nothing of the above. */
const fallback = (rows: ReadonlyArray<Row>): ReadonlyArray<Candidate> =>
  Object.entries(rows[0] ?? {})
    .filter(([name, value]) => scalar(value) !== undefined && !isNoise(name))
    .slice(0, MOST)
    .map(([name]) => ({ header: name.toUpperCase(), path: [name] }))

/** Members that say nothing to a person: addresses of other answers, and ids for machines. */
export const isNoise = (name: string): boolean =>
  name === "url" || name.endsWith("_url") || name === "node_id" || name === "_links"

const at = (row: unknown, [key, ...rest]: ReadonlyArray<string>): unknown => {
  if (key === undefined) return row
  return isRow(row) ? at(row[key], rest) : undefined
}

export const isRow = (value: unknown): value is Row =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const scalar = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : undefined

const show = (text: string | undefined, as: Candidate["show"], now: number): string => {
  if (text === undefined) return ""
  switch (as) {
    case "id":
      return text.slice(0, 7)
    case "line":
      return text.split("\n", 1)[0] ?? ""
    case "age":
      return RelativeTime.format(Date.parse(text), now)
    case undefined:
      return text
  }
}
