/** The success of an endpoint that pages: its body and the `link` header (spec part 1 §1.4). */
import * as Schema from "effect/Schema"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

const headers = { link: Schema.optionalKey(Schema.String) }

/** A page of a list: a bare array, or an object that holds it beside `total_count`. */
export type Body = ReadonlyArray<unknown> | { readonly total_count?: number }

/** Declares a success that pages: `Paged(Schema.Array(Branch))`, or `Paged(CodeSearchResults)` with one array in it. */
export const Paged = <S extends Schema.Top & { readonly Type: Body }>(body: S) =>
  HttpApiSchema.WithHeaders(body, headers)

/** What the list holds: the elements of the array, or of the one array in the object. */
export type Item<B> =
  B extends ReadonlyArray<infer A>
    ? A
    : { readonly [K in keyof B]-?: B[K] extends ReadonlyArray<infer A> ? A : never }[keyof B]
