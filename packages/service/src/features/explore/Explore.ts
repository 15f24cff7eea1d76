/** What the explorer asks of the code index, beside the contract (`core/explore`). */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type {
  Blame as BlameAnswer,
  Definition,
  Definitions,
  Index,
  IndexedRepository,
  LeftOut,
  Matches,
  Outline
} from "@tongs/core/explore/Explore"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import { Git } from "../../git/Git.ts"
import type { GitError } from "../../git/GitError.ts"
import type { GitRepository } from "../../git/GitRepository.ts"
import type { Caller } from "../../access/Caller.ts"
import * as ApiError from "../../api/ApiError.ts"
import { CodeIndex, IndexError } from "../../search/CodeIndex.ts"
import * as CodeSearch from "../../search/CodeSearch.ts"
import { Indexer, type IndexStatus } from "../../search/Indexer.ts"
import * as DocumentText from "../../search/text/DocumentText.ts"
import { ContentSearchPool } from "../../search/ContentSearchPool.ts"
import * as Blame from "./Blame.ts"
import * as SearchEvents from "./SearchEvents.ts"
import * as FileLookup from "./FileLookup.ts"

const prefix = "/tongs/"

type Failure = ApiError.ApiError | GitError

interface Request {
  readonly query: URLSearchParams
  readonly caller: Caller
}

export class Explore extends Context.Service<
  Explore,
  {
    /** Whether a path is one of these. */
    has(path: string): boolean
    answer(
      method: string,
      path: string,
      request: Request
    ): Effect.Effect<HttpServerResponse.HttpServerResponse, Failure>
  }
>()("@tongs/service/features/explore/Explore") {
  static readonly layer = Layer.effect(
    Explore,
    Effect.suspend(() => make)
  )
}

/** Files of a search, lines around a match, and milliseconds; those that are not said, and the most. */
const limits = { limit: [200, 1_000], context: [1, 10], deadline: [4_000, 60_000] } as const

/** Definitions of a name that are told, and files that are not in the index. */
const maxDefinitions = 50
const maxLeftOut = 1_000

/** Repositories whose commits and languages are looked up side by side. */
const concurrency = 8

const make = Effect.gen(function* () {
  const index = yield* CodeIndex
  const indexer = yield* Indexer
  const search = yield* CodeSearch.CodeSearch
  const verifiers = yield* ContentSearchPool
  const places = yield* FileLookup.make
  const blame = Blame.make(yield* Git)

  const results = Effect.fnUntraced(function* ({ caller, query }: Request) {
    const code = yield* parse(query)
    const options = {
      limit: yield* number(query, "limit"),
      context: yield* number(query, "context"),
      deadline: Duration.millis(yield* number(query, "deadline"))
    }
    const events = yield* Effect.provideService(
      SearchEvents.make(code, yield* places.visible(caller), options),
      CodeSearch.CodeSearch,
      search
    )
    const lines = Stream.map(events, (event) => `${JSON.stringify(event)}\n`)
    return HttpServerResponse.stream(Stream.encodeText(lines), {
      contentType: "application/x-ndjson",
      headers: { "cache-control": "no-store" }
    })
  })

  const matches = Effect.fnUntraced(function* ({ caller, query }: Request) {
    const code = yield* parse(query)
    const sought = CodeQuery.positiveLeaves(code.expression)
    const { served, oid, path, size } = yield* places.file(caller, query)
    const { fullName, git } = served
    const candidate = { gitDir: git.gitDir, fullName, path, oid, size, definitions: undefined }
    if (sought.length === 0) return json({ lines: [] } satisfies Matches)
    // Where it stands, whatever the query says of which files.
    const verified = yield* verifiers
      .verify({
        query: { ...code, expression: CodeQuery.or(sought), inContent: true },
        candidates: [candidate],
        show: "lines"
      })
      .pipe(Effect.timeoutOption(search.deadline))
    if (Option.isNone(verified)) return json({ lines: [], missing: "deadline" } satisfies Matches)
    const { hits, problem } = verified.value
    if (problem !== undefined) return yield* new IndexError({ detail: problem })
    if (hits.length > 0) return json({ lines: hits[0]?.chunks[0]?.lines ?? [] } satisfies Matches)
    const missing = yield* leftOutBecause(git, oid, size)
    return json({ lines: [], ...(missing === undefined ? {} : { missing }) } satisfies Matches)
  })

  const symbols = Effect.fnUntraced(function* ({ caller, query }: Request) {
    const { served, oid, path } = yield* places.file(caller, query)
    const symbols = yield* verifiers.outline({ gitDir: served.git.gitDir, oid, path })
    return json({ symbols } satisfies Outline)
  })

  const definitions = Effect.fnUntraced(function* ({ caller, query }: Request) {
    const name = query.get("name") ?? ""
    if (name === "") return yield* ApiError.invalid("Validation Failed", [missing("name")])
    const here = `${query.get("owner")}/${query.get("repo")}`.toLowerCase()
    const code: CodeQuery.CodeQuery = {
      expression: { _tag: "Symbol", name, exact: true, span: { start: 0, length: name.length } },
      caseSensitive: true,
      wholeWord: false,
      inContent: true,
      inPath: false
    }
    const found: Array<CodeSearch.SearchHit> = []
    const options = { show: { context: 0 }, order: "best", deadline: search.deadline } as const
    const run = Effect.flatMap(search.search(code, yield* places.visible(caller), options), (started) =>
      Stream.runForEach(started.found, ({ hits }) => Effect.sync(() => found.push(...hits)))
    )
    yield* Effect.timeoutOption(run, search.deadline)
    const isHere = ({ served }: CodeSearch.SearchHit) => (served.fullName.toLowerCase() === here ? 1 : 0)
    const ordered = found.sort((a, b) => isHere(b) - isHere(a) || b.rank - a.rank).flatMap(definitionsOf)
    return json({ definitions: ordered.slice(0, maxDefinitions) } satisfies Definitions)
  })

  const blamed = Effect.fnUntraced(function* ({ caller, query }: Request) {
    const { commit, served, path } = yield* places.file(caller, query)
    return json({ ranges: yield* blame(served.git.gitDir, commit, path) } satisfies BlameAnswer)
  })

  const state = Effect.fnUntraced(function* ({ caller }: Request) {
    const statuses = yield* indexer.statuses(yield* places.visible(caller), 0)
    const repositories = yield* Effect.forEach(statuses, describe(caller), { concurrency })
    return json({ repositories } satisfies Index)
  })

  const leftOut = Effect.fnUntraced(function* ({ caller, query }: Request) {
    const { fullName, git } = yield* places.repository(caller, query)
    const files = yield* index.leftOut({ gitDir: git.gitDir, fullName }, maxLeftOut)
    return json({ files } satisfies LeftOut)
  })

  const handlers = new Map<
    string,
    (request: Request) => Effect.Effect<HttpServerResponse.HttpServerResponse, Failure | IndexError>
  >([
    ["search", results],
    ["matches", matches],
    ["symbols", symbols],
    ["definitions", definitions],
    ["blame", blamed],
    ["index", state],
    ["index/left-out", leftOut]
  ])

  return Explore.of({
    has: (path) => path.startsWith(prefix),
    answer: (method, path, request) => {
      const handler = handlers.get(path.slice(prefix.length))
      if (handler === undefined) return Effect.fail(ApiError.notFound())
      if (method !== "GET")
        return Effect.fail(ApiError.unreadableRequest(405, `${method} is not allowed here; GET would be`))
      return Effect.catchTag(handler(request), "IndexError", Effect.die)
    }
  })
})

const json = (value: unknown) =>
  HttpServerResponse.text(JSON.stringify(value), { contentType: "application/json; charset=utf-8" })

const missing = (field: string) => ({ resource: "Search", field, code: "missing_field", message: `Give a ${field}.` })

const parse = (query: URLSearchParams): Effect.Effect<CodeQuery.CodeQuery, ApiError.ApiError> =>
  Result.match(CodeQueryParser.parse(query.get("q") ?? ""), {
    onSuccess: Effect.succeed,
    onFailure: (problems) =>
      Effect.fail(
        ApiError.invalid(
          "Validation Failed",
          problems.map(({ length, message, start }) => ({
            resource: "Search",
            field: "q",
            code: "invalid",
            message,
            value: { start, length }
          }))
        )
      )
  })

const number = (query: URLSearchParams, name: keyof typeof limits): Effect.Effect<number, ApiError.ApiError> => {
  const [usual, most] = limits[name]
  const text = query.get(name)
  if (text === null) return Effect.succeed(usual)
  if (/^\d{1,9}$/.test(text)) return Effect.succeed(Math.min(Number(text), most))
  const message = `Write ${name} as a number from 0 to ${most}.`
  return Effect.fail(
    ApiError.invalid("Validation Failed", [{ resource: "Search", field: name, code: "invalid", message }])
  )
}

const definitionsOf = (hit: CodeSearch.SearchHit): ReadonlyArray<Definition> => {
  const { chunks, commit, definitions, served, path } = hit
  const [owner = "", repo = ""] = served.fullName.split("/")
  const lines = new Map(chunks.flatMap((chunk) => chunk.lines.map(({ number, text }) => [number, text] as const)))
  return definitions.flatMap((one) => {
    const text = lines.get(one.line)
    return text === undefined ? [] : [{ ...one, owner, repo, commit, path, text }]
  })
}

/** Why a file is not searched. */
const leftOutBecause = Effect.fnUntraced(function* (git: GitRepository, oid: string, size: number) {
  if (size >= DocumentText.maxBytes) return "size"
  const bytes = (yield* git.blob(oid))?.bytes ?? Buffer.alloc(0)
  const read = DocumentText.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  return read._tag === "LeftOut" ? read.reason : undefined
})

const describe =
  (caller: Caller) =>
  (status: IndexStatus): Effect.Effect<IndexedRepository> => {
    const { commit, files, served, leftOut, phase, problem, progress, size } = status
    const [owner = "", repo = ""] = served.fullName.split("/")
    const known = { owner, repo, state: phase, commit, files, size, leftOut }
    // It tells of folders and addresses, which are nobody's who has no account here.
    const tell = (problem: string | undefined) =>
      problem === undefined || caller.kind === "anonymous" ? {} : { problem }
    return Effect.match(inGit(status), {
      onSuccess: (found): IndexedRepository => ({
        ...known,
        ...found,
        ...tell(problem),
        ...(progress === undefined ? {} : { progress })
      }),
      // What git cannot tell of one repository is no reason to tell nothing of the others.
      onFailure: ({ message }): IndexedRepository => ({
        ...known,
        ...tell(problem ?? message),
        state: "failed",
        committedAt: null,
        languages: []
      })
    })
  }

const inGit = Effect.fnUntraced(function* ({ commit, served, tip }: IndexStatus) {
  const known = tip === undefined ? undefined : yield* served.git.commit(tip)
  const languages = known === undefined ? [] : (yield* served.git.census(known.tree)).languages
  const made = commit === null ? undefined : yield* served.git.commit(commit)
  return {
    committedAt: made === undefined ? null : new Date(made.committer.seconds * 1000).toISOString(),
    languages: languages.map(({ bytes, name }) => ({ name, size: bytes }))
  }
})
