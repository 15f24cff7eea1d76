/**
 * Reads the versions of a file on a forge without blame, newest first: one request per version, and one per 100
 * commits.
 */
import * as Effect from "effect/Effect"
import type { CallOptions } from "@tongs/core/client/CallOptions"
import type { Forge } from "@tongs/core/client/Forge"
import type { CommitSummary } from "@tongs/core/contract/groups/Commits"
import type { ContentEntry } from "@tongs/core/contract/groups/Contents"
import type * as Failure from "@tongs/core/contract/Failure"
import type { BlamedCommit } from "./BlameWalk.ts"
import type { TextCache } from "./TextCache.ts"

/** A file of a repository at a commit. */
export interface BlamedFile {
  readonly owner: string
  readonly repo: string
  readonly path: string
  readonly ref: string
}

/** A commit that changed the file. */
export interface Version extends BlamedCommit {
  readonly isMerge: boolean
}

/** Reads the versions one after the other. */
export interface FileVersions {
  /** The next commit, without the file's text. Undefined after the oldest commit. */
  readonly next: (options: CallOptions) => Effect.Effect<Version | undefined, Failure.Failure>
  /**
   * The text of a version, one character for each byte, because git compares bytes. Undefined without a file at the
   * path.
   */
  readonly text: (commit: string, options: CallOptions) => Effect.Effect<string | undefined, Failure.Failure>
  /** Number of requests sent. */
  readonly requests: () => number
}

const PER_PAGE = 100

/**
 * Creates the reader of the versions of a file up to its commit. After a failed read, the next read tries the same
 * version again.
 */
export const make = (forge: Forge["Service"], file: BlamedFile, cache: TextCache): FileVersions => {
  const { owner, path, ref, repo } = file
  const listed: Array<Version> = []
  let page: number | undefined = 1
  let requests = 0
  const next = Effect.fnUntraced(function* (options: CallOptions) {
    const first = listed.shift()
    if (first !== undefined || page === undefined) return first
    requests++
    const { items, links } = yield* forge.commits.list(
      { owner, repo, path, sha: ref },
      { ...options, perPage: PER_PAGE, page }
    ).first
    page = links.next === undefined || items.length === 0 ? undefined : page + 1
    listed.push(...items.flatMap(version))
    return listed.shift()
  })
  const text = Effect.fnUntraced(function* (commit: string, options: CallOptions) {
    const key = [owner, repo, commit, path].join("\0")
    const known = cache.get(key)
    if (known !== undefined) return known
    requests++
    const bytes = yield* bytesAt(forge, { ...file, ref: commit }, options)
    if (bytes === undefined) return undefined
    const text = bytes.toString("latin1")
    cache.set(key, text)
    return text
  })
  return { next, text, requests: () => requests }
}

/** The bytes of a file. Undefined if the commit has no file at the path. */
const bytesAt = Effect.fnUntraced(function* (
  forge: Forge["Service"],
  { owner, path, ref, repo }: BlamedFile,
  options: CallOptions
) {
  const entry = yield* forge.contents
    .get({ owner, repo, path, ref }, options)
    .pipe(Effect.catchTag("NotFound", () => Effect.succeed([])))
  if (isFolder(entry) || entry.type === "submodule") return undefined
  if (entry.type === "symlink") return Buffer.from(entry.target ?? "")
  if (entry.encoding === "base64") return Buffer.from(entry.content ?? "", "base64")
  // The contents of a file over 1 MB are not in the response.
  const { content, encoding } = yield* forge.gitBlobs.get({ owner, repo, file_sha: entry.sha }, options)
  return Buffer.from(content, encoding === "base64" ? "base64" : "utf8")
})

const isFolder = (entry: ContentEntry | ReadonlyArray<ContentEntry>): entry is ReadonlyArray<ContentEntry> =>
  Array.isArray(entry)

const version = ({ commit: { author, committer, message }, parents, sha }: CommitSummary): ReadonlyArray<Version> => {
  const signature = author ?? committer
  return signature === null
    ? []
    : [
        {
          commit: sha,
          author: signature.name,
          date: signature.date,
          summary: message.split("\n", 1)[0] ?? "",
          isMerge: parents.length > 1
        }
      ]
}
