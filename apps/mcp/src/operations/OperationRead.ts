/** Runs reading operations of the contract, and shows the results. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Forge } from "@tongs/core/client/Forge"
import { type CatalogEntry, isStream, resultSchemas, successSchema } from "@tongs/core/contract/CatalogEntry"
import { groups } from "@tongs/core/contract/CatalogEntry"
import type * as Failure from "@tongs/core/contract/Failure"
import * as FileRedirect from "@tongs/core/contract/FileRedirect"
import * as Presentation from "@tongs/core/contract/Presentation"
import * as PathText from "@tongs/core/text/PathText"
import type { Answer, Arguments, Item } from "../answer/Answer.ts"
import type { Call } from "../call/Call.ts"
import * as EmptyList from "../lists/EmptyList.ts"
import * as FixedList from "../lists/FixedList.ts"
import * as Listing from "../lists/Listing.ts"
import * as ScopeNote from "../lists/ScopeNote.ts"
import { ToolError } from "../call/ToolError.ts"
import * as FieldSelection from "../results/FieldSelection.ts"
import * as FileAnswer from "./FileAnswer.ts"
import * as OperationName from "./OperationName.ts"
import * as ListItems from "../results/ListItems.ts"
import * as ResourceItems from "../results/ResourceItems.ts"

/** The part of a result to show. */
export interface View {
  /** Paths of members; `*` for all. Default: the columns of a list, and the members of a resource without links. */
  readonly fields?: ReadonlyArray<string> | undefined
  /** Number of items. */
  readonly limit?: number | undefined
}

/** Maximum number of events that are read from a stream. */
const MAX_EVENTS = 1_000

/** Runs a reading operation with a checked input. */
export const run = Effect.fnUntraced(function* (entry: CatalogEntry, input: Arguments, call: Call, view: View) {
  const forge = yield* Forge
  const { fields, limit } = view
  const { deadline } = call
  const source = sourceOf(entry, input)
  const schemas = resultSchemas(entry)
  const isContent = readsContent(entry)
  const isPaged = entry.operation.paging !== undefined
  const known = isPaged ? Presentation.itemSchemas(schemas) : schemas
  const problem = fields === undefined ? undefined : FieldSelection.problem(fields, known)
  if (problem !== undefined) return yield* new ToolError({ detail: problem })
  const selection = fields === undefined ? undefined : FieldSelection.selectionOf(fields)
  if (isPaged) {
    const list = (options: { readonly perPage: number; readonly cursor?: string }) =>
      forge.list(entry, input, { ...options, deadline })
    const page = yield* Listing.readWith(call, limit, list, (items) =>
      items.map(
        ListItems.rowOf(known, selection, call.now, (path) =>
          items.every((item) => source.repo !== undefined && Presentation.valueAt(item, path) === source.repo)
        )
      )
    )
    const notes = [
      ...("notes" in page ? page.notes : []),
      ...(page.items.length === 0 && call.position === undefined
        ? EmptyList.notesOf(entry, input)
        : ListItems.notesOf(known, selection)),
      ...ScopeNote.of(entry, forge)
    ]
    return { source, noun: nounOf(entry), ...page, notes, isContent } satisfies Answer
  }
  if (entry.status === FileRedirect.status) return { source, ...(yield* FileAnswer.read(entry, input, call)) }
  const value = isStream(entry.endpoint)
    ? ListItems.itemsOfStream(
        yield* Stream.runCollect(Stream.take(forge.stream(entry, input, { deadline }), MAX_EVENTS)),
        Presentation.elementSchemas(schemas)
      )
    : yield* HttpApiSchema.isNoContent(successSchema(entry.endpoint).ast)
        ? exists(forge.call(entry, input, { deadline }))
        : forge.call(entry, input, { deadline })
  if (typeof value === "boolean") {
    const text = value ? "Yes." : "No: the forge answered Not Found."
    return { source, items: [{ data: value, text }], isThirdParty: false }
  }
  return {
    source,
    ...shown(value, schemas, selection, call, limit),
    isContent,
    ...(Array.isArray(value) ? { noun: nounOf(entry) } : {})
  }
})

/** Operations without a result check something: 404 means no. */
const exists = <E, R>(check: Effect.Effect<unknown, E | Failure.NotFound, R>) =>
  check.pipe(
    Effect.as(true),
    Effect.catchTag("NotFound", () => Effect.succeed(false))
  )

/** Returns whether the result contains content of a repository. */
const readsContent = ({ operation: { permission } }: CatalogEntry): boolean =>
  permission !== "refused" && permission.flat().some(({ category }) => category === "contents")

/** Returns the operation and the path arguments, which the first line of an answer shows. */
export const sourceOf = (entry: CatalogEntry, input: Arguments): Answer["source"] => {
  const { owner, repo } = input
  const others = entry.fields.filter(
    ({ in: location, name }) => location === "path" && name !== "owner" && name !== "repo"
  )
  const path = others.flatMap(({ name }) => {
    const value = input[name]
    return typeof value === "string" || typeof value === "number" ? [[name, value] as const] : []
  })
  return {
    ...(typeof owner === "string" && typeof repo === "string" ? { repo: `${owner}/${repo}` } : {}),
    operation: OperationName.idOf(entry),
    ...Object.fromEntries(path)
  }
}

/**
 * Returns the name of the items of a list: of another group if the path ends with the name of that group, such as the
 * repositories of an installation.
 */
const nounOf = ({ endpoint, group }: CatalogEntry) => {
  const last = PathText.nameOf(endpoint.path)
  const known = nouns[last]
  if (known !== undefined) return known
  const name = groups.find((other) => other === last) ?? group
  return /^[a-z]+s$/.test(name) ? name : "items"
}

/** Names of items whose group has another name, by the end of the path. */
const nouns: Readonly<Record<string, string>> = {
  annotations: "annotations",
  "check-runs": "check runs",
  "check-suites": "check suites",
  files: "files",
  pulls: "pull requests"
}

/** Returns the part of a result at the position of the call. Continues after the shown items. */
export const shown = (
  value: unknown,
  schemas: Presentation.Schemas,
  selection: FieldSelection.Selection | undefined,
  call: Pick<Call, "now" | "position">,
  limit: number | undefined
): Pick<Answer, "items" | "next" | "total" | "isLarge" | "notes"> => {
  const all: ReadonlyArray<Item> = Array.isArray(value)
    ? ListItems.ofList(value, Presentation.elementSchemas(schemas), selection, call.now)
    : ResourceItems.make(value, schemas, selection, call.now)
  return {
    ...FixedList.from(all, call, { limit }),
    ...(Array.isArray(value) ? { total: all.length } : {}),
    isLarge: limit !== undefined,
    notes: selection === undefined && call.position === undefined ? notesOf(value, schemas) : []
  }
}

/** Note about a file whose content is missing. */
const LEFT_OUT = "The forge leaves out the content of a file over 1 MB. gitBlobs.get with its sha as file_sha has it."

const notesOf = (value: unknown, schemas: Presentation.Schemas): ReadonlyArray<string> => {
  if (Array.isArray(value))
    return value.length === 0 ? [] : ListItems.notesOf(Presentation.elementSchemas(schemas), undefined)
  if (Presentation.isRow(value) && value["encoding"] === "none") return [LEFT_OUT]
  const tables = ResourceItems.tablesOf(value, schemas)
  return tables.length === 0 ? [] : [`Rows show some members; fields ${JSON.stringify(tables)} gives all.`]
}
