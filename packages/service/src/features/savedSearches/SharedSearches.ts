/** Searches that repositories share in a file. The file is untrusted: invalid entries are left out. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { SharedSearch } from "@tongs/core/contract/groups/SavedSearches"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import { LruCache } from "../../base/LruCache.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import * as SavedSearchInput from "./SavedSearchInput.ts"

/** The file, on the default branch. */
const PATH = ".tongs/searches.json"

/** Maximum size of the file in bytes, and number of searches in the file. */
const MAX_BYTES = 64 * 1024
const MAX_SEARCHES = 100

/** Maximum number of repositories whose files are read. */
const MAX_REPOSITORIES = 1_000

/** Number of cached files, by commit. */
const MAX_CACHED = 2_000

const File = Schema.fromJsonString(Schema.Struct({ searches: Schema.Array(Schema.Unknown) }))
const decodeFile = Schema.decodeUnknownOption(File)
const decodeEntry = Schema.decodeUnknownOption(Schema.Struct({ name: Schema.String, query: Schema.String }))

type Entry = Pick<SharedSearch, "name" | "query">

/** Parses the file. Leaves out entries with an invalid name or query, and further entries with the same name. */
export const parse = (text: string): ReadonlyArray<Entry> => {
  const file = Option.getOrUndefined(decodeFile(text))
  const entries = (file?.searches ?? []).slice(0, MAX_SEARCHES).flatMap((entry) => Option.toArray(decodeEntry(entry)))
  const names = new Set<string>()
  return entries.filter(({ name, query }) => {
    const isNew = !names.has(name.toLowerCase())
    names.add(name.toLowerCase())
    return isNew && SavedSearchInput.nameProblem(name) === undefined && isQuery(query)
  })
}

const isQuery = (query: string) =>
  query.length <= SavedSearchInput.MAX_QUERY && Result.isSuccess(CodeQueryParser.parse(query))

/** Creates the function that lists the searches of repositories, in the order of the repositories. */
export const make = () => {
  const cache = new LruCache<ReadonlyArray<Entry>>(MAX_CACHED)
  const read = Effect.fnUntraced(function* ({ git, row }: ServedRepository) {
    const commit = yield* git.resolve("HEAD")
    if (commit === undefined) return []
    const key = `${row.id} ${commit}`
    const known = cache.get(key)
    if (known !== undefined) return known
    const entry = yield* git.entryAt(commit, PATH)
    const info = entry?.kind === "file" ? yield* git.info(entry.oid) : undefined
    const isRead = info !== undefined && info.size <= MAX_BYTES
    const blob = isRead ? yield* git.blob(info.oid) : undefined
    const entries = blob === undefined ? [] : parse(new TextDecoder().decode(blob.bytes))
    cache.set(key, entries, 1)
    return entries
  })
  return (repositories: ReadonlyArray<ServedRepository>): Effect.Effect<ReadonlyArray<SharedSearch>> =>
    Effect.map(
      Effect.forEach(
        repositories.slice(0, MAX_REPOSITORIES),
        (served) => {
          const [owner = "", repo = ""] = served.fullName.split("/")
          return read(served).pipe(
            Effect.map((entries) => entries.map(({ name, query }) => ({ owner, repo, name, query }))),
            // An unreadable repository does not hide the readable repositories.
            Effect.orElseSucceed(() => [])
          )
        },
        { concurrency: 8 }
      ),
      (lists) => lists.flat()
    )
}
