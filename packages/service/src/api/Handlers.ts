/**
 * Handlers of a contract group. The handler of an endpoint is a generator that takes the flat input and the request
 * context, and returns the success value. The type of a handler follows from the contract, so a missing handler is a
 * type error.
 */
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import type { FlatInput } from "@tongs/core/contract/FlatInput"
import type { Item } from "@tongs/core/contract/Paged"
import type { Conflict, Forbidden, Gone, NotFound, ValidationFailed } from "@tongs/core/contract/Failure"
import type { FileRedirect } from "@tongs/core/contract/FileRedirect"
import type { IssueMoved } from "./ApiError.ts"
import type { GitError } from "../git/values/GitError.ts"
import type { AnyContext, ContextOf } from "./RequestContext.ts"
import type { KeyedSlice, Slice } from "../base/Paging.ts"
import type { StreamedBody } from "./StreamedBody.ts"

/** A response body that does not follow the success schema, for example a raw file or a diff. */
export interface RawBody {
  readonly _tag: "Raw"
  readonly contentType: string
  readonly body: Uint8Array | StreamedBody
  /** By default a hash of the body and the caller's token. */
  readonly etag?: string
}

/** Creates a response body with a content type. */
export const rawBody = (contentType: string, body: Uint8Array | string | StreamedBody): RawBody => ({
  _tag: "Raw",
  contentType,
  body: typeof body === "string" ? Buffer.from(body) : body
})

/** A success value in which one string is `content` as base64, which is streamed. */
export interface WithContent<A> {
  readonly _tag: "WithContent"
  /** Creates the success value with a placeholder instead of the content. */
  readonly around: (placeholder: string) => A
  readonly content: StreamedBody
}

/** Makes a success with content streamed as base64. */
export const withContent = <A>(content: StreamedBody, around: (placeholder: string) => A): WithContent<A> => ({
  _tag: "WithContent",
  around,
  content
})

/** A success with a declared status other than the first one of the endpoint. */
export interface WithStatus<A> {
  readonly _tag: "WithStatus"
  readonly status: number
  readonly value: A
}

/** Makes a success with another of the declared statuses than the first, for example 200 for an update by PUT. */
export const withStatus = <A>(status: number, value: A): WithStatus<A> => ({ _tag: "WithStatus", status, value })

/** A success of which one list has pages, so the response has a `link` header. */
export interface WithPages<A> {
  readonly _tag: "WithPages"
  /** Number of items on all pages. */
  readonly total: number
  readonly value: A
}

/** Makes a success that contains a page of a list with `total` items. */
export const withPages = <A>(total: number, value: A): WithPages<A> => ({ _tag: "WithPages", total, value })

export interface Redirect {
  readonly _tag: "Redirect"
  readonly location: string
}

export const redirect = (location: string): Redirect => ({ _tag: "Redirect", location })

/** A page of a list whose response is an object. `wrap` creates the object from the items. */
export interface Enveloped<A> extends Slice<A> {
  readonly wrap: (items: ReadonlyArray<A>) => unknown
}

type HandlerResult<Success> =
  Success extends HttpApiSchema.StreamNdjson<infer Event>
    ? Stream.Stream<Event["Type"]>
    : Success extends HttpApiSchema.WithHeaders<infer Body, infer _Headers>
      ? Body["Type"] extends ReadonlyArray<unknown>
        ? Slice<Item<Body["Type"]>> | KeyedSlice<Item<Body["Type"]>>
        : Enveloped<Item<Body["Type"]>>
      : Success extends { readonly Type: (typeof FileRedirect)["Type"] }
        ? Redirect
        : Success extends { readonly Type: unknown }
          ?
              | Success["Type"]
              | RawBody
              | Redirect
              | WithContent<Success["Type"]>
              | WithPages<Success["Type"]>
              | WithStatus<Success["Type"]>
          : never

export type Handler<E> =
  E extends HttpApiEndpoint.HttpApiEndpoint<
    infer _Identifier,
    infer Method,
    infer Path,
    infer Params,
    infer Query,
    infer Payload,
    infer _Headers,
    infer Success,
    infer Error,
    infer _Middleware,
    infer _Services
  >
    ? (
        input: FlatInput<Params["Type"], Query["Type"], Payload["Type"]>,
        context: ContextOf<Method, Path>
      ) => Effect.fn.Return<HandlerResult<Success>, Error["Type"] | Forbidden | GitError | IssueMoved>
    : never

/** Handlers of every endpoint of a group, by name. */
export type Handlers<G> = {
  readonly [E in HttpApiGroup.Endpoints<G> as HttpApiEndpoint.Identifier<E>]: Handler<E>
}

/** An untyped handler. The route decodes the input and resolves the context before the call. */
export type AnyHandler = (
  input: unknown,
  context: AnyContext
) => Effect.Effect<unknown, Conflict | Forbidden | Gone | NotFound | ValidationFailed | GitError | IssueMoved>

/** Untyped handlers of a group, by endpoint name. */
export interface GroupHandlers {
  readonly group: string
  readonly handlers: Readonly<Record<string, AnyHandler>>
}

/** Binds handlers to a group and checks the types of the handlers against the declaration of the group. */
export const group =
  <G extends HttpApiGroup.Constraint>(declared: G) =>
  (handlers: Handlers<G>): GroupHandlers => {
    const generators = handlers as unknown as Readonly<Record<string, AnyGenerator>> // oxlint-disable-line typescript/no-unsafe-type-assertion -- by the type of `Handlers`
    return {
      group: declared.identifier,
      handlers: Object.fromEntries(
        Object.entries(generators).map(([name, body]) => [name, Effect.fnUntracedEager(body)])
      )
    }
  }

type AnyGenerator = (
  input: unknown,
  context: AnyContext
) => Effect.fn.Return<unknown, Conflict | Forbidden | Gone | NotFound | ValidationFailed | GitError | IssueMoved>
