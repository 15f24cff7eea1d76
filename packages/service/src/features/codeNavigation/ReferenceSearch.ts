/** Finds the uses of a name in a repository, and in the repositories that import its package. */
import { createHash } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Reference } from "@tongs/core/contract/groups/CodeNavigation"
import { LruCache } from "../../base/LruCache.ts"
import { languageOf } from "../../git/values/Languages.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { CodeSearch } from "../../search/CodeSearch.ts"
import type { SearchHit } from "../../search/SearchBatch.ts"
import { ContentSearchPool } from "../../search/ContentSearchPool.ts"
import * as CandidateOrder from "../../search/navigation/definitions/CandidateOrder.ts"
import { familyOf } from "../../search/navigation/LanguageFamily.ts"
import type { ReferencesInput } from "../../search/navigation/Navigation.ts"
import type { Place } from "../../search/navigation/Place.ts"
import type { NameSearch, RequestPosition } from "./NameSearch.ts"
import * as PackageReferenceSearch from "./PackageReferenceSearch.ts"
import type { ExportedPlace, PackageSearch } from "./PackageSearch.ts"

/** Number of files read at a time. */
const BATCH_SIZE = 64

/** Maximum number of lines in all cached results together, and milliseconds for which results are cached. */
const MAX_CACHED = 50_000
const MAX_AGE = 60_000

/** Maximum number of other names by which modules pass on a definition. */
const MAX_ALIASES = 3

/** The file of a position, with the definition in the package of another repository to which it leads. */
type Position = NonNullable<Effect.Success<ReturnType<NameSearch["locate"]>>> & {
  readonly elsewhere: ReadonlyArray<ExportedPlace>
}

interface Search {
  readonly position: Position | undefined
  readonly served: ServedRepository
  readonly revision: string | undefined
  readonly targets: ReferencesInput["definitions"]
}

interface Found {
  readonly items: ReadonlyArray<Reference>
  readonly isIncomplete: boolean
}

const nothing: Found = { items: [], isIncomplete: false }

/** Creates the search for references. */
export const make = Effect.fnUntraced(function* (names: NameSearch, packages: PackageSearch) {
  const packageReferences = yield* PackageReferenceSearch.make(names, packages)
  const search = yield* CodeSearch
  const contents = yield* ContentSearchPool
  /** Results of the last searches, for further pages. */
  const cached = new LruCache<Found & { readonly until: number }>(MAX_CACHED)

  /** Returns the definitions to which a position leads: by scope and imports, or else the best candidate. */
  const targetsOf = Effect.fnUntraced(function* (
    name: string,
    position: RequestPosition,
    served: ServedRepository,
    revision: string | undefined,
    repositories: ReadonlyArray<ServedRepository>
  ) {
    const context = yield* names.locate(name, position, served, revision)
    if (context === undefined) return undefined
    const { found, use } = context.located
    const [first] = found
    if (first !== undefined || use === undefined) return { ...context, targets: found, elsewhere: [], isCut: false }
    const inPackages = yield* packages.find(name, use, served, repositories)
    const elsewhere = inPackages.found.filter(({ isCertain }) => isCertain)
    const isCut = inPackages.isIncomplete
    if (elsewhere.length > 0) return { ...context, targets: [], elsewhere, isCut }
    const others = yield* Effect.forEach(context.located.names, (one) =>
      names.definitions(one, { repositories: [served], revision, deadline: search.deadline })
    )
    const candidates = others.flatMap((one) => one.found.map((each) => ({ ...each, isHere: true })))
    const ordered = CandidateOrder.order(use, candidates)
    const best = ordered.filter(
      (one) => one.certain === true && one.scope === ordered[0]?.scope && one.path === ordered[0]?.path
    )
    const targets = best.map(({ kind, line, name, path, scope }): ReferencesInput["definitions"][number] => ({
      path,
      name,
      line,
      kind,
      scope,
      level: isMember(kind) || scope !== undefined ? "member" : "file",
      range: [0, Number.MAX_SAFE_INTEGER]
    }))
    return { ...context, targets, elsewhere, isCut }
  })

  /** Finds the uses by one name of the definitions. */
  const usesOf = Effect.fnUntraced(function* (
    name: string,
    { position, revision, served, targets }: Search,
    end: number
  ) {
    const [first] = targets
    const isLocal = first?.level === "local" && position !== undefined
    const { hits, isIncomplete } = isLocal
      ? { hits: [], isIncomplete: false }
      : yield* names.collect(
          { _tag: "Text", text: name, span: { start: 0, length: name.length } },
          { repositories: [served], revision, deadline: search.deadline }
        )
    const ordered = inOrder(name, hits, first)
    const paths = isLocal ? [first.path] : ordered.map(({ path }) => path)
    const commit = isLocal ? position.commit : (ordered[0]?.commit ?? position?.commit)
    const items: Array<Reference> = []
    const aliases = new Set<string>()
    if (commit === undefined) return { items, aliases, isIncomplete }
    const [owner = "", repo = ""] = served.fullName.split("/")
    const input: Omit<ReferencesInput, "files"> = {
      gitDir: served.git.gitDir,
      commit,
      name,
      definitions: targets,
      isMember: position?.located.use?.role === undefined ? undefined : position.located.use.isMember,
      of: paths.length,
      packages: position?.packages ?? [],
      containers: containersOf(name, hits),
      isOnly:
        targets.length > 0 &&
        hits.every(({ definitions, path }) =>
          definitions.every(
            (one) => one.name !== name || targets.some((target) => target.path === path && target.line === one.line)
          )
        ),
      defined: definedIn(name, targets, hits)
    }
    let isOver = false
    let isLate = false
    for (let at = 0; at < paths.length && !isOver; at += BATCH_SIZE) {
      const found = yield* Effect.catchTag(
        contents.references({ ...input, files: paths.slice(at, at + BATCH_SIZE) }),
        "IndexError",
        Effect.die
      )
      isLate ||= found === undefined
      for (const use of found?.uses ?? []) items.push({ owner, repo, commit, ...use })
      for (const alias of found?.aliases ?? []) aliases.add(alias)
      isOver = at + BATCH_SIZE < paths.length && (yield* Clock.currentTimeMillis) > end
    }
    return { items, aliases, isIncomplete: isIncomplete || isOver || isLate }
  })

  const run = Effect.fnUntraced(function* (
    name: string,
    request: RequestPosition,
    served: ServedRepository,
    revision: string | undefined,
    repositories: ReadonlyArray<ServedRepository>
  ) {
    const end = (yield* Clock.currentTimeMillis) + 2 * Duration.toMillis(search.deadline)
    const position = yield* targetsOf(name, request, served, revision, repositories)
    const targets = position?.targets ?? []
    const own = targets[0]?.name ?? name
    const one: Search = { position, served, revision, targets }
    const found = yield* usesOf(own, one, end)
    const aliases = [...found.aliases].slice(0, MAX_ALIASES)
    const others = yield* Effect.forEach(aliases, (alias) => usesOf(alias, one, end))
    const all = [found, ...others, yield* inPackages(own, one, aliases, repositories, end)]
    // A key of an object can define a method. The definition is not a use of the method.
    const isOwn = ({ line, matches, path, repo }: Reference) =>
      position?.located.use?.role === "key" &&
      !path.endsWith(".go") &&
      path === request.path &&
      repo === served.row.name &&
      line === request.line &&
      matches.length === 1
    const items = all.flatMap((one) => one.items).filter((item) => !isOwn(item))
    const byPlace = new Map(items.map((item) => [`${item.owner}/${item.repo} ${item.path}:${item.line}`, item]))
    const isLate = position?.located.isIncomplete === true || position?.isCut === true
    const { certain = [], possible = [] } = Object.groupBy(byPlace.values(), (item) =>
      item.certain === true ? "certain" : "possible"
    )
    return { items: [...certain, ...possible], isIncomplete: isLate || all.some(({ isIncomplete }) => isIncomplete) }
  })

  /**
   * Finds the uses of a definition by its package: those in other repositories, and in this repository if the definition
   * is in another one.
   */
  const inPackages = Effect.fnUntraced(function* (
    name: string,
    { position, revision, served, targets }: Search,
    aliases: ReadonlyArray<string>,
    repositories: ReadonlyArray<ServedRepository>,
    end: number
  ) {
    if (position === undefined) return nothing
    if (targets.length > 0) {
      const home = { served: served.original ?? served, commit: position.commit, targets }
      return yield* packageReferences.find(
        home,
        [name, ...aliases],
        { repositories: [], revision: undefined },
        repositories,
        end
      )
    }
    const { elsewhere } = position
    const [first] = elsewhere
    if (first === undefined) return nothing
    const home = { served: first.served, commit: first.commit, targets: elsewhere.map(({ place }) => place) }
    const there = { position: undefined, served: first.served, revision: undefined, targets: home.targets }
    const own = yield* usesOf(first.place.name, there, end)
    const searched = [...new Set([first.place.name, ...position.located.names])].slice(0, MAX_ALIASES)
    const others = yield* packageReferences.find(
      home,
      searched,
      { repositories: [served], revision },
      repositories,
      end
    )
    return {
      items: [...others.items, ...own.items],
      isIncomplete: own.isIncomplete || others.isIncomplete
    }
  })

  /** Finds the lines that use a name, first in the definition's file, then in the best files. */
  const find = Effect.fnUntraced(function* (
    name: string,
    position: RequestPosition,
    served: ServedRepository,
    repositories: ReadonlyArray<ServedRepository>
  ) {
    const revision = yield* names.revisionOf(position, served)
    const commit = revision ?? (yield* served.git.resolve("HEAD"))
    const { column, line, path } = position
    // Callers who may read other repositories have other results.
    const readable = createHash("sha256")
      .update(repositories.map(({ row }) => row.id).join(" "))
      .digest("hex")
    const key = JSON.stringify([served.git.gitDir, commit, name, path, line, column, readable])
    const now = yield* Clock.currentTimeMillis
    const known = cached.get(key)
    if (known !== undefined && known.until > now) return known
    const found: Found = yield* run(name, position, served, revision, repositories)
    if (!found.isIncomplete) cached.set(key, { ...found, until: now + MAX_AGE }, found.items.length + 1)
    return found
  })

  return { find }
})

const isMember = (kind: string) => kind === "method" || kind === "field" || kind === "enum_member"

/**
 * The files of the languages that define the name, or all if the index has no definition: the definition's file first.
 */
const inOrder = (
  name: string,
  hits: ReadonlyArray<SearchHit>,
  first: Pick<Place, "path"> | undefined
): ReadonlyArray<SearchHit> => {
  const defining = hits.filter(({ definitions }) => definitions.some((one) => one.name === name))
  const languages = new Set(defining.map(({ path }) => familyOf(path)))
  if (first !== undefined) languages.add(familyOf(first.path))
  const isFirst = ({ path }: SearchHit) => (path === first?.path ? 1 : 0)
  return hits
    .filter(({ path }) => languages.size === 0 || languages.has(familyOf(path)) || languageOf(path) === undefined)
    .toSorted((a, b) => isFirst(b) - isFirst(a) || b.rank - a.rank || (a.path < b.path ? -1 : 1))
}

/** Returns the number of types that declare a member with a name. */
const containersOf = (name: string, hits: ReadonlyArray<SearchHit>): number =>
  new Set(
    hits.flatMap(({ definitions, path }) =>
      definitions.flatMap((one) => (one.name === name && one.scope !== undefined ? [`${path} ${one.scope}`] : []))
    )
  ).size

/** Returns the lines that define the name, according to the index. */
const definedIn = (
  name: string,
  targets: ReadonlyArray<Pick<Place, "path" | "line">>,
  hits: ReadonlyArray<SearchHit>
): ReadonlyArray<string> => [
  ...targets.map(({ line, path }) => `${path}:${line}`),
  ...(targets.length > 0
    ? []
    : hits.flatMap(({ definitions, path }) =>
        definitions.flatMap((one) => (one.name === name ? [`${path}:${one.line}`] : []))
      ))
]
