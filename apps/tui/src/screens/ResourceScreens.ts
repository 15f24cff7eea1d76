/** The derived screens of read operations: a table for a list, a document for any other result. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as DownloadCommand from "@tongs/connection/download/DownloadCommand"
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import * as CatalogEntries from "@tongs/core/contract/CatalogEntry"
import * as FileRedirect from "@tongs/core/contract/FileRedirect"
import * as Presentation from "@tongs/core/contract/Presentation"
import * as Relations from "@tongs/core/contract/Relations"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import type { Notice } from "../content/Content.ts"
import type { Arguments } from "../content/Route.ts"
import * as PagedSource from "../content/PagedSource.ts"
import * as Source from "../content/Source.ts"
import * as Table from "../content/Table.ts"
import * as ResourceDocument from "./ResourceDocument.ts"
import * as ResourceTable from "./ResourceTable.ts"
import { type Screen, text } from "./Screen.ts"

/** Items per page: the maximum of the API, so that long lists need few requests. */
const PER_PAGE = 100

/** Creates the screen of a read operation. */
export const make = (entry: CatalogEntry): Screen => ({
  id: ResourceTable.idOf(entry),
  label: entry.operation.summary,
  entry,
  required: entry.fields.filter(({ required }) => required).map(({ name }) => name),
  title: (values) => titleOf(entry, values),
  open: (environment, values) =>
    entry.operation.paging === undefined
      ? single(environment, entry, values)
      : PagedSource.make(environment, {
          definition: ResourceTable.of(entry, values),
          fetch: pageOf(entry, values),
          isNumbered: entry.operation.paging === "page",
          perPage: PER_PAGE
        })
})

/**
 * Returns the subject of an operation, with the last argument of the path if that argument names an item:
 * `tree 966db56`.
 */
const titleOf = (entry: CatalogEntry, values: Arguments): string => {
  const last = Relations.requiredPath(entry).at(-1)
  const subject = ResourceTable.subjectOf(entry)
  return last === undefined || placeNames.has(last)
    ? subject
    : `${subject} ${AbbreviatedId.of(text(values, last))}`.trimEnd()
}

const placeNames: ReadonlySet<string> = new Set(["owner", "repo", "org", "username", "enterprise"])

/** Returns the request of one page of a list operation. */
export const pageOf =
  (entry: CatalogEntry, values: Arguments): Source.PagedList<unknown>["fetch"] =>
  (forge, { cursor, page, perPage, ...options }) =>
    forge.list(entry, values, {
      ...options,
      perPage,
      ...(cursor === undefined ? {} : { cursor }),
      ...(page === undefined ? {} : { page })
    }).first

/** Creates the source of an operation without pages: a document, or a table if the result is a list. */
const single = (environment: Source.Environment, entry: CatalogEntry, values: Arguments): Source.Source => {
  const schemas = CatalogEntries.resultSchemas(entry)
  if (CatalogEntries.isStream(entry.endpoint)) return events(environment, entry, values)
  if (entry.status === FileRedirect.status) return file(environment, entry, values)
  return Source.fromEffect(
    environment,
    (forge, options) => forge.call(entry, values, options),
    (result) => {
      if (!Array.isArray(result)) {
        const title = Presentation.title(schemas, result) ?? titleOf(entry, values)
        const given = Relations.argumentsOf(entry, values, result)
        return ResourceDocument.make(title, result, schemas, { hint: hintOf(entry), values, given })
      }
      const definition = ResourceTable.of(entry, values)
      return Table.make(definition, Table.fromRows(result.map(definition.row)))
    }
  )
}

/** Creates the source of an operation whose result is a file: the command that saves the file. */
const file = (environment: Source.Environment, entry: CatalogEntry, values: Arguments): Source.Source => {
  const command = `${DownloadCommand.of(entry, values)} --output .`
  const notice: Notice = { _tag: "Notice", id: command, title: "This is a file", hint: `To save it: ${command}` }
  return Source.fromEffect(
    environment,
    () => Effect.succeed(undefined),
    () => notice
  )
}

/** Returns a hint for settings, which have no list with an action. */
const hintOf = (entry: CatalogEntry): string | undefined =>
  Relations.writes(entry).some(
    (write) => write.entry.operation.effect === "update" && write.entry.endpoint.path === entry.endpoint.path
  )
    ? "m changes it"
    : undefined

/** Maximum number of streamed events to show. */
const MAX_EVENTS = 5_000

/** Creates the source of an operation that streams events: a table that grows. */
const events = (environment: Source.Environment, entry: CatalogEntry, values: Arguments): Source.Source => {
  const definition = ResourceTable.of(entry, values)
  return Source.fromStream(environment, (forge, options) =>
    forge.stream(entry, values, options).pipe(
      Stream.take(MAX_EVENTS),
      Stream.map(definition.row),
      // An event without an identity reports the progress of the search, rather than a result.
      Stream.filter(({ id }) => id !== ""),
      Stream.groupedWithin(200, "100 millis"),
      Stream.scan(
        (): ReadonlyArray<Table.Row> => [],
        (rows, more) => [...rows, ...more]
      ),
      Stream.map((rows) => ({ content: Table.make(definition, Table.fromRows(rows)), age: 0 }))
    )
  )
}
