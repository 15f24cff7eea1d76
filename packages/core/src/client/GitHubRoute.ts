/**
 * Input and response types of every route of GitHub's REST API, from GitHub's OpenAPI description. Other routes have
 * `RawInput` and `unknown`. The names are GitHub's own in every dialect, because raw requests are sent unchanged.
 */
import type { paths } from "@octokit/openapi-types"
import type { TextForm } from "./CallOptions.ts"
import type { RawInput } from "./RawCall.ts"

/** A route of GitHub's REST API, for example `GET /repos/{owner}/{repo}/issues`. */
export type GitHubRoute = { [P in keyof paths]: `${Uppercase<keyof paths[P] & string>} ${P}` }[keyof paths]

/** Any route. Editors complete the routes of GitHub. */
export type Route = GitHubRoute | (string & {})

type OperationOf<R> = R extends `${infer M} ${infer P extends keyof paths}`
  ? Lowercase<M> extends infer L extends keyof paths[P]
    ? paths[P][L]
    : undefined
  : undefined

/** Members of the input: a list that is a body has none, and is sent with the option `body`. */
type Members<B> = B extends ReadonlyArray<unknown> ? never : B extends object ? B : never

type Path<O> = O extends { parameters: { path: infer P } } ? P : {}
type Query<O> = O extends { parameters: { query?: infer Q } } ? Q : {}
type Body<O> = O extends { requestBody: { content: { "application/json": infer B } } }
  ? Members<B>
  : O extends { requestBody?: { content: { "application/json": infer B } } }
    ? Partial<Members<B>>
    : {}

/** Timestamps are texts in the description, and may be dates in an input. */
type InputMember<K, V> = K extends "since" | "until" | `${string}_at` | `${string}_timestamp`
  ? string extends V
    ? V | Date
    : V
  : V

type Flat<T> = T extends unknown ? { readonly [K in keyof T]: InputMember<K, T[K]> } : never

/** Input of a route: path parameters, query parameters and the members of the body. */
export type RouteInput<R extends string> =
  OperationOf<R> extends infer O ? (O extends undefined ? RawInput : Flat<Path<O> & Query<O> & Body<O>>) : never

/** A value parsed from JSON. The description also allows `bigint` for large integers. */
type Json<T> = T extends bigint ? never : T extends object ? { [K in keyof T]: Json<T[K]> } : T

/** Content of a response: JSON, or text. A response without content has an empty text. */
type Content<S> = S extends { content: infer C }
  ? [C] extends [never]
    ? ""
    : C extends { "application/json": infer J }
      ? Json<J>
      : string
  : ""

type Success = 200 | 201 | 202 | 203 | 204 | 205

/** Data of a successful response. Unknown for routes that are not GitHub's, and for routes that redirect to a file. */
export type RouteData<R extends string> =
  OperationOf<R> extends { responses: infer S }
    ? [keyof S & Success] extends [never]
      ? unknown
      : { [K in keyof S & Success]: Content<S[K]> }[keyof S & Success]
    : unknown

/** Routes that give the content of the file in the forms `raw` and `html`. */
type FileRoute = `GET ${string}/${"contents/" | "readme" | "git/blobs/"}${string}`

/** Data of a successful response in the form that the options request. */
export type RouteResult<R extends string, O> = O extends { readonly mediaType: infer M }
  ? M extends TextForm
    ? string
    : R extends FileRoute
      ? unknown
      : RouteData<R>
  : RouteData<R>

/** Items of a list: the elements of an array, or of the arrays in an object such as search results. */
type Element<D> =
  D extends ReadonlyArray<infer A>
    ? A
    : D extends object
      ? { [K in keyof D]-?: NonNullable<D[K]> extends ReadonlyArray<infer A> ? A : never }[keyof D]
      : never

/** An item of the list that a route gives. Unknown for routes that are not GitHub's. */
export type RouteItem<R extends string> = unknown extends RouteData<R> ? unknown : Element<RouteData<R>>

/** Input and options of a request. The input is optional if no member is required. */
export type RouteArguments<R extends string, O> =
  {} extends RouteInput<R> ? [input?: RouteInput<R>, options?: O] : [input: RouteInput<R>, options?: O]
