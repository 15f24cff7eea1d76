import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { CodeNavigation, type Definition, type Reference } from "@tongs/core/contract/CodeNavigation"
import { type CodeQuery, defaultOptions, type Expression } from "@tongs/core/query/CodeQuery"
import { languageOf } from "../../git/Languages.ts"
import { type ServedRepository, RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import { group } from "../../api/Handlers.ts"
import * as Paging from "../../base/Paging.ts"
import { Roles } from "../../access/Roles.ts"
import { CodeSearch, type SearchHit, type SearchOptions } from "../../search/CodeSearch.ts"
import { ContentSearchPool } from "../../search/ContentSearchPool.ts"
import * as FileLookup from "../../api/FileLookup.ts"

/** Most definitions, and most lines with references. */
const maxDefinitions = 50
const maxReferences = 1_000

const exactly = (expression: Expression): CodeQuery => ({
  ...defaultOptions,
  expression,
  caseSensitive: true,
  wholeWord: true,
  inPath: false
})

const spanOf = (name: string) => ({ start: 0, length: name.length })

const locationOf = ({ commit, served, path }: SearchHit) => {
  const [owner = "", repo = ""] = served.fullName.split("/")
  return { owner, repo, path, commit }
}

const linesOf = ({ chunks }: SearchHit) => chunks.flatMap(({ lines }) => lines)

const definitionsOf = (hit: SearchHit): ReadonlyArray<Definition> => {
  const texts = new Map(linesOf(hit).map(({ number, text }) => [number, text] as const))
  return hit.definitions.flatMap((one) => {
    const text = texts.get(one.line)
    return text === undefined ? [] : [{ ...one, ...locationOf(hit), text }]
  })
}

const referencesOf = (hit: SearchHit): ReadonlyArray<Reference> =>
  linesOf(hit)
    .filter(({ symbol }) => symbol === undefined)
    .map(({ matches, number, text }) => ({ ...locationOf(hit), line: number, text, matches }))

/** The files of the languages that define the name, or all if the index has no definition. */
const inDefiningLanguages = (name: string, hits: ReadonlyArray<SearchHit>): ReadonlyArray<SearchHit> => {
  const languages = new Set(
    hits.filter(({ definitions }) => definitions.some((one) => one.name === name)).map(({ path }) => languageOf(path))
  )
  return languages.size === 0 ? hits : hits.filter(({ path }) => languages.has(languageOf(path)))
}

export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const search = yield* CodeSearch
  const contents = yield* ContentSearchPool

  /** Collects hits until `isEnough`, the end, or the deadline. */
  const collect = Effect.fnUntraced(function* (
    query: CodeQuery,
    repositories: ReadonlyArray<ServedRepository>,
    show: SearchOptions["show"],
    isEnough: (hits: ReadonlyArray<SearchHit>) => boolean
  ) {
    const hits: Array<SearchHit> = []
    let isIncomplete = false
    const run = Effect.gen(function* () {
      const started = yield* search.search(query, repositories, { show, order: "best", deadline: search.deadline })
      isIncomplete = started.isIncomplete
      yield* started.found.pipe(
        Stream.takeUntil((found) => {
          hits.push(...found.hits)
          isIncomplete ||= found.isIncomplete === true
          return isEnough(hits)
        }),
        Stream.runDrain
      )
    })
    const ended = yield* Effect.timeoutOption(Effect.catchTag(run, "IndexError", Effect.die), search.deadline)
    return { hits, isIncomplete: isIncomplete || Option.isNone(ended) }
  })

  const results = <A>(all: ReadonlyArray<A>, most: number, isIncomplete: boolean, page: Paging.PageRequest) => {
    const bounded = all.slice(0, most)
    return {
      ...Paging.slice(bounded, page),
      wrap: (items: ReadonlyArray<A>) => ({
        total_count: bounded.length,
        incomplete_results: isIncomplete || all.length > most,
        items
      })
    }
  }

  return group(CodeNavigation)({
    *listDefinitions({ name }, { caller, page, repository }) {
      const readable = yield* registry.open(yield* roles.readable(caller, yield* registry.list))
      const query = exactly({ _tag: "Symbol", name, exact: true, span: spanOf(name) })
      const { hits, isIncomplete } = yield* collect(query, readable, { lines: "best", context: 0 }, () => false)
      const isHere = ({ served }: SearchHit) => (served.fullName === repository.fullName ? 1 : 0)
      const ordered = hits.sort((a, b) => isHere(b) - isHere(a) || b.rank - a.rank).flatMap(definitionsOf)
      return results(ordered, maxDefinitions, isIncomplete, page)
    },

    *listReferences({ name }, { page, repository }) {
      const query = exactly({ _tag: "Text", text: name, span: spanOf(name) })
      let lines = 0
      const { hits, isIncomplete } = yield* collect(query, [repository], { lines: "all", context: 0 }, (all) => {
        lines = all.reduce((sum, hit) => sum + linesOf(hit).length, 0)
        return lines > 2 * maxReferences
      })
      const best = inDefiningLanguages(name, hits).toSorted((a, b) => b.rank - a.rank)
      return results(best.flatMap(referencesOf), maxReferences, isIncomplete || lines > 2 * maxReferences, page)
    },

    *getOutline({ path, ref }, { repository }) {
      const { oid } = yield* FileLookup.find(repository, path, ref)
      const file = { gitDir: repository.git.gitDir, oid, path }
      return { symbols: yield* Effect.catchTag(contents.outline(file), "IndexError", Effect.die) }
    }
  })
})
