/** Differences and patches as texts, for the media types `diff` and `patch`. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { rawBody } from "../../api/Handlers.ts"
import type * as StreamedBody from "../../api/StreamedBody.ts"
import type { GitRepository } from "../../git/GitRepository.ts"

/** Creates the response of a media type. */
export const text = (mediaType: string, body: string | Uint8Array | StreamedBody.StreamedBody) =>
  rawBody(`application/vnd.service.${mediaType}; charset=utf-8`, body)

/** Streams commits as e-mails, one after the other. */
export const patches = (git: GitRepository, oids: ReadonlyArray<string>) =>
  Stream.flatMap(Stream.fromIterable(oids), (oid) =>
    Stream.unwrap(
      Effect.map(git.commit(oid), (commit) => (commit === undefined ? Stream.empty : git.changes.patch(oid, commit)))
    )
  )
