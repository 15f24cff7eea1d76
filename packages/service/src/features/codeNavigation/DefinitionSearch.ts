/** Finds the definitions of a name, first the definitions that a position can see. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import * as Option from "effect/Option"
import type { Definition } from "@tongs/core/contract/groups/CodeNavigation"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { CodeSearch } from "../../search/CodeSearch.ts"
import { ContentSearchPool } from "../../search/ContentSearchPool.ts"
import * as CandidateOrder from "../../search/navigation/definitions/CandidateOrder.ts"
import type { Use } from "../../search/navigation/definitions/Use.ts"
import type { Place } from "../../search/navigation/Place.ts"
import type { NameScope, NameSearch, RequestPosition } from "./NameSearch.ts"
import type { PackageSearch } from "./PackageSearch.ts"

/** Time limit of a search from a position. */
const positionDeadline = Duration.seconds(1)

/** Time limit for searching other repositories, if the repository of the position has definitions of the name. */
const othersDeadline = Duration.millis(250)

/** Number of definitions with signature and documentation. Each requires parsing a file. */
const MAX_DESCRIBED = 3

/** Returns a declaration that scopes or imports found. */
const definitionOf = (served: ServedRepository, commit: string, place: Place): Definition => {
  const [owner = "", repo = ""] = served.fullName.split("/")
  return {
    name: place.name,
    kind: place.kind,
    line: place.line,
    column: place.column,
    end_line: place.endLine,
    ...(place.scope === undefined ? {} : { scope: place.scope }),
    owner,
    repo,
    path: place.path,
    commit,
    text: place.text
  }
}

const nothing = { found: [], isIncomplete: false }

const keyOf = ({ line, owner, path, repo }: Definition) => `${owner}/${repo} ${path}:${line}`

/** Creates the search for definitions. */
export const make = Effect.fnUntraced(function* (names: NameSearch, packages: PackageSearch) {
  const { deadline } = yield* CodeSearch
  const contents = yield* ContentSearchPool

  const describe = Effect.fnUntraced(function* (
    definitions: ReadonlyArray<Definition>,
    repositories: ReadonlyArray<ServedRepository>
  ) {
    const gitDirs = new Map(repositories.map(({ fullName, git }) => [fullName, git.gitDir]))
    const places = definitions.slice(0, MAX_DESCRIBED).map(({ commit, line, name, owner, path, repo }) => ({
      gitDir: gitDirs.get(`${owner}/${repo}`) ?? "",
      commit,
      path,
      name,
      line
    }))
    const texts = yield* contents.describe(places).pipe(
      Effect.timeoutOption(Duration.millis(500)),
      Effect.map(Option.getOrElse(() => [])),
      // Definitions without texts are still useful.
      Effect.orElseSucceed(() => [])
    )
    return definitions.map((one, at) => ({ ...one, ...texts[at] }))
  })

  /** Searches definitions by several names. */
  const search = Effect.fnUntraced(function* (searched: ReadonlyArray<string>, scope: NameScope) {
    const all = yield* Effect.forEach(searched, (one) => names.definitions(one, scope))
    return {
      found: all.flatMap((one) => one.found),
      isIncomplete: all.some((one) => one.isIncomplete)
    }
  })

  /** Finds the definitions of an imported name in the packages of other repositories. */
  const inPackages = Effect.fnUntraced(function* (
    name: string,
    use: Use | undefined,
    served: ServedRepository,
    repositories: ReadonlyArray<ServedRepository>
  ) {
    if (use === undefined) return nothing
    const found = yield* Effect.timeoutOption(packages.find(name, use, served, repositories), positionDeadline)
    return Option.match(found, {
      onNone: () => ({ found: [], isIncomplete: true }),
      onSome: ({ found, isIncomplete }) => ({
        found: found.map(({ commit, isCertain, packageName, place, served }) => ({
          ...definitionOf(served, commit, place),
          package: packageName,
          ...(isCertain ? { certain: true } : {})
        })),
        isIncomplete
      })
    })
  })

  /**
   * Finds the definitions of a name, first the definitions in `served`. Other repositories are searched unless scope or
   * imports lead to a definition.
   */
  const find = Effect.fnUntraced(function* (
    name: string,
    position: RequestPosition,
    served: ServedRepository,
    repositories: ReadonlyArray<ServedRepository>
  ) {
    const revision = yield* names.revisionOf(position, served)
    const context = yield* names.locate(name, position, served, revision)
    const located = context?.located
    const here =
      context === undefined
        ? []
        : context.located.found.map((one) => ({ ...definitionOf(served, context.commit, one), certain: true }))
    const elsewhere = here.length > 0 ? nothing : yield* inPackages(name, located?.use, served, repositories)
    const found = [...here, ...elsewhere.found]
    if (located?.isFinal === true)
      return { items: yield* describe(found, [...repositories, served]), isIncomplete: false }
    const searched = located?.names ?? [name]
    const own = yield* search(searched, {
      repositories: [served],
      revision,
      // Without a definition by scope or imports, an empty answer in time is useless.
      deadline: found.length === 0 ? deadline : positionDeadline
    })
    const others =
      found.length > 0
        ? nothing
        : yield* search(searched, {
            // The same array as for other requests, for which the search keeps the targets.
            repositories,
            revision: undefined,
            deadline: context === undefined ? deadline : own.found.length > 0 ? othersDeadline : positionDeadline
          })
    const isIncomplete =
      located?.isIncomplete === true || elsewhere.isIncomplete || own.isIncomplete || others.isIncomplete
    const candidates = [
      ...own.found.map((one) => ({ ...one, isHere: true })),
      ...others.found
        .filter(({ definition: { owner, repo } }) => `${owner}/${repo}` !== served.fullName)
        .map((one) => ({ ...one, isHere: false }))
    ]
    const ordered =
      located?.use === undefined
        ? candidates.map(({ definition }) => definition)
        : CandidateOrder.order(located.use, candidates)
    const known = new Set(found.map(keyOf))
    const byName = ordered.filter((one) => !known.has(keyOf(one)))
    // An import that leads to another repository leads to no definition in this one.
    const items = [
      ...found,
      ...(elsewhere.found.length > 0 ? byName.map((one) => Struct.omit(one, ["certain"])) : byName)
    ]
    return { items: yield* describe(items, [...repositories, served]), isIncomplete }
  })

  return { find }
})
