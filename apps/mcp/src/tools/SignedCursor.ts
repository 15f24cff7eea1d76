/**
 * Where a list goes on. An answer can end within a page of the forge if the page is too long for one answer: the cursor
 * has the page, and how many of its items were given. It is signed, because the page is a URL that is read with the
 * person's credential: it holds only for the call it came from.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

export const Cursor = Schema.Struct({
  /** The forge's cursor of the page; absent for the first page. */
  page: Schema.optionalKey(Schema.String),
  /** Items a page, of the first page. */
  perPage: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))),
  /** Items of the page that were given. */
  skip: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
})
export type Cursor = typeof Cursor.Type

/** The cursors of one call: of one tool, with the same arguments. */
export interface CursorCodec {
  readonly encode: (cursor: Cursor) => string
  /** None for a cursor of another call or of another server process, and for anything else. */
  readonly decode: (text: string) => Option.Option<Cursor>
}

/** Arguments that can change from one part of a list to the next. */
const FREE: ReadonlySet<string> = new Set(["cursor", "per_page", "verbose"])

/** The cursors of this process, which has one credential. */
export const make = (): ((tool: string, input: Readonly<Record<string, unknown>>) => CursorCodec) => {
  const key = randomBytes(32)
  return (tool, input) => {
    const bound = Object.entries(input).filter(([name]) => !FREE.has(name))
    const call = canonical({ tool, input: Object.fromEntries(bound) })
    const sign = (body: string) => createHmac("sha256", key).update(`${call}\n${body}`).digest().subarray(0, SIGNATURE)
    return {
      encode: (cursor) => {
        const body = JSON.stringify(cursor)
        return Buffer.concat([sign(body), Buffer.from(body)]).toString("base64url")
      },
      decode: (text) => {
        const bytes = Buffer.from(text, "base64url")
        const body = bytes.subarray(SIGNATURE).toString("utf8")
        const isSigned = bytes.length > SIGNATURE && timingSafeEqual(bytes.subarray(0, SIGNATURE), sign(body))
        return isSigned ? decode(body) : Option.none()
      }
    }
  }
}

/** Bytes of the signature: 128 bits. */
const SIGNATURE = 16

const decode = (body: string): Option.Option<Cursor> =>
  Option.flatMap(Result.getSuccess(Result.try((): unknown => JSON.parse(body))), Schema.decodeUnknownOption(Cursor))

/** JSON with the members of every object in order. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member
  )
