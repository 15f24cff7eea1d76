/**
 * The client with promises, for programs without Effect. A list is an async iterable.
 *
 * **Details**
 *
 * Promises reject with the failures that this module exports: test `error instanceof NotFound` or
 * `error._tag === "NotFound"`. An `AbortSignal` cancels a call, which then rejects with the reason of the signal. Runs
 * in Node and browsers; the published module has no dependencies.
 *
 * **Example** (a branch and the log)
 *
 * ```ts
 * await using forge = createForge({ baseUrl: "https://forge.example/api/v3", auth: process.env.FORGE_TOKEN })
 * const main = await forge.gitRefs.get({ owner: "octo", repo: "hello", ref: "heads/main" })
 * const log = forge.commits.list({ owner: "octo", repo: "hello", sha: main.object.sha }, { limit: 500 })
 * for await (const { commit, sha } of log) console.log(sha.slice(0, 7), commit.message.split("\n")[0])
 * ```
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as BaseUrl from "@tongs/core/client/BaseUrl"
import type { CallOptions, JsonForm } from "@tongs/core/client/CallOptions"
import * as CallSite from "@tongs/core/client/CallSite"
import * as Cancellation from "@tongs/core/client/Cancellation"
import type { Engine } from "@tongs/core/client/Engine"
import type { RawInput } from "@tongs/core/client/RawCall"
import type { NumberedPageOptions, Pages } from "@tongs/core/paging/Pages"

import * as ClientContract from "./contract/ClientContract.ts"
import * as ForgeLayer from "./ForgeLayer.ts"
import * as LazyGroups from "./LazyGroups.ts"
import { type ForgeOptions, names } from "./ForgeOptions.ts"
import * as OptionNames from "./OptionNames.ts"
import type { Cancellable, List, PromiseForge, UntypedMethods } from "./PromiseForge.ts"

export { app, type AppOptions } from "./auth/AppAuthentication.ts"
export type { Auth, Authentication, ExpiringToken, TokenFunction } from "./auth/Authentication.ts"
export {
  deviceFlow,
  type DeviceCode,
  type DeviceFlowOptions,
  type SignIn,
  type SignInStorage
} from "./auth/DeviceFlowAuthentication.ts"
export type { ForgeOptions } from "./ForgeOptions.ts"
export type { LimitsStore } from "./LimitsStore.ts"
export type { Cancellable, List, PromiseForge, PromiseGroups } from "./PromiseForge.ts"
export type { Wait } from "@tongs/core/client/WaitLog"
export {
  type Delivery as WebhookDelivery,
  type EventName as WebhookEventName,
  InvalidDelivery,
  type Payload as WebhookPayload
} from "./webhooks/Delivery.ts"
export { webhooks } from "./webhooks/webhooks.ts"
export type { GitHubRoute, RouteData, RouteInput, RouteItem } from "@tongs/core/client/GitHubRoute"
export { age } from "@tongs/core/client/ResponseAge"
export {
  BadCredentials,
  Conflict,
  type Failure,
  Forbidden,
  ForgeError,
  Gone,
  isFailure,
  NotFound,
  RateLimited,
  ServiceFailed,
  Unreachable,
  UnexpectedResponse,
  Unsupported,
  UntrustedLink,
  ValidationFailed
} from "@tongs/core/contract/Failure"

/** How to cancel a call, the call site, and the part of the contract that the call needs. */
interface Context extends Cancellable {
  readonly site: CallSite.CallSite
  readonly load: () => Promise<void> | undefined
}

/**
 * Creates a client of the forge at `baseUrl`. Throws a `TypeError` for an invalid URL and for an unknown option. Connects on
 * the first call.
 */
export const createForge = (options: ForgeOptions): PromiseForge => {
  OptionNames.check("createForge", options, names)
  BaseUrl.parse(options.baseUrl) // fails here for an invalid URL, not in the first call
  const { ForgeEngine } = ForgeLayer
  const runtime = ManagedRuntime.make(ForgeLayer.make(options))
  const running = new Set<Fiber.Fiber<unknown, unknown>>()
  let isClosed = false

  const check = (signal: AbortSignal | undefined) => {
    if (isClosed) throw new Error("the client is closed")
    signal?.throwIfAborted()
  }

  const onFiberStart = (signal: AbortSignal | undefined) => (fiber: Fiber.Fiber<unknown, unknown>) => {
    running.add(fiber)
    fiber.addObserver(() => running.delete(fiber))
    if (signal !== undefined) Cancellation.interruptOnAbort(signal, fiber)
  }

  const run = async <A, E>(
    effect: Effect.Effect<A, E, ForgeLayer.ForgeEngine>,
    { load, signal, site }: Context
  ): Promise<A> => {
    check(signal)
    const loading = load()
    const loaded =
      loading === undefined
        ? effect
        : Effect.andThen(
            Effect.promise(() => loading),
            effect
          )
    const exit = await runtime.runPromiseExit(loaded, { onFiberStart: onFiberStart(signal) })
    if (Exit.isSuccess(exit)) return exit.value
    if (Cause.hasInterruptsOnly(exit.cause)) check(signal)
    throw CallSite.attachStack(Cause.squash(exit.cause), site)
  }

  async function* iterate<A, E>(stream: Stream.Stream<A, E, ForgeLayer.ForgeEngine>, context: Context) {
    const scope = Scope.makeUnsafe()
    try {
      const pull = await run(Scope.provide(Stream.toPull(stream), scope), context)
      const next = Effect.catchIf(pull, Cause.isDone, () => Effect.undefined)
      for (let some = await run(next, context); some !== undefined; some = await run(next, context)) yield* some
    } finally {
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }

  const list = <A, E>(pages: (forge: Engine<ClientContract.Endpoint>) => Pages<A, E>, context: Context): List<A> => {
    const stream = <B>(part: (pages: Pages<A, E>) => Stream.Stream<B, E>) =>
      iterate(Stream.unwrap(ForgeEngine.useSync((forge) => part(pages(forge)))), context)
    return {
      [Symbol.asyncIterator]: () => stream(({ items }) => items),
      pages: () => stream(({ pages }) => pages),
      first: () =>
        run(
          ForgeEngine.use((forge) => pages(forge).first),
          context
        )
    }
  }

  const method = (group: string, name: string) => {
    const endpoint = `${group}.${name}`
    const load = () => ClientContract.loadGroup(group)
    const call = (input?: RawInput, { signal, ...options }: CallOptions<JsonForm> & Cancellable = {}) =>
      run(
        ForgeEngine.use((forge) => forge.call(endpoint, input, options)),
        { signal, site: CallSite.capture(call), load }
      )
    const page = (
      input?: RawInput,
      { signal, ...options }: CallOptions<JsonForm> & NumberedPageOptions & Cancellable = {}
    ) => list((forge) => forge.list(endpoint, input, options), { signal, site: CallSite.capture(page), load })
    const events = (input?: RawInput, { signal, ...options }: CallOptions<JsonForm> & Cancellable = {}) =>
      iterate(Stream.unwrap(ForgeEngine.useSync((forge) => forge.stream(endpoint, input, options))), {
        signal,
        site: CallSite.capture(events),
        load
      })
    return { call, list: page, stream: events }[ClientContract.kindOf(group, name)]
  }

  const close = async () => {
    isClosed = true
    await Effect.runPromise(Fiber.interruptAll(running))
    await runtime.dispose()
  }
  const load = ClientContract.loadRoutes
  const rest: UntypedMethods = {
    request: (route, input, { signal, ...options } = {}) =>
      run(
        ForgeEngine.use((forge) => forge.request(route, input, options)),
        { signal, site: CallSite.capture(rest.request), load }
      ),
    paginate: (route, input, { signal, ...options } = {}) =>
      list((forge) => forge.paginate(route, input, options), { signal, site: CallSite.capture(rest.paginate), load }),
    download: (route, input, { signal, ...options } = {}) =>
      iterate(Stream.unwrap(ForgeEngine.useSync((forge) => forge.download(route, input, options))), {
        signal,
        site: CallSite.capture(rest.download),
        load
      }),
    close,
    [Symbol.asyncDispose]: close
  }
  const client: object = LazyGroups.define(rest, ClientContract.groups, method)
  return client as PromiseForge // oxlint-disable-line typescript/no-unsafe-type-assertion -- derived by the same reflection that the types are
}
