/** Reads one path of a commit: a file of any size, a folder, a symbolic link or a submodule. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Base64 from "effect/encoding/Base64"
import { Forge } from "@tongs/core/client/Forge"
import type { ContentEntry } from "@tongs/core/contract/groups/Contents"
import type { Failure } from "@tongs/core/contract/Failure"
import type { RepositoryName } from "../call/Call.ts"
import { ToolError } from "../call/ToolError.ts"

/** Maximum number of bytes of a file to read. */
export const MAX_BYTES = 8_000_000

/** The content at a path. */
export type Content =
  | {
      readonly _tag: "File"
      readonly bytes: Uint8Array
      /** Size of the file, which is more than the number of `bytes` if the file is larger than `MAX_BYTES`. */
      readonly size: number
    }
  | { readonly _tag: "Folder"; readonly entries: ReadonlyArray<ContentEntry> }
  | { readonly _tag: "Link"; readonly target: string }
  | { readonly _tag: "Submodule"; readonly url: string | undefined; readonly commit: string }

/** The path to read. */
export interface Target extends RepositoryName {
  readonly path: string
  readonly ref?: string
}

/** Reads a path. */
export const read = Effect.fnUntraced(function* (
  target: Target,
  { deadline }: { readonly deadline: number }
): Effect.fn.Return<Content, Failure | ToolError, Forge> {
  const forge = yield* Forge
  const entry = yield* forge.contents.get(target, { deadline })
  if (!("type" in entry)) return { _tag: "Folder", entries: entry }
  if (entry.type === "symlink") return { _tag: "Link", target: entry.target ?? "" }
  if (entry.type === "submodule" || entry.type === "dir")
    return { _tag: "Submodule", url: entry.submodule_git_url ?? undefined, commit: entry.sha }
  if (entry.encoding !== "base64" || entry.content === undefined || (entry.content === "" && entry.size > 0))
    return { _tag: "File", bytes: yield* readBlob(target, entry.sha, deadline), size: entry.size }
  const bytes = Base64.decode(entry.content.replace(/\s/g, ""))
  if (Result.isFailure(bytes))
    return yield* new ToolError({ detail: "The forge sent invalid content of the file. Try again." })
  return { _tag: "File", bytes: bytes.success.subarray(0, MAX_BYTES), size: entry.size }
})

/** Reads at most `MAX_BYTES` of a blob, then closes the connection. */
export const readBlob = Effect.fnUntraced(function* ({ owner, repo }: RepositoryName, sha: string, deadline: number) {
  const forge = yield* Forge
  const route = "GET /repos/{owner}/{repo}/git/blobs/{file_sha}"
  const chunks: Array<Uint8Array> = []
  let size = 0
  yield* Stream.runForEachWhile(
    forge.download(route, { owner, repo, file_sha: sha }, { mediaType: "raw", deadline }),
    (chunk) =>
      Effect.sync(() => {
        chunks.push(chunk)
        size += chunk.length
        return size < MAX_BYTES
      })
  )
  return new Uint8Array(Buffer.concat(chunks).subarray(0, MAX_BYTES))
})
