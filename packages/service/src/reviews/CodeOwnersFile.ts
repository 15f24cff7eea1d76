/** Reads the file CODEOWNERS of a commit. */
import * as Effect from "effect/Effect"
import { LruCache } from "../base/LruCache.ts"
import type { GitRepository } from "../git/GitRepository.ts"
import type { PathEntry } from "../git/objects/Objects.ts"
import * as CodeOwners from "./CodeOwners.ts"

/** The file with its content. */
export interface CodeOwnersFile {
  readonly path: string
  readonly owners: CodeOwners.CodeOwners
}

/** Maximum lines of cached files together. */
const MAX_CACHED = 50_000

const decoder = new TextDecoder()

const find = Effect.fnUntraced(function* (git: GitRepository, commit: string) {
  for (const folder of CodeOwners.folders) {
    const entry: PathEntry | undefined = yield* git.entryAt(commit, `${folder}CODEOWNERS`)
    if (entry?.kind === "file") return entry
  }
  return undefined
})

/** Creates the function that reads the first file of a commit. Undefined without a file of up to 3 MB. */
export const make = Effect.sync(() => {
  const cache = new LruCache<CodeOwners.CodeOwners>(MAX_CACHED)
  return Effect.fn("CodeOwnersFile.read")(function* (git: GitRepository, commit: string) {
    const entry = yield* find(git, commit)
    if (entry === undefined) return undefined
    const key = `${git.gitDir}\0${entry.oid}`
    const known = cache.get(key)
    if (known !== undefined) return { path: entry.path, owners: known } satisfies CodeOwnersFile
    const size = (yield* git.info(entry.oid))?.size ?? 0
    const blob = size > CodeOwners.MAX_BYTES ? undefined : yield* git.blob(entry.oid, CodeOwners.MAX_BYTES)
    if (blob === undefined) return undefined
    const owners = CodeOwners.parse(decoder.decode(blob.bytes))
    cache.set(key, owners, owners.rules.length + owners.mistakes.length + 1)
    return { path: entry.path, owners } satisfies CodeOwnersFile
  })
})
