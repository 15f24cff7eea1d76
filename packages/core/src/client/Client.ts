/** Types of the client: one member per group of the contract, one method per endpoint, derived from the declarations. */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { groups } from "../contract/Api.ts"
import type { CatalogEntry } from "../contract/CatalogEntry.ts"
import type * as Failure from "../contract/Failure.ts"
import type { FlatInput, InputValue } from "../contract/FlatInput.ts"
import type { Item } from "../contract/Paged.ts"
import type { NumberedPageOptions, PageOptions, Pages } from "../paging/Pages.ts"
import type { CallOptions, JsonForm, MarkdownForm, RawOptions } from "./CallOptions.ts"
import type { DownloadOptions } from "./DownloadOptions.ts"
import type { Route, RouteArguments, RouteItem, RouteResult } from "./GitHubRoute.ts"
import type { RawInput, RawResponse } from "./RawCall.ts"

type Args<I, O> = {} extends I ? [input?: I, options?: O] : [input: I, options?: O]

/** Response forms that the type of a resource can represent: rendered Markdown, or the positions of search matches. */
type Forms<A> = "body_html" extends keyof A ? MarkdownForm : "text_matches" extends keyof A ? "text-match" : never

// Conditional types read single members of the schemas: a constraint such as `Schema.Top` would compare whole schemas.

type TypeOf<S> = S extends { readonly Type: infer T } ? T : never

/** The body of a page, of endpoints whose successful response is a page or empty, too. */
type PageBody<Success> = Success extends { readonly schema: infer Body; readonly headers: unknown }
  ? TypeOf<Body>
  : never

/** An event of an endpoint that sends events. */
type EventOf<Success> = Success extends { readonly schema: infer Event; readonly mode: "ndjson" }
  ? TypeOf<Event>
  : never

interface Schemas {
  readonly "~Params": unknown
  readonly "~Query": unknown
  readonly "~Payload": unknown
  readonly "~Success": unknown
  readonly "~Error": unknown
}

type MethodOf<Params, Query, Payload, Success, Error> = [EventOf<Success>] extends [never]
  ? [PageBody<Success>] extends [never]
    ? (
        ...args: Args<InputValue<FlatInput<Params, Query, Payload>>, CallOptions<Forms<TypeOf<Success>>>>
      ) => Effect.Effect<TypeOf<Success>, Error | Failure.Always | Failure.ValidationFailed>
    : (
        ...args: Args<
          InputValue<FlatInput<Params, Omit<Query, "page" | "per_page" | "cursor">, Payload>>,
          CallOptions<Forms<Item<PageBody<Success>>>> & ("page" extends keyof Query ? NumberedPageOptions : PageOptions)
        >
      ) => Pages<Item<PageBody<Success>>, Error | Failure.Always | Failure.ValidationFailed | Failure.UntrustedLink>
  : (
      ...args: Args<InputValue<FlatInput<Params, Query, Payload>>, CallOptions>
    ) => Stream.Stream<EventOf<Success>, Error | Failure.Always | Failure.ValidationFailed>

/** The client method of an endpoint: `Pages` for a paged endpoint, a `Stream` for one that sends events, an `Effect` for any other. */
export type Method<E> = E extends Schemas
  ? MethodOf<TypeOf<E["~Params"]>, TypeOf<E["~Query"]>, TypeOf<E["~Payload"]>, E["~Success"], TypeOf<E["~Error"]>>
  : never

/** The methods of a group by the names of its endpoints. */
export type Group<G extends { readonly endpoints: object }> = {
  readonly [E in keyof G["endpoints"]]: Method<G["endpoints"][E]>
}

type DerivedGroups = { readonly [G in keyof typeof groups]: Group<(typeof groups)[G]> }

/**
 * The groups of the contract by name. In the published declarations every method has a summary, permission and errors
 * (added by `document-methods.ts`), because a mapped type has no documentation.
 */
export type Groups = DerivedGroups

/** Methods for requests whose route a program chooses at run time. `Entry` identifies an endpoint of the contract. */
export interface GenericMethods<Entry = CatalogEntry> {
  /** Sends any request. `RouteMethods` has the types of GitHub's routes. */
  readonly request: (
    route: string,
    input?: RawInput,
    options?: RawOptions
  ) => Effect.Effect<RawResponse, Failure.Failure>
  /** Reads any paged list. `RouteMethods` has the types of GitHub's routes. */
  readonly paginate: (
    route: string,
    input?: RawInput,
    options?: RawOptions & NumberedPageOptions
  ) => Pages<unknown, Failure.Failure>
  /**
   * Downloads the file that a response redirects to, as a stream of bytes: `download("GET
   * /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/zip", { owner, repo, artifact_id })`. Resumes after a broken
   * connection. A response without a redirect is the file: `download("GET /repos/{owner}/{repo}/contents/{path}", {
   * owner, repo, path }, { mediaType: "raw" })`.
   */
  readonly download: (
    route: string,
    input?: RawInput,
    options?: DownloadOptions
  ) => Stream.Stream<Uint8Array, Failure.Failure>
  /** Calls an endpoint by the entry in the contract. */
  readonly call: (
    entry: Entry,
    input?: RawInput,
    options?: CallOptions<JsonForm>
  ) => Effect.Effect<unknown, Failure.Failure>
  /** Reads the list of a paged endpoint by the entry in the contract. */
  readonly list: (
    entry: Entry,
    input?: RawInput,
    options?: CallOptions<JsonForm> & NumberedPageOptions
  ) => Pages<unknown, Failure.Failure>
  /**
   * Reads the events of a streaming endpoint by the entry in the contract. Interrupting the stream ends the request.
   */
  readonly stream: (
    entry: Entry,
    input?: RawInput,
    options?: CallOptions<JsonForm>
  ) => Stream.Stream<unknown, Failure.Failure>
}

/** Methods for any route, with the types of all GitHub routes. */
export interface RouteMethods {
  /**
   * Sends any request, declared in the contract or not, through the same pipeline: `request("GET
   * /repos/{owner}/{repo}/issues", { owner, repo, state: "open" })`. Input and data of GitHub's routes are typed; other
   * routes have `unknown` data. Input members that the path does not name become the query, or the body of a method that
   * has one. With `mediaType` the response need not be JSON: `request("GET /repos/{owner}/{repo}/commits/{ref}", { owner,
   * repo, ref }, { mediaType: "diff" })` gives the diff as `text`.
   */
  readonly request: <R extends Route, O extends RawOptions = {}>(
    route: R,
    ...args: RouteArguments<R, O>
  ) => Effect.Effect<RawResponse<RouteResult<R, O>>, Failure.Failure>
  /** Reads any paged list, with a route and input as for `request`. The items of GitHub's routes are typed. */
  readonly paginate: <R extends Route>(
    route: R,
    ...args: RouteArguments<R, RawOptions & NumberedPageOptions>
  ) => Pages<RouteItem<R>, Failure.Failure>
}

/** Properties of the client's credential. */
export interface CredentialInfo {
  /** Identifies the client's rate-limit scope: one credential on one host. Contains no part of the token. */
  readonly scope: string
  /**
   * Masks the tokens that the client sent last, in the forms in which a forge can echo a token: plain, in Base64, or
   * escaped. Failures of the client are masked already, results are not.
   */
  readonly mask: (text: string) => string
  /**
   * Returns the OAuth scopes of the token, from the last `x-oauth-scopes` header of the forge. Undefined before the
   * first response, and for tokens without scopes.
   */
  readonly grantedScopes: () => ReadonlyArray<string> | undefined
}

/** The typed client of one forge with one credential. */
export interface Client extends Groups, RouteMethods, Omit<GenericMethods, keyof RouteMethods>, CredentialInfo {
  /** Base URL of the API. */
  readonly baseUrl: string
}
