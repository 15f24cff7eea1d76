/** The successful response of a paged endpoint: the body and the `link` header. */
import * as Schema from "effect/Schema"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

const headers = { link: Schema.optionalKey(Schema.String) }

/** The body of a page: an array, or an object with one array. */
export type Body = ReadonlyArray<unknown> | { readonly total_count?: number; readonly incomplete_results?: boolean }

/** Declares a paged response, for example `Paged(Schema.Array(Branch))`. An object must contain exactly one array. */
export const Paged = <S extends Schema.Top & { readonly Type: Body }>(body: S) =>
  HttpApiSchema.WithHeaders(body, headers)

/** The type of the items of a page. */
export type Item<B> =
  B extends ReadonlyArray<infer A>
    ? A
    : { readonly [K in keyof B]-?: B[K] extends ReadonlyArray<infer A> ? A : never }[keyof B]
