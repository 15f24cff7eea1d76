/** Searches names with the code index, and finds the meaning of a name at a position. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Definition } from "@tongs/core/contract/groups/CodeNavigation"
import { type CodeQuery, defaultOptions, type Expression } from "@tongs/core/query/CodeQuery"
import * as ApiError from "../../api/ApiError.ts"
import * as FileLookup from "../../api/FileLookup.ts"
import { LruCache } from "../../base/LruCache.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { CodeSearch } from "../../search/CodeSearch.ts"
import type { SearchHit, SearchOptions } from "../../search/SearchBatch.ts"
import { ContentSearchPool } from "../../search/ContentSearchPool.ts"
import type * as Navigation from "../../search/navigation/Navigation.ts"

/** The position of a name in a request. */
export interface RequestPosition {
  readonly path?: string
  readonly ref?: string
  readonly line?: number
  readonly column?: number
}

/** Maximum number of packages of a repository that imports can name. */
const MAX_PACKAGES = 500

/** A definition with the rank of its file. */
export interface RankedDefinition {
  readonly definition: Definition
  readonly rank: number
}

/** A search of names in some repositories. */
export interface NameScope {
  readonly repositories: ReadonlyArray<ServedRepository>
  /** The commit to search. Undefined for the default branches. */
  readonly revision: string | undefined
  readonly deadline: Duration.Duration
}

const exactly = (expression: Expression, revision: string | undefined): CodeQuery => ({
  ...defaultOptions,
  expression,
  revisions: revision === undefined ? [] : [revision],
  caseSensitive: true,
  wholeWord: true,
  inPath: false
})

const locationOf = ({ commit, path, served }: SearchHit) => {
  const [owner = "", repo = ""] = served.fullName.split("/")
  return { owner, repo, path, commit }
}

const definitionsOf = (hit: SearchHit, name: string): ReadonlyArray<Definition> => {
  const texts = new Map(hit.chunks.flatMap(({ lines }) => lines).map(({ number, text }) => [number, text] as const))
  return hit.definitions.flatMap((one) => {
    const text = texts.get(one.line)
    return text === undefined || (one.name !== name && !isMemberName(one.name, name))
      ? []
      : [{ ...one, ...locationOf(hit), text }]
  })
}

/** True for a name after a class: `Class::name`. */
const isMemberName = (defined: string, name: string) => defined.endsWith(`::${name}`) || defined.endsWith(`.${name}`)

const noPackages = { paths: [], isIncomplete: false }

/** Creates the searches that definitions and references share. */
export const make = Effect.gen(function* () {
  const search = yield* CodeSearch
  const contents = yield* ContentSearchPool
  const packages = new LruCache<ReadonlyArray<string>>(20_000)

  /** Collects hits until the end or the deadline. */
  const collect = Effect.fnUntraced(function* (expression: Expression, scope: NameScope) {
    const { deadline, revision } = scope
    const show: SearchOptions["show"] = { lines: "best", context: 0 }
    // Searches the work tree for the files of a snapshot, because the index has the parent commit.
    const isWorkTree = scope.repositories.some(({ original }) => original !== undefined)
    // Without a work tree the same array, for which the search keeps the targets.
    const repositories = isWorkTree ? scope.repositories.map((served) => served.original ?? served) : scope.repositories
    const views = new Map(scope.repositories.map((served) => [served.fullName, served]))
    const query = exactly(expression, isWorkTree ? undefined : revision)
    const inView = (hit: SearchHit): SearchHit =>
      isWorkTree
        ? { ...hit, served: views.get(hit.served.fullName) ?? hit.served, commit: revision ?? hit.commit }
        : hit
    const hits: Array<SearchHit> = []
    let isIncomplete = false
    const run = Effect.gen(function* () {
      const started = yield* search.search(query, repositories, {
        show,
        order: "best",
        deadline,
        searchesWorkTrees: isWorkTree
      })
      isIncomplete = started.isIncomplete
      yield* Stream.runForEach(started.found, (found) =>
        Effect.sync(() => {
          hits.push(...found.hits.map(inView))
          isIncomplete ||= found.isIncomplete === true
        })
      )
    })
    const ended = yield* Effect.timeoutOption(Effect.catchTag(run, "IndexError", Effect.die), deadline)
    return { hits, isIncomplete: isIncomplete || Option.isNone(ended) }
  })

  /** Returns the definitions of a name, the best files first. */
  const definitions = Effect.fnUntraced(function* (name: string, scope: NameScope) {
    const symbol: Expression = { _tag: "Symbol", name, exact: true, span: { start: 0, length: name.length } }
    const { hits, isIncomplete } = yield* collect(symbol, scope)
    const found = hits
      .toSorted((a, b) => b.rank - a.rank)
      .flatMap((hit) =>
        definitionsOf(hit, name).map((definition): RankedDefinition => ({ definition, rank: hit.rank }))
      )
    return { found, isIncomplete }
  })

  /** Returns the paths of the files that describe packages of a repository, if imports of a file can name packages. */
  const packagesOf = Effect.fnUntraced(function* (
    served: ServedRepository,
    commit: string,
    revision: string | undefined,
    path: string
  ) {
    if (!/\.(?:[cm]?[jt]sx?|vue|svelte)$/.test(path)) return noPackages
    const key = `${commit} ${served.git.gitDir}`
    const known = packages.get(key)
    if (known !== undefined) return { paths: known, isIncomplete: false }
    const { hits, isIncomplete } = yield* collect(
      { _tag: "Filter", filter: { name: "filename", value: "package.json" }, span: { start: 0, length: 0 } },
      { repositories: [served], revision, deadline: Duration.millis(400) }
    )
    const found = hits
      .map((hit) => hit.path)
      .filter((one) => /(?:^|\/)package\.json$/.test(one))
      .toSorted((a, b) => a.split("/").length - b.split("/").length)
      .slice(0, MAX_PACKAGES)
    if (!isIncomplete) packages.set(key, found, found.length + 1)
    return { paths: found, isIncomplete }
  })

  /** Returns the commit of a request, unless the commit is the tip of the default branch. Fails with `NotFound`. */
  const revisionOf = Effect.fnUntraced(function* ({ ref }: RequestPosition, { git }: ServedRepository) {
    if (ref === undefined) return undefined
    const commit = yield* git.resolve(ref)
    if (commit === undefined) return yield* ApiError.notFound()
    return commit === (yield* git.resolve("HEAD")) ? undefined : commit
  })

  /**
   * Finds the meaning of a name at a position. Undefined without a position. Fails with `NotFound` for a missing file.
   */
  const locate = Effect.fnUntraced(function* (
    name: string,
    { column, line, path, ref }: RequestPosition,
    served: ServedRepository,
    revision: string | undefined
  ) {
    if (path === undefined || path === "") return undefined
    const { commit } = yield* FileLookup.find(served, path, ref)
    const { isIncomplete, paths } = yield* packagesOf(served, commit, revision, path)
    const position: Navigation.Position = {
      gitDir: served.git.gitDir,
      commit,
      path,
      name,
      line,
      column,
      packages: paths
    }
    const located = yield* Effect.catchTag(contents.locate(position), "IndexError", Effect.die)
    // Without all packages, an import may lead nowhere.
    return {
      commit,
      located: { ...located, isIncomplete: located.isIncomplete || (isIncomplete && !located.isFinal) },
      packages: paths
    }
  })

  return { collect, definitions, locate, revisionOf }
})

/** The searches that definitions and references share. */
export type NameSearch = Effect.Success<typeof make>
