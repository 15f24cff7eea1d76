/** A code index on zoekt servers, which index the repositories separately. See `docs/zoekt.md` for the setup. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import { CodeIndex, IndexError, type IndexState, type SearchTarget } from "../CodeIndex.ts"
import * as UnindexedSearch from "../UnindexedSearch.ts"
import * as Zoekt from "./Zoekt.ts"
import * as ZoektFiles from "./ZoektFiles.ts"
import * as ZoektSearch from "./ZoektSearch.ts"
import * as ZoektServers from "./ZoektServers.ts"

/** Maximum number of concurrent comparisons of repositories with zoekt. */
const CONCURRENCY = 8

/** Layer of the index on the servers at `urls`, which must run with `-rpc`. */
export const layer = (urls: ReadonlyArray<string>) =>
  Layer.effect(CodeIndex, make(urls)).pipe(Layer.provide(FetchHttpClient.layer))

const notIndexed = { pinned: [], files: 0, size: 0, leftOut: 0, unreadable: 0, impreciseSymbols: 0 }

const NO_RESPONSE = "A zoekt server does not respond. The files of its repositories are read with git, which is slow."
const IS_LOADING = "A zoekt server is loading its index, or failed on a part of it, so results can be missing."
const IS_CUT = `Zoekt returned only ${Zoekt.MAX_PATHS} files. Add words, repo: or path: to the query.`

const make = Effect.fnUntraced(function* (urls: ReadonlyArray<string>) {
  const snapshot = yield* ZoektServers.make(yield* Effect.forEach(urls, Zoekt.make))
  const { files, skipped } = yield* ZoektFiles.make
  /** The last commit of each repository that `apply` found in zoekt. Another server can have an older commit. */
  const applied = new Map<string, string>()

  const partOf = Effect.fnUntraced(function* (found: ZoektServers.Indexed | undefined, target: SearchTarget) {
    const committed = yield* files(target.gitDir, target.commit)
    if (committed === undefined) return yield* new IndexError({ detail: `git does not have ${target.commit}` })
    const wanted = ZoektFiles.withWorkTree(committed, target.workTree)
    const base = found === undefined ? undefined : yield* files(target.gitDir, found.commit)
    const unindexed: ZoektSearch.Part = { target, files: wanted, indexed: undefined, extra: [...wanted.values()] }
    if (found === undefined || base === undefined) return unindexed
    return yield* Effect.match(skipped(target.gitDir, found), {
      // The search of the server fails as well, and reports the failure.
      onFailure: () => unindexed,
      onSuccess: ({ text }): ZoektSearch.Part => {
        const extra = [...wanted.values()].filter(({ oid, path }) => base.get(path)?.oid !== oid || text.has(path))
        return { target, files: wanted, indexed: found, extra }
      }
    })
  })

  const search = Effect.fnUntraced(function* (query: CodeQuery, targets: ReadonlyArray<SearchTarget>) {
    const { failures, find, isPartial } = yield* snapshot
    const found = yield* Effect.forEach(
      targets,
      (target) => Effect.result(partOf(find(target, target.commit), target)),
      { concurrency: CONCURRENCY }
    )
    const parts = found.flatMap((one) => (one._tag === "Success" ? [one.success] : []))
    const failed = found.flatMap((one, target) =>
      one._tag === "Failure" ? [{ target, detail: one.failure.detail }] : []
    )
    const groups = ZoektSearch.groups(query, parts)
    const results = yield* Effect.forEach(
      groups,
      (group) =>
        Effect.map(Effect.result(ZoektSearch.run(group, group.server.ranked)), (result) => ({ group, result })),
      { concurrency: "unbounded" }
    )
    const works = results.flatMap(({ group, result }) =>
      result._tag === "Success" ? [{ group, found: result.success }] : []
    )
    const broken = results.flatMap(({ group, result }) =>
      result._tag === "Failure" ? [{ group, error: result.failure }] : []
    )
    const errors = [...failures, ...broken.map(({ error }) => error)]
    yield* Effect.forEach(errors, ({ message }) => Effect.logError(message), { discard: true })
    const hasCrashed = isPartial || works.some(({ found }) => (found.Crashes ?? 0) > 0)

    const selector = ZoektSearch.selector(query, targets, parts)
    const best = works
      .flatMap(({ found, group }) => (found.Files ?? []).map((match) => ({ group, match })))
      .sort((a, b) => b.match.Score - a.match.Score)
      .flatMap(({ group, match }) => selector.found(group, match))
    const extra = UnindexedSearch.sort(query, [
      ...parts.flatMap((part) => selector.read(part, part.extra)),
      ...broken.flatMap(({ group }) =>
        [...group.parts.values()].flat().flatMap((part) => selector.read(part, part.files.values()))
      )
    ])
    const size = ZoektSearch.BATCH_SIZE
    const known = [...best.slice(0, size), ...extra.slice(0, size), ...best.slice(size), ...extra.slice(size)]
    const unsent = works.filter(({ found }) => ZoektSearch.unsent(found) > 0)
    const left = unsent.reduce((sum, { found }) => sum + ZoektSearch.unsent(found), 0)
    const notes = [
      ...(errors.length > 0 ? [NO_RESPONSE] : []),
      ...(hasCrashed ? [IS_LOADING] : []),
      ...parts.flatMap(ZoektSearch.notes)
    ]
    const rest = Stream.mapEffect(Stream.fromIterable(unsent), ({ group }) =>
      Effect.map(ZoektSearch.run(group, group.server.paths), (found) => {
        const candidates = (found.Files ?? []).flatMap((match) => selector.found(group, match))
        const missing = ZoektSearch.unsent(found)
        const about = missing === 0 ? {} : { notes: [IS_CUT], isIncomplete: true }
        return Stream.fromIterable(ZoektSearch.batches(candidates, missing, about))
      })
    )
    const ready = ZoektSearch.batches(known, left, { failed, notes, isIncomplete: hasCrashed })
    return Stream.concat(Stream.fromIterable(ready), Stream.flatten(rest))
  })

  const stateOf = Effect.fnUntraced(function* (gitDir: string, found: ZoektServers.Indexed | undefined) {
    if (found === undefined) return { ...notIndexed, commit: null } satisfies IndexState
    const { others } = yield* Effect.orElseSucceed(skipped(gitDir, found), () => ({ others: [] }))
    const unreadable = others.filter(({ reason }) => reason === "unreadable").length
    const { bytes, commit, documents } = found
    return {
      commit,
      pinned: [],
      files: documents,
      size: bytes,
      leftOut: others.length,
      unreadable,
      impreciseSymbols: 0
    } satisfies IndexState
  })

  return CodeIndex.of({
    isShared: true,

    apply: Effect.fnUntraced(function* ({ commit, repository }) {
      const { failures, find } = yield* snapshot
      const found = find(repository, commit)
      if (found?.commit === commit) {
        applied.set(repository.gitDir, commit)
        return
      }
      const state = found === undefined ? "has not indexed it yet" : `has indexed ${AbbreviatedId.of(found.commit)}`
      const detail = `${repository.fullName} is at ${AbbreviatedId.of(commit)}, but zoekt ${state}`
      return yield* new IndexError({ detail: [detail, ...failures.map((failure) => failure.detail)].join(". ") })
    }),

    refine: () => Effect.succeed(0),

    // The servers remove a repository once the folder no longer exists.
    forget: (gitDir) => Effect.sync(() => void applied.delete(gitDir)),

    candidates: (query, targets) => Stream.unwrap(search(query, targets)),

    states: Effect.fnUntraced(function* (wanted) {
      const { find } = yield* snapshot
      return yield* Effect.forEach(wanted, (one) => stateOf(one.gitDir, find(one, applied.get(one.gitDir))), {
        concurrency: CONCURRENCY
      })
    }),

    languages: (repositories) => Effect.succeed(repositories.map(() => undefined)),

    leftOut: Effect.fnUntraced(function* (repository, limit) {
      const found = (yield* snapshot).find(repository, applied.get(repository.gitDir))
      return found === undefined ? [] : (yield* skipped(repository.gitDir, found)).others.slice(0, limit)
    })
  })
})
