import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { CodeQuery, Expression, Filter } from "@tongs/core/query/CodeQuery"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { RepositoryOwnership } from "../repositories/RepositoryOwnership.ts"
import { LruCache } from "../base/LruCache.ts"
import * as Languages from "../git/values/Languages.ts"
import { CodeIndex, type IndexError } from "./CodeIndex.ts"
import { ContentSearchPool } from "./ContentSearchPool.ts"
import * as FileFilter from "./FileFilter.ts"
import * as LocalSearch from "./LocalSearch.ts"
import * as RepositoryExpressions from "./RepositoryExpressions.ts"
import { nameSome } from "./RepositoryNames.ts"
import type { RunSearch, Search, SearchOptions } from "./SearchBatch.ts"

/** Default deadline of a search in milliseconds. */
const DEFAULT_DEADLINE = 4_000

/** Code search: finds candidates with the index, and verifies the content. */
export class CodeSearch extends Context.Service<
  CodeSearch,
  {
    /** Configured time limit of a search. */
    readonly deadline: Duration.Duration
    /** Starts a search of the given repositories. Does not check access. */
    readonly search: (
      query: CodeQuery,
      repositories: ReadonlyArray<ServedRepository>,
      options: SearchOptions
    ) => Effect.Effect<Search, IndexError>
  }
>()("@tongs/service/search/CodeSearch") {
  /** Layer with a deadline in milliseconds, by default 4 seconds. */
  static readonly layer = (options: { readonly deadline?: number | undefined } = {}) =>
    Layer.effect(
      CodeSearch,
      Effect.suspend(() => make(Duration.millis(options.deadline ?? DEFAULT_DEADLINE)))
    )
}

/** Returns the repositories that the `repo`, `user` and `org` filters of a query admit. */
export const selectRepositories = (
  query: CodeQuery,
  repositories: ReadonlyArray<ServedRepository>
): ReadonlyArray<ServedRepository> => {
  const key = admissionKey(query.expression)
  if (key === undefined) return repositories
  const known = selections.get(repositories) ?? new LruCache(MAX_SELECTED)
  selections.set(repositories, known)
  const selected = known.get(key)
  if (selected !== undefined) return selected
  const admits = compileAdmission(query.expression) ?? depends
  const made = repositories.filter(({ fullName }) => admits(fullName) !== false)
  // The same array for each search, so that what is computed for the array is computed once.
  const all = made.length === repositories.length ? repositories : made
  known.set(key, all, made.length + key.length + 1)
  return all
}

/** Maximum weight of the selections from one array of repositories: their repositories, and characters of the filters. */
const MAX_SELECTED = 50_000

/** Selections from arrays of repositories, by the filters of the query. */
const selections = new WeakMap<ReadonlyArray<ServedRepository>, LruCache<ReadonlyArray<ServedRepository>>>()

/** Prints the filters for repositories. Undefined if the expression has none. */
const admissionKey = (self: Expression): string | undefined => {
  switch (self._tag) {
    case "And":
    case "Or": {
      const parts = (self._tag === "And" ? self.all : self.any).map(admissionKey)
      const isFilter = parts.length === 0 || parts.some((part) => part !== undefined)
      return isFilter ? `${self._tag}(${parts.map((part) => part ?? "").join(" ")})` : undefined
    }
    case "Not": {
      const part = admissionKey(self.not)
      return part === undefined ? undefined : `Not(${part})`
    }
    case "Filter": {
      const { filter } = self
      return isRepositoryFilter(filter) ? JSON.stringify(filter) : undefined
    }
    default:
      return undefined
  }
}

/** Returns true if a query admits all files of a repository, false if none, undefined if that depends on the file. */
type Admission = (fullName: string) => boolean | undefined

const depends: Admission = () => undefined

/** Compiles the filters for repositories. Undefined if the expression has none. */
const compileAdmission = (self: Expression): Admission | undefined => {
  switch (self._tag) {
    case "And":
      return combineAdmissions(self.all, false)
    case "Or":
      return combineAdmissions(self.any, true)
    case "Not": {
      const admits = compileAdmission(self.not)
      if (admits === undefined) return undefined
      return (fullName) => {
        const is = admits(fullName)
        return is === undefined ? undefined : !is
      }
    }
    case "Filter": {
      if (!isRepositoryFilter(self.filter)) return undefined
      const admits = FileFilter.make(self.filter)
      return (fullName) => admits({ fullName, path: "", size: 0 })
    }
    default:
      return undefined
  }
}

/** Combines parts: `decisive` if one part is `decisive`, the opposite if all parts are the opposite. */
const combineAdmissions = (parts: ReadonlyArray<Expression>, decisive: boolean): Admission | undefined => {
  const names = new Set<string>()
  const admissions: Array<Admission> = []
  let hasFilter = parts.length === 0
  for (const part of parts) {
    // A resolved expression can name thousands of repositories.
    if (decisive && part._tag === "Filter" && part.filter.name === "repo" && part.filter.match === undefined) {
      names.add(part.filter.value.toLowerCase())
      continue
    }
    const admits = compileAdmission(part)
    if (admits !== undefined) hasFilter = true
    admissions.push(admits ?? depends)
  }
  if (names.size > 0) admissions.unshift((fullName) => names.has(fullName.toLowerCase()))
  if (!hasFilter && names.size === 0) return undefined
  return (fullName) => {
    let result: boolean | undefined = !decisive
    for (const admits of admissions) {
      const is = admits(fullName)
      if (is === decisive) return decisive
      if (is === undefined) result = undefined
    }
    return result
  }
}

const isRepositoryFilter = ({ name }: Filter) => name === "repo" || name === "user" || name === "org"

/** Removes the conditions that all files of the selected repositories fulfil, so that they are not tested again. */
export const withoutRepositoryFilters = (query: CodeQuery): CodeQuery => {
  const { expression } = query
  if (expression._tag !== "And") return query
  const all = expression.all.filter((part) => !hasOnlyRepositoryFilters(part))
  return all.length === 0 ? query : { ...query, expression: { ...expression, all } }
}

const hasOnlyRepositoryFilters = (self: Expression): boolean => {
  switch (self._tag) {
    case "And":
      return self.all.every(hasOnlyRepositoryFilters)
    case "Or":
      return self.any.every(hasOnlyRepositoryFilters)
    case "Not":
      return hasOnlyRepositoryFilters(self.not)
    default:
      return self._tag === "Filter" && isRepositoryFilter(self.filter)
  }
}

/** Explains that no repository has the names of the query. Names only the given ones, which the caller can read. */
const noRepository = (repositories: ReadonlyArray<ServedRepository>): ReadonlyArray<string> => {
  if (repositories.length === 0) return ["There is no repository that you can read."]
  const all = nameSome(repositories.map(({ fullName }) => `repo:${fullName}`))
  return [`No repository matches repo:, user: and org: of the query. Searchable: ${all}.`]
}

/** Returns known languages with names similar to unknown languages of a query. */
const similarLanguages = (self: Expression): ReadonlyArray<string> => {
  switch (self._tag) {
    case "And":
      return self.all.flatMap(similarLanguages)
    case "Or":
      return self.any.flatMap(similarLanguages)
    case "Not":
      return similarLanguages(self.not)
    case "Filter": {
      if (self.filter.name !== "language") return []
      const { value } = self.filter
      const similar = Languages.similarLanguage(value)
      return similar === undefined ? [] : [`No language is called ${value}. Write language:${similar}.`]
    }
    default:
      return []
  }
}

const make = Effect.fnUntraced(function* (deadline: Duration.Duration) {
  const verifiers = yield* ContentSearchPool
  const local = yield* LocalSearch.make
  const ownership = yield* RepositoryOwnership
  const { isShared } = yield* CodeIndex
  const run: RunSearch =
    ownership.runner === null || isShared
      ? (query, repositories, options) => Effect.map(local(query, repositories, options), LocalSearch.toSearch)
      : yield* Effect.flatMap(
          Effect.promise(() => import("./cluster/ClusterSearch.ts")),
          (ClusterSearch) => ClusterSearch.make(local)
        )

  return CodeSearch.of({
    deadline,
    search: Effect.fn("CodeSearch.search")(function* (given, repositories, options) {
      const resolved = yield* RepositoryExpressions.resolve(given, repositories, (source, names) =>
        verifiers.matchNames(source, names)
      )
      const scope = selectRepositories(resolved, repositories)
      const query = withoutRepositoryFilters(resolved)
      const started = yield* run(query, scope, options, withoutRepositoryFilters(given))
      return {
        ...started,
        notes: [
          ...(scope.length === 0 ? noRepository(repositories) : []),
          ...similarLanguages(query.expression),
          ...started.notes
        ]
      }
    })
  })
})
