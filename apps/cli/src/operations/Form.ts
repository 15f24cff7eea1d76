/** The form of a result that `--media-type` names (spec part 1 §1.3). */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { JsonForm, TextForm } from "@tongs/core/client/Call"
import { Forge } from "@tongs/core/client/Forge"
import type { Entry } from "@tongs/core/contract/Catalog"
import type { MediaType } from "@tongs/core/contract/Operation"
import * as Terminal from "@tongs/core/text/Terminal"
import { Output } from "../Output.ts"
import * as Patience from "../Patience.ts"
import * as Progress from "../Progress.ts"
import { UsageError } from "../Usage.ts"
import * as Download from "./Download.ts"

type Form =
  /** Still JSON, with other members. */
  | { readonly _tag: "Json"; readonly mediaType: JsonForm }
  | { readonly _tag: "Bytes"; readonly mediaType: JsonForm | TextForm }

/** What an operation gives in this form. */
export const of = ({ operation }: Entry, mediaType: MediaType): Form => {
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
      // Of a comment they are members of the JSON; only comments have the form `full` too. Of a file they are the file.
      return { _tag: operation.mediaTypes.includes("full") ? "Json" : "Bytes", mediaType }
  }
}

/** Prints the bytes as they come; on a terminal as text, with what would act upon it made visible. */
export const print = Effect.fnUntraced(function* (
  entry: Entry,
  input: Readonly<Record<string, unknown>>,
  mediaType: JsonForm | TextForm
) {
  const forge = yield* Forge
  const { isTerminal, write } = yield* Output
  const bytes = forge.download(Download.routeOf(entry, input), input, { ...(yield* Patience.interactive), mediaType })
  if (!isTerminal) return yield* Progress.awaited(Stream.runForEach(bytes, write))
  const whole = yield* Progress.awaited(Stream.mkUint8Array(bytes))
  if (whole.includes(0)) {
    return yield* new UsageError({ detail: "This is not text.", hint: "Send it to a file or to another program." })
  }
  yield* write(Terminal.visible(new TextDecoder().decode(whole), { newlines: true }))
})
