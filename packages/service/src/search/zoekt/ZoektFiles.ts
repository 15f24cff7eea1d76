/** The files of commits, and the files that zoekt does not search. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { LeftOutFile } from "@tongs/core/contract/groups/CodeIndex"
import type { GitError } from "../../git/values/GitError.ts"
import { GitRepositories } from "../../git/GitRepositories.ts"
import type { ListedFile } from "../../git/values/TreeListing.ts"
import { IndexError, type WorkTreeChanges } from "../CodeIndex.ts"
import * as DocumentText from "../text/DocumentText.ts"
import * as ZoektQuery from "./ZoektQuery.ts"
import type { Indexed } from "./ZoektServers.ts"

/** A file of a commit or of the work tree with top folder `folder`. A file of a work tree has no content id. */
export interface TargetFile extends ListedFile {
  readonly folder?: string
}

export type Files = ReadonlyMap<string, TargetFile>

/** Returns the files of a work tree, from the files of the commit and the differences. */
export const withWorkTree = (files: Files, changes: WorkTreeChanges | undefined): Files => {
  if (changes === undefined) return files
  const { changed, folder, removed } = changes
  const made = new Map(files)
  for (const path of removed) made.delete(path)
  for (const { path, size } of changed) made.set(path, { path, oid: "", size, folder })
  return made
}

/** Files of an indexed commit that zoekt does not search. */
export interface Skipped {
  /** Paths of the skipped text files. */
  readonly text: ReadonlySet<string>
  /** The other skipped files, with the reason. */
  readonly others: ReadonlyArray<LeftOutFile>
}

/** Maximum number of commits whose skipped files are cached. */
const MAX_CACHED = 1_000

/** Zoekt indexes this text, with the reason, in place of a skipped content. */
const MARKER = 'content:"^NOT-INDEXED: (?:exceeds|contains|object|unknown)"'

/** Creates the access to the files of indexed commits. */
export const make = Effect.gen(function* () {
  const repositories = yield* GitRepositories
  const caches = new Map<string, Effect.Effect<Skipped, IndexError>>()

  /** Returns the files of a commit, undefined if git does not have the commit. */
  const files = Effect.fnUntraced(function* (gitDir: string, commit: string) {
    const git = yield* repositories.open(gitDir)
    const tree = (yield* git.commit(commit))?.tree
    return tree === undefined ? undefined : byPath(yield* git.files(tree))
  }, Effect.mapError(toIndexError))

  /** Reads a file to find out whether the content is text. */
  const examine = Effect.fnUntraced(function* (gitDir: string, { oid, path, size }: ListedFile) {
    const git = yield* repositories.open(gitDir)
    const bytes = (yield* git.blob(oid))?.bytes
    if (bytes === undefined) return { path, size: null, reason: "unreadable" } as const
    const read = DocumentText.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
    return read._tag === "Text" ? path : { path, size, reason: read.reason }
  }, Effect.mapError(toIndexError))

  const readSkipped = Effect.fnUntraced(function* (gitDir: string, indexed: Indexed) {
    const { branch, commit, documents, name, server } = indexed
    const base = yield* files(gitDir, commit)
    if (base === undefined) return nothing
    const all = ZoektQuery.inRepository(name, branch)
    const marked = yield* server.paths(`${all} ${MARKER} case:yes`, base.size + documents)
    const skipped = new Set((marked.Files ?? []).map(({ FileName }) => FileName))
    // Fewer files than in the commit: a shard is missing, or zoekt ignores some files.
    if (branch === undefined && documents < base.size) {
      const known = new Set(((yield* server.paths(all, base.size + documents)).Files ?? []).map((one) => one.FileName))
      for (const path of base.keys()) if (!known.has(path)) skipped.add(path)
    }
    const text = new Set<string>()
    const others: Array<LeftOutFile> = []
    const wanted: Array<ListedFile> = []
    for (const file of base.values()) {
      // Decodes a name that is not UTF-8 as Latin-1, unlike zoekt.
      const isOdd = /[\x80-\xff]/.test(file.path)
      if (file.size >= DocumentText.MAX_BYTES) others.push({ path: file.path, size: file.size, reason: "size" })
      else if (isOdd || skipped.has(file.path)) wanted.push(file)
    }
    for (const one of yield* Effect.forEach(wanted, (file) => examine(gitDir, file), { concurrency: 8 })) {
      if (typeof one === "string") text.add(one)
      else others.push(one)
    }
    return { text, others } satisfies Skipped
  })

  return {
    files,
    /** Returns the files of an indexed commit that zoekt does not search. None if git does not have the commit. */
    skipped: (gitDir: string, indexed: Indexed) =>
      Effect.gen(function* () {
        const { branch, commit, documents, name, server } = indexed
        const key = [gitDir, server.url, name, branch, commit, documents].join("\n")
        const known = caches.get(key)
        if (known !== undefined) return yield* known
        if (caches.size >= MAX_CACHED) for (const oldest of caches.keys().take(1)) caches.delete(oldest)
        const made = yield* Effect.cached(readSkipped(gitDir, indexed))
        // A failure or an interruption is not cached.
        const cached = Effect.onExit(made, (exit) =>
          Effect.sync(() => {
            if (Exit.isFailure(exit)) caches.delete(key)
          })
        )
        caches.set(key, cached)
        return yield* cached
      })
  }
})

const nothing: Skipped = { text: new Set(), others: [] }

const toIndexError = (error: GitError) => new IndexError({ detail: error.message })

/** Files by path for each listing of git. Freed together with the listing. */
const filesByPath = new WeakMap<ReadonlyArray<ListedFile>, Files>()

const byPath = (files: ReadonlyArray<ListedFile>): Files => {
  const cached = filesByPath.get(files)
  if (cached !== undefined) return cached
  const index = new Map(files.map((file) => [file.path, file]))
  filesByPath.set(files, index)
  return index
}
