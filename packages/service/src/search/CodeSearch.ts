/**
 * Code search in its first form (spec part 3 §4.12): `git grep` over the default branches, one repository after the
 * other, until the time is up. Ranking is by what people look for first: the file's name, then how often the words
 * stand in it.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Qualifier } from "@tongs/core/query/Qualifier"
import type { Query, Term } from "@tongs/core/query/Query"
import type { GitError } from "../git/GitError.ts"
import { extensionsOf, languageOf } from "../git/Languages.ts"
import type { Hosted } from "../Hosting.ts"

export interface Hit {
  readonly hosted: Hosted
  readonly path: string
  readonly oid: string
  /** The content, where it was searched. */
  readonly text: string | undefined
  readonly score: number
}

export interface Hits {
  /** Best first. */
  readonly hits: ReadonlyArray<Hit>
  readonly incomplete: boolean
}

/** How long one search may take, and how many results it has at most. */
const timeLimit = Duration.seconds(4)
export const maxResults = 1000

/** Repositories that are searched side by side. */
const concurrency = 2

type Selected = Extract<Qualifier, { readonly value: string }>

const lower = (text: string) => text.toLowerCase()

/** Whether a repository is one that the query asks for. */
export const selects = (query: Query, { fullName, row }: Hosted): boolean => {
  const matches = ({ name, value }: Selected) =>
    name === "repo" ? lower(value) === lower(fullName) : lower(value) === lower(row.owner.login)
  const places = query.qualifiers.filter(
    (one): one is Selected => one.name === "repo" || one.name === "user" || one.name === "org"
  )
  const wanted = places.filter((one) => !one.not)
  return (wanted.length === 0 || wanted.some(matches)) && !places.some((one) => one.not && matches(one))
}

const matchesPath = (qualifier: Qualifier, path: string): boolean | undefined => {
  const name = path.slice(path.lastIndexOf("/") + 1)
  switch (qualifier.name) {
    case "path": {
      const folder = lower(qualifier.value).replace(/^\/|\/$/g, "")
      return folder === "" ? !path.includes("/") : lower(path).startsWith(`${folder}/`) || lower(path) === folder
    }
    case "filename":
      return lower(name).includes(lower(qualifier.value))
    case "extension":
      return lower(name).endsWith(`.${lower(qualifier.value).replace(/^\./, "")}`)
    case "language": {
      const extensions = extensionsOf(qualifier.value)
      return (
        lower(languageOf(path) ?? "") === lower(qualifier.value) ||
        extensions.some((ext) => lower(name).endsWith(`.${ext}`))
      )
    }
    default:
      return undefined
  }
}

/** Whether the query's qualifiers let a file through. */
const admits = (query: Query, path: string, size: number): boolean => {
  const byName = Map.groupBy(query.qualifiers, (one) => one.name)
  for (const [name, qualifiers] of byName) {
    const holds = (one: Qualifier) =>
      one.name === "size"
        ? size >= (one.min ?? 0) && size <= (one.max ?? Number.POSITIVE_INFINITY)
        : matchesPath(one, path)
    if (name === "repo" || name === "user" || name === "org" || name === "in") continue
    const wanted = qualifiers.filter((one) => !one.not)
    if (wanted.length > 0 && !wanted.some((one) => holds(one) === true)) return false
    if (qualifiers.some((one) => one.not && holds(one) === true)) return false
  }
  return true
}

/** Where words are looked for: in the content unless `in:path` alone says otherwise. */
const placesOf = (query: Query) => {
  const places = query.qualifiers.flatMap((one) => (one.name === "in" && !one.not ? [one.value] : []))
  return { file: places.length === 0 || places.includes("file"), path: places.includes("path") }
}

const decoder = new TextDecoder()

const searchOne = (query: Query, deadline: number) =>
  Effect.fnUntraced(function* (hosted: Hosted) {
    const { git } = hosted
    const none = { hits: [] as ReadonlyArray<Hit>, incomplete: false }
    const tip = yield* git.resolve("HEAD")
    if (tip === undefined) return none
    const places = placesOf(query)
    const found = new Map<string, Hit>()
    let incomplete = false
    for (const terms of query.any) {
      const words = terms.filter((term) => !term.not).map((term) => term.text)
      const left = deadline - (yield* Clock.currentTimeMillis)
      if (left <= 0) return { hits: [...found.values()], incomplete: true }
      if (places.file) {
        const grep = yield* git.grep({ commit: tip, terms: words, limit: maxResults, deadline: Duration.millis(left) })
        incomplete ||= grep.incomplete
        for (const { oid, path, size } of grep.files) {
          if (found.has(path) || !admits(query, path, size)) continue
          const text = decoder.decode((yield* git.blob(oid))?.bytes)
          if (isExcluded(terms, text, path)) continue
          found.set(path, { hosted, path, oid, text, score: score(words, path, text) })
        }
      }
      if (places.path) {
        const commit = yield* git.commit(tip)
        const paths = commit === undefined ? [] : yield* git.files(commit.tree)
        for (const { oid, path, size } of paths) {
          const holds = words.every((word) => lower(path).includes(lower(word)))
          if (!holds || found.has(path) || !admits(query, path, size) || isExcluded(terms, "", path)) continue
          found.set(path, { hosted, path, oid, text: undefined, score: score(words, path, "") })
        }
      }
    }
    return { hits: [...found.values()], incomplete }
  })

const isExcluded = (terms: ReadonlyArray<Term>, text: string, path: string) =>
  terms.some((term) => term.not && (lower(text).includes(lower(term.text)) || lower(path).includes(lower(term.text))))

/** The name counts most, then whole words, then occurrences, thinned by the file's length; tests and vendored code sink. */
const score = (words: ReadonlyArray<string>, path: string, text: string): number => {
  const name = lower(path.slice(path.lastIndexOf("/") + 1))
  let total = 0
  for (const word of words) {
    if (name.startsWith(`${lower(word)}.`) || name === lower(word)) total += 10
    else if (name.includes(lower(word))) total += 5
    const pattern = RegExp.escape(word)
    const whole = text.match(new RegExp(`\\b${pattern}\\b`, "gi"))?.length ?? 0
    const any = text.match(new RegExp(pattern, "gi"))?.length ?? 0
    total += (Math.log1p(whole) * 2 + Math.log1p(any)) / Math.log(Math.max(text.length, 200))
  }
  return /(^|\/)(tests?|vendor|third_party|node_modules|dist)\/|\.(test|spec|min)\./i.test(path) ? total / 2 : total
}

/** What a query finds in repositories that the caller may see. */
export const search = Effect.fn("CodeSearch.search")(function* (query: Query, repositories: ReadonlyArray<Hosted>) {
  const deadline = (yield* Clock.currentTimeMillis) + Duration.toMillis(timeLimit)
  const results: ReadonlyArray<Hits> = yield* Effect.forEach(
    repositories,
    (hosted) => searchOne(query, deadline)(hosted).pipe(Effect.catch((error: GitError) => failed(hosted, error))),
    { concurrency }
  )
  const hits = results.flatMap((result) => result.hits).sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
  return {
    hits: hits.slice(0, maxResults),
    incomplete: hits.length > maxResults || results.some((result) => result.incomplete)
  } satisfies Hits
})

/** One repository that cannot be read does not spoil the others; the answer says that it is not whole. */
const failed = (hosted: Hosted, error: GitError) =>
  Effect.as(Effect.logWarning(`code search passed over ${hosted.fullName}: ${error.message}`), {
    hits: [],
    incomplete: true
  })
