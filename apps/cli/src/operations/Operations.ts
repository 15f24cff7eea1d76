/**
 * `tongs <group> <operation>`: a command for every operation of the contract, derived from the operation's declaration.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { Connection } from "@tongs/connection/Connection"
import * as CatalogEndpoint from "@tongs/core/client/CatalogEndpoint"
import type { RawInput } from "@tongs/core/client/RawCall"
import { Forge } from "@tongs/core/client/Forge"
import * as Catalog from "@tongs/core/contract/CatalogEntry"
import type * as Failure from "@tongs/core/contract/Failure"
import * as OperationIndex from "@tongs/core/contract/OperationIndex"
import { toKebabCase, type MediaType, type Permission } from "@tongs/core/contract/Operation"
import { uploadArtifact } from "./ArtifactUpload.ts"
import * as Flags from "../session/Flags.ts"
import { Output } from "../base/Output.ts"
import * as JsonOutput from "../json/JsonOutput.ts"
import * as InteractiveRequest from "../session/InteractiveRequest.ts"
import * as Progress from "../session/Progress.ts"
import * as Session from "../session/Session.ts"
import { UsageError } from "../base/UsageError.ts"
import * as Presentation from "@tongs/core/contract/Presentation"
import * as YesNoAnswer from "./YesNoAnswer.ts"
import * as Confirm from "./Confirm.ts"
import * as Download from "./Download.ts"
import * as EventTable from "./EventTable.ts"
import * as ResultFormat from "./ResultFormat.ts"
import * as Input from "./Input.ts"
import * as OperationFlags from "./OperationFlags.ts"
import * as WebPage from "./WebPage.ts"
import * as ResultText from "./ResultText.ts"

/** Creates a positional argument. `Input.make` assigns positional arguments to fields. */
const word = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.optional, Argument.withDescription(description))

const command = (entry: Catalog.CatalogEntry) => {
  const config = {
    ...OperationFlags.make(entry),
    words: [
      ...(Input.isOnRepository(entry)
        ? [word("OWNER/REPO", "Repository; by default the one of the current folder")]
        : []),
      ...Input.positional(entry).map((field) => word(toKebabCase(field.name), field.description))
    ]
  }
  const made = Command.make(entry.operation.command, config, (given) =>
    run(entry, {
      fields: given.fields,
      words: given.words.flatMap(Option.toArray),
      input: Option.getOrUndefined(given.input ?? Option.none()),
      mediaType: Option.getOrUndefined(given.mediaType ?? Option.none()),
      output: Option.getOrUndefined(given.output ?? Option.none()),
      limit: Option.getOrUndefined(given.limit ?? Option.none()),
      all: given.all === true,
      yes: given.yes === true,
      web: given.web === true
    }).pipe(Effect.provide(Session.ownLayer))
  ).pipe(Command.withDescription(description(entry)), Command.withShortDescription(entry.operation.summary))
  return entry.operation.paging === undefined ? made : Command.withExamples(made, examples(entry))
}

/** Maximum length of an example, which a terminal of 80 columns then does not wrap. */
const MAX_EXAMPLE = 76

/** Examples of `--fields` and `--jq` for a list, with the members of the first columns. */
const examples = (entry: Catalog.CatalogEntry) => {
  const columns = Presentation.columns(Presentation.itemSchemas(Catalog.resultSchemas(entry)))
  const paths = columns.map(({ path }) => path.join("."))
  const [first] = paths
  if (first === undefined) return []
  const values = Input.positional(entry).map(({ name }) => toKebabCase(name).toUpperCase())
  const line = ["tongs", toKebabCase(entry.group), entry.operation.command, ...values].join(" ")
  const fields = [3, 2, 1].map((count) => `${line} --fields ${paths.slice(0, count).join(",")}`)
  return [
    { command: fields.find(({ length }) => length <= MAX_EXAMPLE) ?? line },
    { command: `${line} --jq '.[].${first}'` }
  ]
}

interface Given extends Input.CommandArguments {
  /** Media type of the result. Default: JSON. */
  readonly mediaType: MediaType | undefined
  /** Maximum number of list items. Default: the first page. */
  readonly limit: number | undefined
  readonly all: boolean
  /** Path of the file to download to. */
  readonly output: string | undefined
  /** Skips the confirmation. */
  readonly yes: boolean
  /** Opens the page of the resource instead of printing it. */
  readonly web: boolean
}

const run = Effect.fnUntraced(function* (entry: Catalog.CatalogEntry, given: Given) {
  const forge = yield* Forge
  const { repository: here } = yield* Connection
  if (Download.isFile(entry)) {
    const fields = Download.withFormat(entry, given.fields, given.words)
    return yield* Download.run(entry, yield* Input.make(entry, { ...given, fields }, here), given.output)
  }
  const input = yield* Input.make(entry, given, here)
  yield* check(entry, input)
  const printJson = yield* jsonPrinter(entry, given.mediaType)
  if (!given.yes)
    yield* OperationFlags.isDeletion(entry) ? Confirm.deletion(entry, input) : Confirm.exposure(entry, input)
  const form = given.mediaType === undefined ? undefined : ResultFormat.of(entry, given.mediaType)
  if (form?._tag === "Bytes") return yield* ResultFormat.print(entry, input, form.mediaType)
  const options = {
    ...(yield* InteractiveRequest.interactive),
    ...(form === undefined ? {} : { mediaType: form.mediaType })
  }
  if (Catalog.isStream(entry.endpoint)) return yield* printEvents(entry, forge.stream(entry, input, options), printJson)
  if (entry.operation.paging === undefined) {
    const value = yield* Progress.showWaiting(forge.call(entry, input, options)).pipe(
      Effect.catchTag("NotFound", YesNoAnswer.no(entry, input, printJson))
    )
    const { answers } = entry.operation
    if (value === undefined && answers?.yes !== undefined) return yield* YesNoAnswer.yes(answers.yes, input, printJson)
    if (value === undefined) return yield* done(entry)
    if (given.web) return yield* WebPage.open(value)
    yield* print(entry, value, printJson)
    return isPartial(value) ? yield* (yield* Output).note(INCOMPLETE) : undefined
  }
  if (given.limit === undefined && !given.all) {
    const { cursor, incompleteResults, items } = yield* Progress.showWaiting(forge.list(entry, input, options).first)
    yield* print(entry, items, printJson)
    const { note } = yield* Output
    if (incompleteResults) yield* note(INCOMPLETE)
    return cursor === undefined ? undefined : yield* note("More items exist. Add --limit N or --all.")
  }
  if (given.limit !== undefined && given.all)
    return yield* new UsageError({ detail: "--limit conflicts with --all.", hint: "Remove one." })
  const { limit = Number.POSITIVE_INFINITY } = given
  const { pages } = forge.list(entry, input, {
    ...Progress.listOptions,
    ...(form === undefined ? {} : { mediaType: form.mediaType }),
    ...(Number.isFinite(limit) ? { limit, perPage: Math.min(Progress.listOptions.perPage, limit) } : {})
  })
  let isIncomplete = false
  const watched = Stream.tap(pages, ({ incompleteResults }) =>
    Effect.sync(() => {
      isIncomplete ||= incompleteResults
    })
  )
  yield* print(entry, yield* Progress.collect(watched, limit), printJson)
  if (isIncomplete) yield* (yield* Output).note(INCOMPLETE)
})

const isPartial = (value: unknown): boolean =>
  Predicate.hasProperty(value, "incomplete_results") && value.incomplete_results === true

/** The note after an incomplete list, which the forge could not finish in time. */
const INCOMPLETE = "The forge stopped early: items may be missing. Run the command again."

/** Validates the input against the contract before any request. Fails with `UsageError`. */
const check = (entry: Catalog.CatalogEntry, input: RawInput) =>
  Effect.mapError(
    CatalogEndpoint.make(entry).toRequest(input),
    ({ detail }) => new UsageError({ detail: `${detail}.`.replace(/\.\.$/, "."), hint: "" })
  )

/**
 * Returns the function that prints JSON, or undefined if the user does not request JSON. Checks `--fields` and `--jq`
 * before any request.
 */
const jsonPrinter = (entry: Catalog.CatalogEntry, mediaType: MediaType | undefined) => {
  const schemas = Catalog.resultSchemas(entry)
  // Other media types have other members.
  if (mediaType !== undefined) return JsonOutput.printerIfWanted()
  const isCompact = Catalog.isStream(entry.endpoint)
  return JsonOutput.printerIfWanted({
    isCompact,
    schemas: entry.operation.paging === undefined ? schemas : Presentation.itemSchemas(schemas)
  })
}

const print = Effect.fnUntraced(function* (
  entry: Catalog.CatalogEntry,
  value: unknown,
  printJson: JsonOutput.Printer | undefined
) {
  if (printJson !== undefined) return yield* printJson(value)
  const { columns, isTerminal, page } = yield* Output
  // The output for programs is not truncated.
  const room = isTerminal ? columns : Number.POSITIVE_INFINITY
  yield* page(
    ...ResultText.lines(value, Catalog.resultSchemas(entry), {
      columns: room,
      now: yield* Clock.currentTimeMillis,
      paint: yield* Flags.paint
    })
  )
})

/** Prints each event on arrival, as one line of JSON. Without `--json`, prints a table in a terminal. */
const printEvents = Effect.fnUntraced(function* (
  entry: Catalog.CatalogEntry,
  events: Stream.Stream<unknown, Failure.Failure>,
  printJson: JsonOutput.Printer | undefined
) {
  const { isTerminal } = yield* Output
  if (printJson === undefined && isTerminal) return yield* EventTable.print(entry, events)
  const printEvent = printJson ?? (yield* JsonOutput.printer({ isCompact: true }))
  yield* Progress.show(Stream.runForEach(events, printEvent), Effect.succeed("Receiving …"))
})

const done = (entry: Catalog.CatalogEntry) =>
  Effect.flatMap(Output, ({ note }) =>
    note(`${entry.operation.noContent ?? `Done: ${entry.operation.summary.toLowerCase()}`}.`)
  )

/** Returns the help text: summary, route, permissions and OAuth scopes. */
const description = ({ endpoint, operation }: Catalog.CatalogEntry): string =>
  [
    `${operation.summary}.`,
    operation.description ?? "",
    `${endpoint.method} ${endpoint.path}`,
    `Permission: ${permission(operation.permission)}`,
    operation.scopes.length > 0
      ? `Scope: ${operation.scopes.join(" or ")}`
      : operation.privateScopes.length > 0
        ? `Scope for private repositories: ${operation.privateScopes.join(" or ")}`
        : ""
  ]
    .filter((line) => line !== "")
    .join("\n")

const permission = (sets: ReadonlyArray<ReadonlyArray<Permission>> | "refused"): string => {
  if (sets === "refused") return "does not accept fine-grained tokens"
  const texts = sets.map((set) => set.map(({ category, level }) => `${category}=${level}`).join(" and "))
  return texts.filter((text) => text !== "").join(", or ") || "none"
}

/** Additional commands that work only on the embedded forge, by group of the contract. */
const local: Readonly<Record<string, ReadonlyArray<typeof uploadArtifact>>> = { artifacts: [uploadArtifact] }

/**
 * Returns a command for each group. Only the groups in `words` have subcommands, one for each operation, because Effect
 * reads all subcommands of a command to find the global flags.
 */
export const operations = (words: ReadonlyArray<string>) =>
  Catalog.groups.flatMap((group) => {
    const operationNames = (OperationIndex.value[group] ?? []).flatMap(({ command }) =>
      command === "" ? [] : [command]
    )
    if (operationNames.length === 0) return []
    const name = toKebabCase(group)
    const locals = local[group] ?? []
    const outline = Command.make(name).pipe(
      Command.withDescription(`API operations: ${name.replaceAll("-", " ")}`),
      // The names of the subcommands, so that the help of the program lists all operations.
      Command.withShortDescription([...operationNames, ...locals.map((one) => one.name)].join(", "))
    )
    if (!words.includes(name)) return [outline]
    const entries = Catalog.entriesOfGroup(group).filter(({ operation }) => operation.command !== "")
    return [Command.withSubcommands(outline, [...entries.map(command), ...locals])]
  })
