/** The types of the promise client. */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { RawOptions } from "@tongs/core/client/CallOptions"
import type { Groups } from "@tongs/core/client/Client"
import type { DownloadOptions } from "@tongs/core/client/DownloadOptions"
import type { Route, RouteArguments, RouteItem, RouteResult } from "@tongs/core/client/GitHubRoute"
import type { RawInput, RawResponse } from "@tongs/core/client/RawCall"
import type { Page } from "@tongs/core/paging/Page"
import type { NumberedPageOptions, Pages } from "@tongs/core/paging/Pages"

/** Options of a call that can be cancelled. */
export interface Cancellable {
  /** An aborted signal cancels the call or the iteration. */
  readonly signal?: AbortSignal | undefined
}

/** A paged list: iterates over the items, and fetches each page on demand. */
export interface List<A> extends AsyncIterable<A> {
  /** Iterates over the pages, with totals and cursors. */
  readonly pages: () => AsyncIterable<Page<A>>
  /** The first page. */
  readonly first: () => Promise<Page<A>>
}

/** The parameters of a method, with `signal` as an additional option. */
type Parameters<A extends ReadonlyArray<unknown>> = A extends readonly [input: infer I, options?: infer O]
  ? [input: I, options?: O & Cancellable]
  : A extends readonly [input?: infer I, options?: infer O]
    ? [input?: I, options?: O & Cancellable]
    : never

type Result<T> =
  T extends Effect.Effect<infer A, infer _E>
    ? Promise<A>
    : T extends Stream.Stream<infer A, infer _E>
      ? AsyncIterable<A>
      : T extends Pages<infer A, infer _E>
        ? List<A>
        : never

/** A method of the client that returns a promise or a list. */
type Method<M> = M extends (...args: infer A) => infer T ? (...args: Parameters<A>) => Result<T> : never

/** The groups of the contract by name, for example `gitRefs`. */
export type PromiseGroups = {
  readonly [G in keyof Groups]: { readonly [M in keyof Groups[G]]: Method<Groups[G][M]> }
}

/** The client of one forge with one credential. Close the client with `close` or `await using`. */
export interface PromiseForge extends PromiseGroups, AsyncDisposable {
  /**
   * Sends any request: `request("GET /repos/{owner}/{repo}/issues", { owner, repo, state: "open" })`. Input and data of
   * GitHub's routes are typed; other routes have `unknown` data. With `mediaType` the response need not be JSON: `{
   * mediaType: "diff" }` gives a commit as `text`.
   */
  readonly request: <R extends Route, O extends RawOptions & Cancellable = {}>(
    route: R,
    ...args: RouteArguments<R, O>
  ) => Promise<RawResponse<RouteResult<R, O>>>
  /** Reads any paged list, with a route and input as in `request`. The items of GitHub's routes are typed. */
  readonly paginate: <R extends Route>(
    route: R,
    ...args: RouteArguments<R, RawOptions & NumberedPageOptions & Cancellable>
  ) => List<RouteItem<R>>
  /** Downloads the file that a response redirects to, as chunks of bytes. Resumes after a broken connection. */
  readonly download: (
    route: string,
    input?: RawInput,
    options?: DownloadOptions & Cancellable
  ) => AsyncIterable<Uint8Array>
  /** Cancels all calls. Later calls reject. */
  readonly close: () => Promise<void>
}

/** The methods of the client for any route, without the types of GitHub's routes. */
export interface UntypedMethods extends Pick<PromiseForge, "download" | "close">, AsyncDisposable {
  readonly request: (route: string, input?: RawInput, options?: RawOptions & Cancellable) => Promise<RawResponse>
  readonly paginate: (
    route: string,
    input?: RawInput,
    options?: RawOptions & NumberedPageOptions & Cancellable
  ) => List<unknown>
}
