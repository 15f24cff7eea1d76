/**
 * Cursors of lists. A page of the forge can exceed one tool result, so a cursor contains the page and the number of
 * items already returned. The page is a URL that the server requests with the user's credential, so a signature makes
 * the cursor valid only for the tool and arguments that created it.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** The position after the last item that a tool result returned. */
export const Cursor = Schema.Struct({
  /** The forge's cursor for the page; absent for the first page. */
  page: Schema.optionalKey(Schema.String),
  /** Number of items per page. Absent for the default. */
  perPage: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))),
  /** Number of items of the page that were already returned. */
  skip: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
})
export type Cursor = typeof Cursor.Type

/** Signs and verifies the cursors of one tool with one set of arguments. */
export interface CursorCodec {
  readonly encode: (cursor: Cursor) => string
  /**
   * Decodes a cursor. `None` if the text is no cursor, or if another tool, other arguments or another process made it.
   */
  readonly decode: (text: string) => Option.Option<Cursor>
}

/** Arguments that are not signed, because they may change between the pages of a list. */
const UNSIGNED: ReadonlySet<string> = new Set(["cursor", "per_page", "verbose"])

/** Creates a factory of codecs with a random key. Their cursors are valid until the process ends. */
export const make = (): ((tool: string, input: Readonly<Record<string, unknown>>) => CursorCodec) => {
  const key = randomBytes(32)
  return (tool, input) => {
    const signed = Object.entries(input).filter(([name]) => !UNSIGNED.has(name))
    const call = canonicalJson({ tool, input: Object.fromEntries(signed) })
    const sign = (body: string) =>
      createHmac("sha256", key).update(`${call}\n${body}`).digest().subarray(0, SIGNATURE_BYTES)
    return {
      encode: (cursor) => {
        const body = JSON.stringify(cursor)
        return Buffer.concat([sign(body), Buffer.from(body)]).toString("base64url")
      },
      decode: (text) => {
        const bytes = Buffer.from(text, "base64url")
        const body = bytes.subarray(SIGNATURE_BYTES).toString("utf8")
        const isValid =
          bytes.length > SIGNATURE_BYTES && timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), sign(body))
        return isValid ? decode(body) : Option.none()
      }
    }
  }
}

/** Length of the truncated HMAC in bytes (128 bits). */
const SIGNATURE_BYTES = 16

const decode = (body: string): Option.Option<Cursor> =>
  Option.flatMap(Result.getSuccess(Result.try((): unknown => JSON.parse(body))), Schema.decodeUnknownOption(Cursor))

/** Encodes a value as JSON with the members of every object sorted by name. */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member
  )
