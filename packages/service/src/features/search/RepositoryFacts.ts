/** Git data by which repositories are searched. Repositories are read one after the other until the deadline. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as GitFacts from "../../api/GitFacts.ts"
import * as Words from "../../base/Words.ts"
import * as CacheDependencies from "../../git/values/CacheDependencies.ts"
import type { GitRepository } from "../../git/GitRepository.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import * as ReadmeFile from "../contents/ReadmeFile.ts"

/** Facts of a repository. `readme` has the words of the README, if requested. */
export interface RepositoryFacts extends GitFacts.TipFacts {
  readonly readme: string
}

/** Number of repositories that are read concurrently. */
const CONCURRENCY = 8

/** Time after which the facts that were not read are missing. */
const DEADLINE = "4 seconds"

/** Maximum size of a README in bytes. Of a larger one no word is found. */
const MAX_README = 512_000

/** Words of READMEs by the commit that they are from. */
const readmes = new WeakMap<GitRepository, { readonly tip: string; readonly words: string }>()

const readReadme = Effect.fnUntraced(function* (git: GitRepository, tip: string) {
  const path = yield* ReadmeFile.ofRepository(git, tip)
  const entry = path === undefined ? undefined : yield* git.entryAt(tip, path)
  const blob = entry?.kind === "file" ? yield* git.blob(entry.oid, MAX_README) : undefined
  return Words.joined(blob === undefined ? "" : Buffer.from(blob.bytes).toString("utf8"))
})

const readmeOf = Effect.fnUntraced(function* (git: GitRepository, tip: string | undefined) {
  if (tip === undefined || tip === "none") return " "
  const known = readmes.get(git)
  if (known?.tip === tip) return known.words
  const words = yield* Effect.orElseSucceed(readReadme(git, tip), () => " ")
  readmes.set(git, { tip, words })
  return words
})

/** Creates the function that reads facts by the ids of repositories. */
export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry

  /** `isIncomplete` is true if the time was not enough for all. Unreadable repositories have no facts. */
  return Effect.fn("RepositoryFacts.read")(function* (rows: ReadonlyArray<RepositoryRow>, withReadme: boolean) {
    const facts = new Map<number, RepositoryFacts>()
    const sources = yield* CacheDependencies.CacheDependencies
    const readOne = (row: RepositoryRow) =>
      Effect.gen(function* () {
        const [served] = yield* registry.open([row])
        if (served === undefined) return
        const known = GitFacts.known(served, sources) ?? (yield* GitFacts.read(served))
        const readme = withReadme ? yield* readmeOf(served.git, known.tip) : " "
        facts.set(row.id, { ...known, readme })
      }).pipe(CacheDependencies.optional)
    const done = yield* Effect.forEach(rows, readOne, { concurrency: CONCURRENCY, discard: true }).pipe(
      Effect.timeoutOption(DEADLINE)
    )
    const isIncomplete = Option.isNone(done)
    // The next request continues with what this one read.
    if (isIncomplete) yield* CacheDependencies.add(CacheDependencies.changing)
    return { facts, isIncomplete }
  })
})
