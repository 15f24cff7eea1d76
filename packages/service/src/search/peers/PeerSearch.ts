/**
 * Answers the searches of the other processes of a cluster, for the repositories that this process owns. The process of
 * the request decides which repositories the user may read; the secret of the cluster proves that it is one.
 */
import * as ByteSize from "effect/ByteSize"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { IncompleteReason } from "@tongs/core/contract/groups/CodeSearch"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { ContentSearchPool } from "../ContentSearchPool.ts"
import * as CommitSearch from "../CommitSearch.ts"
import type { WalkPosition } from "../commits/CommitWalk.ts"
import * as IndexStates from "../IndexStates.ts"
import type { SearchState } from "../OpenedCommitSearch.ts"
import * as LocalSearch from "../LocalSearch.ts"
import { PackageDirectory } from "../PackageDirectory.ts"
import * as RepositoryExpressions from "../RepositoryExpressions.ts"
import type { SearchBatch, VerifiedFile } from "../SearchBatch.ts"
import { SearchCaller } from "../SearchCaller.ts"
import * as PeerAnswer from "./PeerAnswer.ts"
import * as PeerLines from "../cluster/PeerLines.ts"
import * as PeerMessages from "../cluster/PeerMessages.ts"
import * as QueryCodec from "../cluster/QueryCodec.ts"
import * as RepositorySets from "./RepositorySets.ts"

/** Maximum bytes of a request: the ids of 300,000 repositories, and a query. */
const MAX_REQUEST = 4 * 1024 * 1024

/** Characters after which the files of a batch continue in another line. */
const LINE_LENGTH = 1024 * 1024

type Lines = Stream.Stream<string, { readonly message: string }>

/** Answers a kind of request. The repositories are those of the request that this process owns. */
type Answer = (
  body: string,
  answer: (covered: string, lines: Lines) => HttpServerResponse.HttpServerResponse
) => Effect.Effect<HttpServerResponse.HttpServerResponse>

/** Creates the function that answers requests below `/cluster/search/`, after the check of the secret. */
export const make = Effect.gen(function* () {
  const open = yield* RepositorySets.make
  const searchFiles = yield* LocalSearch.make
  const openCommits = yield* CommitSearch.makeLocal
  const statesOf = yield* IndexStates.makeLocal
  const directory = yield* PackageDirectory
  const pool = yield* ContentSearchPool

  const queryOf = (message: typeof QueryCodec.CodeQuery.Type, repositories: ReadonlyArray<ServedRepository>) =>
    RepositoryExpressions.resolve(QueryCodec.fromMessage(message), repositories, (source, names) =>
      pool.matchNames(source, names)
    )

  const answers = new Map<string, Answer>()
  const add = <Input, Line extends { readonly _tag: string }>(
    { input, name }: PeerMessages.Method<Input, Line>,
    run: (input: Input, repositories: ReadonlyArray<ServedRepository>, print: (line: Line) => string) => Lines
  ) => {
    const decode = Schema.decodeUnknownEffect(
      Schema.fromJsonString(
        Schema.Struct({
          repositories: PeerMessages.Repositories,
          caller: Schema.String,
          revision: Schema.optionalKey(Schema.String),
          input
        })
      )
    )
    answers.set(
      name,
      Effect.fnUntraced(
        function* (body, answer) {
          const { caller, input, repositories, revision } = yield* decode(body)
          const owned = yield* open(repositories, revision)
          if (owned === undefined) return HttpServerResponse.empty({ status: 409 })
          const lines = owned.repositories.length === 0 ? Stream.empty : run(input, owned.repositories, JSON.stringify)
          return answer(owned.covered, Stream.provideService(lines, SearchCaller, caller))
        },
        Effect.catchTag("SchemaError", () => Effect.succeed(HttpServerResponse.empty({ status: 400 })))
      )
    )
  }

  add(PeerMessages.files, ({ deadline, order, query, show }, repositories, print) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const { found, isIncomplete, notes, unknownRevisions, unsearched } = yield* searchFiles(
          yield* queryOf(query, repositories),
          repositories,
          { show, order, deadline: Duration.millis(deadline), withVerified: true }
        )
        const ids = new Map(repositories.map(({ fullName, row }) => [fullName, row.id]))
        let waiting = repositories.length
        const batches = Stream.flatMap(found, (batch) => {
          const names = unsearched()
          const isSame = names.length === waiting
          waiting = names.length
          const more = isSame ? {} : { unsearched: names.flatMap((name) => ids.get(name) ?? []) }
          return Stream.fromIterable(printFiles(batch, more))
        })
        return Stream.concat(Stream.succeed(print({ _tag: "Started", isIncomplete, notes, unknownRevisions })), batches)
      })
    )
  )

  add(PeerMessages.commits, ({ cursor, dates, query }, repositories, print) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const search: SearchState = {
          examined: 0,
          incomplete: new Set<IncompleteReason>(),
          notes: new Set<string>()
        }
        const totals = () => ({
          examined: search.examined,
          incomplete: [...search.incomplete],
          notes: [...search.notes]
        })
        const opened = yield* openCommits(
          { query: yield* queryOf(query, repositories), dates },
          repositories,
          { cursor },
          search
        )
        const { incomplete, notes } = totals()
        const steps = Stream.map(opened.steps, ({ found, newest, position, seconds, served }) =>
          print({
            _tag: "Step",
            id: served.row.id,
            seconds: finite(seconds),
            newest: finite(newest),
            ...(found === undefined ? {} : { found }),
            ...(position === undefined ? {} : { cursor: finitePosition(position) }),
            ...totals()
          })
        )
        return Stream.succeed(
          print({
            _tag: "Opened",
            notes,
            unknownRevisions: opened.unknownRevisions,
            incomplete,
            ...(opened.start === undefined ? {} : { cursor: finitePosition(opened.start) })
          })
        ).pipe(Stream.concat(steps), Stream.concat(Stream.sync(() => print({ _tag: "Closed", ...totals() }))))
      })
    )
  )

  add(PeerMessages.states, (_, repositories, print) =>
    Stream.unwrap(
      Effect.map(statesOf(repositories), (states) =>
        Stream.map(Stream.fromIterable(states), ({ languages, problem, progress, served, tip, ...state }) =>
          print({
            _tag: "State",
            id: served.row.id,
            ...state,
            ...(tip === undefined ? {} : { tip }),
            ...(problem === undefined ? {} : { problem }),
            ...(progress === undefined ? {} : { progress }),
            ...(languages === undefined ? {} : { languages })
          })
        )
      )
    )
  )

  add(PeerMessages.packages, ({ key }, repositories, print) =>
    Stream.fromEffect(
      Effect.map(directory.findHere(key, repositories), ({ found, isIncomplete }) =>
        print({
          _tag: "Packages",
          found: found.map(({ commit, declared, served }) => ({ id: served.row.id, commit, declared })),
          isIncomplete
        })
      )
    )
  )

  return Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    const path = request.url.replace(/\?.*$/s, "")
    const answer = path.startsWith(PeerMessages.PREFIX)
      ? answers.get(path.slice(PeerMessages.PREFIX.length))
      : undefined
    if (answer === undefined || request.method !== "POST") return HttpServerResponse.empty({ status: 404 })
    const body = yield* request.text.pipe(
      Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(MAX_REQUEST)),
      Effect.orElseSucceed(() => undefined)
    )
    if (body === undefined) return HttpServerResponse.empty({ status: 400 })
    return yield* answer(body, (covered, lines) =>
      HttpServerResponse.stream(PeerAnswer.bytes(covered, lines), { contentType: "application/x-ndjson" })
    )
  })
})

/** Prints a batch as lines of moderate length. */
const printFiles = (
  { isIncomplete = false, notes = [], remaining, verified = [] }: SearchBatch,
  more: object
): ReadonlyArray<string> => {
  const lines: Array<string> = []
  const dropped: Array<string> = []
  let texts: Array<string> = []
  let length = 0
  const print = (left: number, about: object) => {
    const rest = JSON.stringify({
      _tag: "Files",
      remaining: remaining + left,
      isIncomplete: false,
      notes: [],
      ...about
    })
    lines.push(`{"verified":[${texts.join(",")}],${rest.slice(1)}`)
    texts = []
    length = 0
  }
  for (const [at, file] of verified.entries()) {
    let text = JSON.stringify(fileOf(file))
    // A character can take three bytes.
    if (3 * text.length + LINE_LENGTH > PeerLines.MAX_LINE) {
      dropped.push(`${file.hit?.path} has too many matching lines, so it is not shown.`)
      text = JSON.stringify(fileOf({ ...file, hit: undefined }))
    }
    if (length > 0 && length + text.length > LINE_LENGTH) print(verified.length - at, {})
    texts.push(text)
    length += text.length
  }
  print(0, { ...more, isIncomplete: isIncomplete || dropped.length > 0, notes: [...notes, ...dropped] })
  return lines
}

/** Replaces infinite numbers, which JSON does not have. */
const finite = (number: number): number => Math.max(-Number.MAX_VALUE, Math.min(number, Number.MAX_VALUE))

const finitePosition = ({ oids, seconds }: WalkPosition): WalkPosition => ({ oids, seconds: finite(seconds) })

const fileOf = ({ hit, key, served }: VerifiedFile): PeerMessages.VerifiedFile => {
  const file = { key: finite(key), id: served.row.id }
  if (hit === undefined) return file
  const { isUncommitted: _, served: __, ...rest } = hit
  return { ...file, hit: rest }
}
