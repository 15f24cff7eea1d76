/** The table of a list of resources, from the columns that the contract declares for the resource. */
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import * as CatalogEntries from "@tongs/core/contract/CatalogEntry"
import * as Presentation from "@tongs/core/contract/Presentation"
import * as Relations from "@tongs/core/contract/Relations"
import { toKebabCase } from "@tongs/core/contract/Operation"
import * as Cell from "@tongs/core/text/Cell"
import * as Fields from "@tongs/core/text/Fields"
import * as Route from "../content/Route.ts"
import type { Row, TableColumn, TableDefinition } from "../content/Table.ts"
import * as StyledLine from "../text/StyledLine.ts"
import * as ResourceDocument from "./ResourceDocument.ts"

/** Returns the table of a list operation's items. `values` are the arguments of the screen. */
export const of = (entry: CatalogEntry, values: Route.Arguments): TableDefinition<unknown> => {
  const schemas = Presentation.itemSchemas(CatalogEntries.resultSchemas(entry))
  return ofItems(nounOf(entry), schemas, (item) => {
    const known = Relations.argumentsOf(entry, values, item)
    const detail = Relations.detail(entry, known)
    return { arguments: known, route: detail === undefined ? undefined : routeOf(detail, known) }
  })
}

/** Returns the route of a read operation's screen, with the arguments of the operation that are known. */
export const routeOf = (entry: CatalogEntry, known: Route.Arguments): Route.Route =>
  Route.make(idOf(entry), Relations.input(entry, known).known)

/** Returns the id of an operation: of the operation of a screen, of an action, or of settings. */
export const idOf = ({ group, name }: Pick<CatalogEntry, "group" | "name">): string => `${group}.${name}`

/**
 * Returns the table of items with these schemas. `link` returns an item's arguments for operations, and the item's
 * route.
 */
export const ofItems = (
  noun: readonly [string, string],
  schemas: Presentation.Schemas,
  link: (item: unknown) => Pick<Row, "arguments" | "route">
): TableDefinition<unknown> => {
  const declared = Presentation.columns(schemas)
  // A list whose items the contract does not describe has one column with the item as text.
  const columns = declared.length > 0 ? declared : undescribed
  return {
    hasHeader: true,
    columns: columns.map((column) => tableColumn(column, columns)),
    noun,
    emptyMessage: { title: `No ${noun[1]}`, hint: "Press a for the actions of this screen, r to refresh" },
    row: (item): Row => ({
      ...link(item),
      id: identity(columns, item),
      title: Presentation.title(schemas, item) ?? identity(columns, item),
      copy: identity(columns, item),
      webUrl: webUrlOf(item),
      value: item,
      cells: (now) => columns.map((column) => cell(column, item, now)),
      ...(Presentation.isRow(item)
        ? { preview: () => ResourceDocument.make(Presentation.title(schemas, item) ?? "", item, schemas) }
        : {})
    })
  }
}

const undescribed: ReadonlyArray<Presentation.Column> = [
  { header: "VALUE", path: [], format: "line", identifies: true, isTitle: true }
]

/** Returns the subject of an operation from its summary: `deliveries` for `List deliveries of a webhook`. */
export const subjectOf = ({ operation }: Pick<CatalogEntry, "operation">): string =>
  operation.summary
    .replace(/^(List|Get|Check|Search) (an? |the |your |one of your |files that )?/, "")
    .replace(/^state of the /, "")
    .replace(/^whether .* (is|was) /, "")
    .replace(/(, and| that| by| of| for) .*$/, "")
    .replace(/^.*'s /, "")

/** Nouns of lists in which items have another name than the group. */
const nouns: Readonly<Record<string, readonly [one: string, many: string]>> = {
  blocks: ["blocked account", "blocked accounts"],
  gitRefs: ["reference", "references"],
  codeSearch: ["file", "files"],
  codeIndex: ["file", "files"],
  "codeNavigation.listDefinitions": ["definition", "definitions"],
  "codeNavigation.listReferences": ["use", "uses"],
  pulls: ["pull request", "pull requests"],
  "pulls.listBranchesForHead": ["branch", "branches"],
  "pulls.listCommits": ["commit", "commits"],
  "pulls.listFiles": ["file", "files"]
}

/** Returns the singular and plural of a group's items: `repository hook`, `repository hooks`. */
const nounOf = (entry: CatalogEntry): readonly [string, string] => {
  const { group } = entry
  const known = nouns[idOf(entry)] ?? nouns[group]
  if (known !== undefined) return known
  const plural = toKebabCase(group).replaceAll("-", " ")
  const singular = plural.endsWith("ies")
    ? `${plural.slice(0, -3)}y`
    : plural.replace(/(ch|s)es$/, "$1").replace(/s$/, "")
  return [singular, plural.endsWith("s") ? plural : `${plural} items`]
}

const identity = (columns: ReadonlyArray<Presentation.Column>, item: unknown): string => {
  const parts = columns
    .filter(({ identifies }) => identifies)
    .map(({ path }) => Cell.text(Presentation.valueAt(item, path), "id", { abbreviate: false, now: 0 }))
  return parts.join(" ")
}

const webUrlOf = (item: unknown): string | undefined => {
  const url = Presentation.isRow(item) ? item.html_url : undefined
  return typeof url === "string" ? url : undefined
}

/** Formats with columns that keep the width, because a truncated number or id is useless. */
const wholeFormats: ReadonlySet<Presentation.Format> = new Set(["id", "age", "bytes", "count", "number", "state"])

const tableColumn = (column: Presentation.Column, all: ReadonlyArray<Presentation.Column>): TableColumn => {
  const { format, header, identifies } = column
  const title = all.find(({ isTitle }) => isTitle) ?? all.find(({ format }) => format === "line")
  const position = all.indexOf(column)
  const isNumber = format === "bytes" || format === "count" || format === "number"
  return {
    header,
    size: column === title ? "grow" : "fit",
    ...(column === title || wholeFormats.has(format) ? {} : { maxShare: 0.35 }),
    ...(isNumber && !identifies ? { align: "right" } : {}),
    // Hides the last columns first, never the columns that identify an item.
    ...(identifies || column === title ? {} : { optional: position + 1 })
  }
}

const cell = ({ format, identifies, isTitle, path }: Presentation.Column, item: unknown, now: number) => {
  const value = Presentation.valueAt(item, path)
  const text = Fields.isEmpty(value) ? "" : Cell.text(value, format, { abbreviate: true, now })
  return StyledLine.line(text, roleOf(format, text, identifies, isTitle))
}

const roleOf = (format: Presentation.Format, text: string, identifies: boolean, isTitle: boolean): StyledLine.Role => {
  if (isTitle) return "plain"
  if (identifies) return "id"
  if (format === "age") return "muted"
  if (format === "state") return text === "yes" ? "accent" : "muted"
  return statusRoles[text.toLowerCase()] ?? "plain"
}

/** Roles of the words by which forges name a status. */
const statusRoles: Readonly<Record<string, StyledLine.Role>> = {
  ok: "success",
  success: "success",
  active: "success",
  failure: "error",
  failed: "error",
  error: "error",
  timed_out: "error",
  action_required: "warning",
  expired: "warning",
  in_progress: "warning",
  pending: "warning",
  queued: "warning",
  cancelled: "muted",
  disabled: "muted",
  neutral: "muted",
  skipped: "muted"
}
