/**
 * The typed client: one member per group of the contract, one method per endpoint, derived from the declarations.
 *
 * ```ts
 * const ref = yield* forge.gitRefs.get({ owner: "octo", repo: "hello", ref: "heads/main" })
 * const log = forge.commits.list({ owner: "octo", repo: "hello" }, { perPage: 100 }).items
 * ```
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import type { Api } from "../contract/Api.ts"
import type * as Failure from "../contract/Failure.ts"
import type { FlatInput, Given } from "../contract/FlatInput.ts"
import type { Item } from "../contract/Paged.ts"
import type { NumberedPageOptions, PageOptions, Pages } from "../paging/Pages.ts"
import type { CallOptions, MarkdownForm, RawOptions } from "./CallOptions.ts"
import * as Engine from "./Engine.ts"
import * as GroupMethods from "./GroupMethods.ts"
import type { RawInput } from "./RawRequest.ts"

type Args<I, O> = {} extends I ? [input?: I, options?: O] : [input: I, options?: O]

/** The forms of an answer that its type can hold: what was written comes as text or HTML, what was found with where. */
type Forms<A> = "body_html" extends keyof A ? MarkdownForm : "text_matches" extends keyof A ? "text-match" : never

/** The client method of an endpoint. */
export type Method<E> =
  E extends HttpApiEndpoint.HttpApiEndpoint<
    infer _Identifier,
    infer _Method,
    infer _Path,
    infer Params,
    infer Query,
    infer Payload,
    infer _Headers,
    infer Success,
    infer Error,
    infer _Middleware,
    infer _Services
  >
    ? Success extends HttpApiSchema.WithHeaders<infer Body, infer _H>
      ? (
          ...args: Args<
            Given<FlatInput<Params["Type"], Omit<Query["Type"], "page" | "per_page" | "cursor">, Payload["Type"]>>,
            CallOptions<Forms<Item<Body["Type"]>>> &
              ("page" extends keyof Query["Type"] ? NumberedPageOptions : PageOptions)
          >
        ) => Pages<
          Item<Body["Type"]>,
          Error["Type"] | Failure.Always | Failure.ValidationFailed | Failure.UntrustedLink
        >
      : (
          ...args: Args<
            Given<FlatInput<Params["Type"], Query["Type"], Payload["Type"]>>,
            CallOptions<Forms<Success["Type"]>>
          >
        ) => Effect.Effect<Success["Type"], Error["Type"] | Failure.Always | Failure.ValidationFailed>
    : never

type GroupsOf<A> = A extends HttpApi.HttpApi<infer _Id, infer Groups> ? Groups : never
type EndpointsOf<G> = G extends HttpApiGroup.HttpApiGroup<infer _Id, infer Endpoints, infer _Top> ? Endpoints : never

export type Group<G> = { readonly [E in EndpointsOf<G> as HttpApiEndpoint.Identifier<E>]: Method<E> }

/** Every group of the contract by its name. */
export type Groups = { readonly [G in GroupsOf<typeof Api> as HttpApiGroup.Identifier<G>]: Group<G> }

export interface Client extends Groups {
  /**
   * Any request, whether the contract has it or not, through the same pipeline: `request("GET /repos/{owner}/{repo}/x",
   * { owner, repo })`. Members of the input that the path does not name go into the query, or into the body of a
   * method that has one. So one asks for what is no JSON, too: `request("GET /repos/{owner}/{repo}/commits/{ref}", { owner,
   * repo, ref }, { mediaType: "diff" })` has the difference as its `text`.
   */
  readonly request: (
    route: string,
    input?: RawInput,
    options?: RawOptions
  ) => Effect.Effect<Engine.RawResponse, Failure.Failure>
  /** The same for a list. */
  readonly paginate: (
    route: string,
    input?: RawInput,
    options?: RawOptions & NumberedPageOptions
  ) => Pages<unknown, Failure.Failure>
  /**
   * A file that an answer leads to, as a stream of its bytes: `download("GET
   * /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/zip", { owner, repo, artifact_id })`. A connection that breaks
   * is made again for the rest. An answer that is the file itself is given whole: `download("GET
   * /repos/{owner}/{repo}/contents/{path}", { owner, repo, path }, { mediaType: "raw" })`.
   */
  readonly download: Engine.Engine["download"]
  /** An endpoint of the catalog by its entry, for programs that choose at run time: one answer, or a list. */
  readonly call: Engine.Engine["call"]
  readonly list: Engine.Engine["list"]
  /** The forge that this client speaks to. */
  readonly baseUrl: string
  /** The scope of the client's budget: one credential on one host. */
  readonly scope: string
}

/**
 * The client as a service of a program. Its layer sends through the `HttpClient` of the context, as `FetchHttpClient.layer`,
 * when the `Scheduler` says so: `Scheduler.layerMemory` keeps the budget of one process.
 */
export class Forge extends Context.Service<Forge, Client>()("@tongs/core/client/Forge") {
  /** A client over the HttpClient and the Scheduler of the context. */
  static readonly make = Effect.fn("Forge.make")(function* (options: Engine.ClientOptions) {
    const engine = yield* Engine.make(options, yield* HttpClient.HttpClient)
    const rest: Omit<Client, keyof Groups> = { ...engine, baseUrl: options.baseUrl }
    const client: object = GroupMethods.defineGroups(rest, (entry) => Engine.method(engine, entry))
    return client as Client // oxlint-disable-line typescript/no-unsafe-type-assertion -- derived by the same reflection that the types are
  })

  static readonly layer = (options: Engine.ClientOptions) => Layer.effect(Forge, Forge.make(options))
}
