/** The form of a result for a `--media-type` (spec part 1 §1.3). */
import * as Effect from "effect/Effect"
import type { JsonForm, TextForm } from "@tongs/core/client/CallOptions"
import { Forge } from "@tongs/core/client/Forge"
import type { Entry } from "@tongs/core/contract/Catalog"
import type { MediaType } from "@tongs/core/contract/Operation"
import * as ByteOutput from "../session/ByteOutput.ts"
import * as Deadline from "../session/Deadline.ts"
import * as Download from "./Download.ts"

type ResultFormat =
  /** JSON with other members. */
  | { readonly _tag: "Json"; readonly mediaType: JsonForm }
  | { readonly _tag: "Bytes"; readonly mediaType: JsonForm | TextForm }

/** The form of an operation's result for a media type. */
export const of = ({ operation }: Entry, mediaType: MediaType): ResultFormat => {
  switch (mediaType) {
    case "diff":
    case "patch":
    case "sha":
      return { _tag: "Bytes", mediaType }
    case "text":
    case "full":
    case "text-match":
      return { _tag: "Json", mediaType }
    case "raw":
    case "html":
      // For comments, which alone support `full`, the result is JSON with other members. For files, it is the file.
      return { _tag: operation.mediaTypes.includes("full") ? "Json" : "Bytes", mediaType }
  }
}

/** Prints a result in a form other than JSON. */
export const print = Effect.fnUntraced(function* (
  entry: Entry,
  input: Readonly<Record<string, unknown>>,
  mediaType: JsonForm | TextForm
) {
  const forge = yield* Forge
  const options = { ...(yield* Deadline.interactive), mediaType }
  return yield* ByteOutput.print(forge.download(Download.routeOf(entry, input), input, options))
})
