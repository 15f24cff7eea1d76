/** Decodes the body of a successful response, strictly or leniently. */
import * as Effect from "effect/Effect"
import * as Failure from "../../contract/Failure.ts"
import type { LenientDecoder } from "./LenientDecoder.ts"
import type { Reader } from "./ShapeReader.ts"

/** Parses a JSON body. Returns the text of any other body. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Decoders of an endpoint's successful response. */
export interface Decoders {
  readonly decode: Reader
  /** Decodes values that `decode` rejected. Without this decoder, the call fails. */
  readonly decodeLeniently?: LenientDecoder | undefined
}

/** Decodes the body of a successful response. Fails with the path of the member that does not decode. */
export const decode = (
  request: string,
  { decode, decodeLeniently }: Decoders,
  status: number,
  body: string
): Effect.Effect<unknown, Failure.UnexpectedResponse> => {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    // The response of an operation can be a text, for example HTML.
    const text = decode(body)
    return "value" in text
      ? Effect.succeed(text.value)
      : Effect.fail(new Failure.UnexpectedResponse({ request, detail: "the body is not JSON", status }))
  }
  return decodeValue(request, { decode, decodeLeniently }, status, value)
}

/** Decodes the value of a successful response, or one event of an event stream. */
export const decodeValue = (
  request: string,
  { decode, decodeLeniently }: Decoders,
  status: number,
  value: unknown
): Effect.Effect<unknown, Failure.UnexpectedResponse> => {
  const decoded = decode(value)
  if ("value" in decoded) return Effect.succeed(decoded.value)
  const lenient = decodeLeniently?.(value)
  if (lenient !== undefined && "value" in lenient)
    return Effect.as(reportMembers(request, lenient.unexpected), lenient.value)
  const detail =
    lenient === undefined || lenient.missing === ""
      ? decoded.mismatch()
      : `the identifying member is missing or wrong at ${lenient.missing}`
  return Effect.fail(new Failure.UnexpectedResponse({ request, detail, status }))
}

/** Reports the members that differ from the contract on the span and in the debug log. */
const reportMembers = (request: string, unexpected: ReadonlyArray<string>) =>
  Effect.andThen(
    Effect.annotateCurrentSpan("tongs.unexpected_members", unexpected),
    Effect.logDebug(`${request}: UnexpectedMember ${unexpected.join(", ")}`)
  )
