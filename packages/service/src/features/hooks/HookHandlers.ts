/** The handlers that the webhooks of repositories and those of organizations share. */
import type * as Effect from "effect/Effect"
import type { NotFound } from "@tongs/core/contract/Failure"
import type { GitError } from "../../git/GitError.ts"
import type { RequestContext } from "../../api/RequestContext.ts"
import type { HookRow } from "../../webhooks/HookRows.ts"
import type { HookChange, NewHook } from "./HookInput.ts"
import * as HookOperations from "./HookOperations.ts"

/** In what the two kinds differ. */
export interface HookKind<X extends RequestContext, Shape> {
  readonly site: (exchange: X) => Effect.Effect<HookOperations.HookScope, NotFound>
  readonly shape: (site: HookOperations.HookScope, hook: HookRow) => Shape
  readonly ping: (hook: HookRow, exchange: X) => Effect.Effect<void, GitError | NotFound>
}

interface Named {
  readonly hook_id: number
}

interface Delivered extends Named {
  readonly delivery_id: number
}

export const make = <X extends RequestContext, Shape>(
  hooks: Effect.Success<typeof HookOperations.make>,
  { ping, shape, site }: HookKind<X, Shape>
) => ({
  *list(_: object, exchange: X) {
    const at = yield* site(exchange)
    const { items, total } = yield* hooks.list(at, exchange.page)
    return { items: items.map((hook) => shape(at, hook)), total }
  },

  *create(input: NewHook, exchange: X) {
    const at = yield* site(exchange)
    return shape(at, yield* hooks.create(at, input, (hook) => ping(hook, exchange)))
  },

  *get({ hook_id }: Named, exchange: X) {
    const at = yield* site(exchange)
    return shape(at, yield* hooks.find(at, hook_id))
  },

  *update({ hook_id, ...change }: Named & HookChange, exchange: X) {
    const at = yield* site(exchange)
    return shape(at, yield* hooks.update(at, hook_id, change))
  },

  *delete({ hook_id }: Named, exchange: X) {
    yield* hooks.remove(yield* site(exchange), hook_id)
  },

  *getConfig({ hook_id }: Named, exchange: X) {
    return hooks.config(yield* hooks.find(yield* site(exchange), hook_id))
  },

  *updateConfig(
    { content_type, hook_id, insecure_ssl, secret, url }: Named & Parameters<typeof HookOperations.definedMembers>[0],
    exchange: X
  ) {
    const change = HookOperations.definedMembers({ content_type, insecure_ssl, secret, url })
    return hooks.config(yield* hooks.updateConfig(yield* site(exchange), hook_id, change))
  },

  *listDeliveries(input: Named & { readonly cursor?: string; readonly status?: "success" | "failure" }, exchange: X) {
    return yield* hooks.deliveries(yield* site(exchange), input, exchange.page)
  },

  *getDelivery({ delivery_id, hook_id }: Delivered, exchange: X) {
    return yield* hooks.delivery(yield* site(exchange), hook_id, delivery_id)
  },

  *redeliverDelivery({ delivery_id, hook_id }: Delivered, exchange: X) {
    return yield* hooks.redeliver(yield* site(exchange), hook_id, delivery_id)
  },

  *ping({ hook_id }: Named, exchange: X) {
    yield* ping(yield* hooks.find(yield* site(exchange), hook_id), exchange)
  }
})
