/**
 * Where a list goes on. An answer may end within a page of the forge, where the page would be too long: the cursor
 * names the page and how many of its items have been given.
 */
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

export const Cursor = Schema.Struct({
  /** The forge's cursor of the page; the first page where there is none. */
  page: Schema.optionalKey(Schema.String),
  /** Items a page, of the first page. */
  perPage: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))),
  /** Items of the page that have been given. */
  skip: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
})
export type Cursor = typeof Cursor.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Cursor))

export const print = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString("base64url")

export const parse = (text: string): Option.Option<Cursor> =>
  Result.try(() => Buffer.from(text, "base64url").toString("utf8")).pipe(Result.getSuccess, Option.flatMap(decode))
