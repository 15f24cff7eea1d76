/** Finds the uses of a name in a repository. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Reference } from "@tongs/core/contract/groups/CodeNavigation"
import { LruCache } from "../../base/LruCache.ts"
import { languageOf } from "../../git/values/Languages.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { CodeSearch, type SearchHit } from "../../search/CodeSearch.ts"
import { ContentSearchPool } from "../../search/ContentSearchPool.ts"
import * as CandidateOrder from "../../search/navigation/definitions/CandidateOrder.ts"
import { familyOf } from "../../search/navigation/LanguageFamily.ts"
import type { ReferencesInput } from "../../search/navigation/Navigation.ts"
import type { Place } from "../../search/navigation/Place.ts"
import type { NameSearch, RequestPosition } from "./NameSearch.ts"

/** Number of files read at a time. */
const BATCH_SIZE = 64

/** Maximum number of lines in all cached results together, and milliseconds for which results are cached. */
const MAX_CACHED = 50_000
const MAX_AGE = 60_000

/** Maximum number of other names by which modules pass on a definition. */
const MAX_ALIASES = 3

interface Search {
  readonly position: NonNullable<Effect.Success<ReturnType<NameSearch["locate"]>>> | undefined
  readonly served: ServedRepository
  readonly revision: string | undefined
  readonly targets: ReferencesInput["definitions"]
}

interface Found {
  readonly items: ReadonlyArray<Reference>
  readonly isIncomplete: boolean
}

/** Creates the search for references. */
export const make = Effect.fnUntraced(function* (names: NameSearch) {
  const search = yield* CodeSearch
  const contents = yield* ContentSearchPool
  /** Results of the last searches, for further pages. */
  const cached = new LruCache<Found & { readonly until: number }>(MAX_CACHED)

  /** Returns the definitions to which a position leads: by scope and imports, or else the best candidate. */
  const targetsOf = Effect.fnUntraced(function* (
    name: string,
    position: RequestPosition,
    served: ServedRepository,
    revision: string | undefined
  ) {
    const context = yield* names.locate(name, position, served, revision)
    if (context === undefined) return undefined
    const { found, use } = context.located
    const [first] = found
    if (first !== undefined || use === undefined) return { ...context, targets: found }
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
    return { ...context, targets }
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
    revision: string | undefined
  ) {
    const end = (yield* Clock.currentTimeMillis) + 2 * Duration.toMillis(search.deadline)
    const position = yield* targetsOf(name, request, served, revision)
    const targets = position?.targets ?? []
    const own = targets[0]?.name ?? name
    const one: Search = { position, served, revision, targets }
    const found = yield* usesOf(own, one, end)
    const others = yield* Effect.forEach([...found.aliases].slice(0, MAX_ALIASES), (alias) => usesOf(alias, one, end))
    const all = [found, ...others]
    // A key of an object can define a method. The definition is not a use of the method.
    const isOwn = ({ line, matches, path }: Reference) =>
      position?.located.use?.role === "key" &&
      !path.endsWith(".go") &&
      path === request.path &&
      line === request.line &&
      matches.length === 1
    const items = all.flatMap((one) => one.items).filter((item) => !isOwn(item))
    const byPlace = new Map(items.map((item) => [`${item.path}:${item.line}`, item]))
    const isLate = position?.located.isIncomplete === true
    const { certain = [], possible = [] } = Object.groupBy(byPlace.values(), (item) =>
      item.certain === true ? "certain" : "possible"
    )
    return { items: [...certain, ...possible], isIncomplete: isLate || all.some(({ isIncomplete }) => isIncomplete) }
  })

  /** Finds the lines that use a name, first in the definition's file, then in the best files. */
  const find = Effect.fnUntraced(function* (name: string, position: RequestPosition, served: ServedRepository) {
    const revision = yield* names.revisionOf(position, served)
    const commit = revision ?? (yield* served.git.resolve("HEAD"))
    const { column, line, path } = position
    const key = JSON.stringify([served.git.gitDir, commit, name, path, line, column])
    const now = yield* Clock.currentTimeMillis
    const known = cached.get(key)
    if (known !== undefined && known.until > now) return known
    const found: Found = yield* run(name, position, served, revision)
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
