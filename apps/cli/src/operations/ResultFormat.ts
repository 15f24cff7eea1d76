/** The output format of an operation's result for a `--media-type`: JSON with another form of text, or plain text. */
import * as Effect from "effect/Effect"
import * as ArtifactDownload from "@tongs/connection/download/ArtifactDownload"
import type { JsonForm, TextForm } from "@tongs/core/client/CallOptions"
import { Forge } from "@tongs/core/client/Forge"
import type { CatalogEntry } from "@tongs/core/contract/Catalog"
import type { MediaType } from "@tongs/core/contract/Operation"
import * as ByteOutput from "../session/ByteOutput.ts"
import * as InteractiveRequest from "../session/InteractiveRequest.ts"

type ResultFormat =
  /** JSON with other members than the default media type. */
  | { readonly _tag: "Json"; readonly mediaType: JsonForm }
  | { readonly _tag: "Bytes"; readonly mediaType: JsonForm | TextForm }

/** Returns the output format of an operation's result for a media type. */
export const of = ({ operation }: CatalogEntry, mediaType: MediaType): ResultFormat => {
  switch (mediaType) {
    case "diff":
    case "patch":
    case "sha":
      return { _tag: "Bytes", mediaType }
    case "text":
    case "full":
    case "text-match":
    case "star":
      return { _tag: "Json", mediaType }
    case "raw":
    case "html":
      // Only comments support `full`. All results are JSON with other members, except for a file: that result is the
      // file's content.
      return { _tag: operation.mediaTypes.includes("full") ? "Json" : "Bytes", mediaType }
  }
}

/** Requests and prints a result that is not JSON. */
export const print = Effect.fnUntraced(function* (
  entry: CatalogEntry,
  input: Readonly<Record<string, unknown>>,
  mediaType: JsonForm | TextForm
) {
  const forge = yield* Forge
  const options = { ...(yield* InteractiveRequest.interactive), mediaType }
  return yield* ByteOutput.print(forge.download(ArtifactDownload.routeOf(entry, input), input, options))
})
