/** The content of one file, in the media type of the request. */
import * as Effect from "effect/Effect"
import type { ContentEntry } from "@tongs/core/contract/groups/Contents"
import * as ApiError from "../../api/ApiError.ts"
import * as BlobContent from "../../api/BlobContent.ts"
import { rawBody } from "../../api/Handlers.ts"
import { renderer } from "../../api/MarkdownBody.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import { isStreamed } from "../../api/StreamedBody.ts"
import type { PathEntry } from "../../git/objects/Objects.ts"
import * as ContentEntries from "./ContentEntries.ts"

/** Maximum size, in bytes, of content inside JSON, and of a raw file. */
export const MAX_JSON = 1024 * 1024
const MAX_RAW = 100 * 1024 * 1024

const decoder = new TextDecoder()

/**
 * Reads a file or symbolic link at `ref`. `complete` creates the JSON value from the value of the contents endpoint.
 */
export const read = Effect.fnUntraced(function* <A>(
  { mediaType, repository, urls }: RepositoryContext,
  ref: string,
  found: PathEntry,
  complete: (entry: ContentEntry) => A
) {
  const { git } = repository
  const info = yield* git.info(found.oid)
  const size = info?.size ?? 0
  const entry = () => ContentEntries.make(repository, urls, ref, found, size)
  if (mediaType !== "raw" && size > MAX_JSON) return complete({ ...entry(), encoding: "none", content: "" })
  const blob = yield* BlobContent.read(git, info, MAX_RAW)
  if (blob === undefined) return yield* ApiError.notFound()
  const { body } = blob
  if (mediaType === "raw") return rawBody("application/vnd.service.raw; charset=utf-8", body)
  if (mediaType === "html" && found.kind === "file" && !isStreamed(body) && !body.includes(0)) {
    const { fileHtml } = yield* renderer
    return rawBody("application/vnd.service.html; charset=utf-8", fileHtml(found.path, decoder.decode(body)))
  }
  if (found.kind === "symlink" && !isStreamed(body)) return complete({ ...entry(), target: decoder.decode(body) })
  return BlobContent.asContent(blob, (content) => complete({ ...entry(), encoding: "base64", content }))
})
