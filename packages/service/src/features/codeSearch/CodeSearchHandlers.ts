import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Result from "effect/Result"
import { CodeSearch as CodeSearchGroup } from "@tongs/core/contract/groups/CodeSearch"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import type { GitRepository } from "../../git/GitRepository.ts"
import { RepositoryRegistry, type ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { accountKey } from "../../access/Caller.ts"
import { CallerRepositories } from "../../access/CallerRepositories.ts"
import { CodeSearch, selectRepositories } from "../../search/CodeSearch.ts"
import { nameSome } from "../../search/RepositoryNames.ts"
import * as CommitSearch from "../../search/CommitSearch.ts"
import * as CommitCursor from "../../search/commits/CommitCursor.ts"
import * as CommitEvents from "./CommitEvents.ts"
import * as SearchEvents from "./SearchEvents.ts"
import * as QueryNames from "../../search/QueryNames.ts"
import * as DocumentText from "../../search/text/DocumentText.ts"
import { ContentSearchPool } from "../../search/ContentSearchPool.ts"
import { SearchCaller } from "../../search/SearchCaller.ts"
import { WorkTrees } from "../../search/worktree/WorkTrees.ts"
import * as FileLookup from "../../api/FileLookup.ts"

/** The default and the maximum of each option of a search. */
const bounds = { limit: [200, 1_000], context: [1, 10], deadline: [4_000, 60_000] } as const

/** Maximum number of files of a search for all lines, and of lines around a match. */
const MAX_FILES = 1_000_000
const MAX_CONTEXT = 1_000

const bounded = (name: keyof typeof bounds, given: number | undefined): number => {
  const [usual, most] = bounds[name]
  return Math.min(given ?? usual, most)
}

const parse = (q: string) =>
  Result.match(CodeQueryParser.parse(q), {
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

const parseCursor = (cursor: string) => {
  const position = CommitCursor.parse(cursor)
  return position === undefined
    ? Effect.fail(ApiError.invalid("Validation Failed", [{ resource: "Search", field: "cursor", code: "invalid" }]))
    : Effect.succeed(position)
}

/** Returns the reason why the index leaves a file out. */
const leftOutReason = Effect.fnUntraced(function* (git: GitRepository, oid: string, size: number) {
  if (size >= DocumentText.MAX_BYTES) return "size"
  const bytes = (yield* git.blob(oid))?.bytes ?? Buffer.alloc(0)
  const read = DocumentText.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  return read._tag === "LeftOut" ? read.reason : undefined
})

export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const repositories = yield* CallerRepositories
  const search = yield* CodeSearch
  const contents = yield* ContentSearchPool
  const findCommits = yield* CommitSearch.make
  const workTrees = yield* WorkTrees
  /** Names the unserved repositories, unless the query is limited to some repositories. */
  const unservedNotes = (query: CodeQuery.CodeQuery, readable: ReadonlyArray<ServedRepository>) =>
    registry.unserved.length === 0 || selectRepositories(query, readable).length < readable.length
      ? []
      : [`Not served, so not searched: ${nameSome(registry.unserved)}.`]

  return group(CodeSearchGroup)({
    *search({ context, cursor, deadline, facets, limit, lines, q, source }, { caller }) {
      const query = yield* parse(q)
      const wanted = limit ?? query.count
      const show =
        lines === "all"
          ? ({ lines: "complete", context: Math.min(context ?? 1, MAX_CONTEXT) } as const)
          : ({ lines: "best", context: bounded("context", context) } as const)
      const readable = yield* repositories.readable(caller)
      // Only a site administrator may know the folders of this machine.
      const isAdministrator = caller.kind === "classic" && caller.user.site_admin === 1
      const notes = isAdministrator ? unservedNotes(query, readable) : []
      if (query.kind !== "file") {
        const position = cursor === undefined ? undefined : yield* parseCursor(cursor)
        const found = findCommits(query, readable, { cursor: position })
        for (const note of notes) found.notes.add(note)
        const commits = CommitEvents.make(found, {
          limit: Math.min(bounded("limit", limit), query.count ?? Number.POSITIVE_INFINITY),
          deadline: Duration.millis(bounded("deadline", deadline))
        })
        return Stream.provideService(commits, SearchCaller, accountKey(caller))
      }
      const refusal =
        source === "work_trees"
          ? workTrees.refusal(caller.kind === "anonymous" ? undefined : caller.tokenHash)
          : undefined
      const files = SearchEvents.make(search, query, readable, {
        searchesWorkTrees: source === "work_trees" && refusal === undefined,
        notes: refusal === undefined ? notes : [...notes, refusal],
        limit: lines === "all" ? Math.min(wanted ?? MAX_FILES, MAX_FILES) : bounded("limit", wanted),
        show,
        countsAll: facets === "all",
        deadline: Duration.millis(bounded("deadline", deadline)),
        // An expression can take unbounded time on the first file.
        waitsForFirst: deadline === undefined && !QueryNames.hasRegex(query)
      })
      return Stream.provideService(files, SearchCaller, accountKey(caller))
    },

    *getMatches({ path, q, ref }, { caller, repository }) {
      const query = yield* parse(q)
      const leaves = CodeQuery.positiveLeaves(query.expression)
      const { oid, size } = yield* FileLookup.find(repository, path, ref)
      if (leaves.length === 0) return { lines: [] }
      const { fullName, git } = repository
      const verified = yield* contents
        .verify({
          // The query's conditions on files do not apply, because the request names the file.
          query: { ...query, expression: CodeQuery.or(leaves), inContent: true },
          candidates: [{ targets: [0], gitDir: git.gitDir, fullName, path, oid, size, definitions: undefined }],
          show: { lines: "all", context: 0 }
        })
        .pipe(
          Effect.timeoutOption(search.deadline),
          Effect.catchTag("IndexError", Effect.die),
          Effect.provideService(SearchCaller, accountKey(caller))
        )
      if (Option.isNone(verified)) return { lines: [], missing: "deadline" }
      const { hits, problem } = verified.value
      if (problem !== undefined) return yield* Effect.die(new Error(problem))
      if (hits.length > 0) return { lines: hits[0]?.chunks.flatMap(({ lines }) => lines) ?? [] }
      const missing = yield* leftOutReason(git, oid, size)
      return { lines: [], ...(missing === undefined ? {} : { missing }) }
    }
  })
})
