/**
 * Payloads of deliveries: JSON is indented and highlighted, other texts are unchanged. Large payloads are shown in
 * part.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"
import * as Syntax from "../../text/Syntax.ts"

/** Maximum number of UTF-16 units of a payload to show. */
const MAX_LENGTH = 400_000

/** Maximum number of lines of a payload to show. */
const MAX_LINES = 5_000

/** A payload that is ready to be shown. */
export interface PayloadText {
  readonly lines: ReadonlyArray<Line>
  /** The complete text, which `y` copies. */
  readonly text: string
}

const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** Formats a payload: an object, a text that may be JSON, or null. */
export const make = Effect.fnUntraced(function* (payload: unknown) {
  if (payload === null || payload === undefined || payload === "")
    return { lines: [StyledLine.line("empty", "muted")], text: "" } satisfies PayloadText
  const value = typeof payload === "string" ? decodeJson(payload) : Option.some(payload)
  const isJson = Option.isSome(value) && typeof value.value === "object"
  const text = isJson || typeof payload !== "string" ? JSON.stringify(Option.getOrNull(value), undefined, 2) : payload
  const shown = text.slice(0, MAX_LENGTH)
  const highlight = isJson ? Syntax.highlight("payload.json", shown) : undefined
  const source = highlight === undefined ? Syntax.plain(shown) : yield* highlight
  const count = Math.min(source.length, MAX_LINES)
  const lines = Array.from({ length: count }, (_, index) => source.lineAt(index))
  const isCut = text.length > shown.length || source.length > count
  return {
    lines: isCut
      ? [...lines, StyledLine.line(`… ${NumberFormat.bytes(text.length)} in all. y copies the payload`, "warning")]
      : lines,
    text
  } satisfies PayloadText
})
