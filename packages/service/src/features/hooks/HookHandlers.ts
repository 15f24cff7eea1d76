/** Handlers shared by repository and organization webhooks. */
import type * as Effect from "effect/Effect"
import type { NotFound } from "@tongs/core/contract/Failure"
import type { GitError } from "../../git/values/GitError.ts"
import type { RequestContext } from "../../api/RequestContext.ts"
import type { HookRow } from "../../webhooks/HookRows.ts"
import type { HookChange, NewHook } from "./HookInput.ts"
import * as HookOperations from "./HookOperations.ts"

/** Differences between repository and organization webhooks. */
export interface HookKind<X extends RequestContext, Shape> {
  readonly site: (context: X) => Effect.Effect<HookOperations.HookScope, NotFound>
  readonly shape: (site: HookOperations.HookScope, hook: HookRow) => Shape
  readonly ping: (hook: HookRow, context: X) => Effect.Effect<void, GitError | NotFound>
}

interface Named {
  readonly hook_id: number
}

interface Delivered extends Named {
  readonly delivery_id: number
}

/** Handlers of the endpoints that repository and organization webhooks share. */
export const make = <X extends RequestContext, Shape>(
  hooks: Effect.Success<typeof HookOperations.make>,
  { ping, shape, site }: HookKind<X, Shape>
) => ({
  *list(_: object, context: X) {
    const at = yield* site(context)
    const { items, total } = yield* hooks.list(at, context.page)
    return { items: items.map((hook) => shape(at, hook)), total }
  },

  *create(input: NewHook, context: X) {
    const at = yield* site(context)
    return shape(at, yield* hooks.create(at, input, (hook) => ping(hook, context)))
  },

  *get({ hook_id }: Named, context: X) {
    const at = yield* site(context)
    return shape(at, yield* hooks.find(at, hook_id))
  },

  *update({ hook_id, ...change }: Named & HookChange, context: X) {
    const at = yield* site(context)
    return shape(at, yield* hooks.update(at, hook_id, change))
  },

  *delete({ hook_id }: Named, context: X) {
    yield* hooks.remove(yield* site(context), hook_id)
  },

  *getConfig({ hook_id }: Named, context: X) {
    return hooks.config(yield* hooks.find(yield* site(context), hook_id))
  },

  *updateConfig(
    { content_type, hook_id, insecure_ssl, secret, url }: Named & Parameters<typeof HookOperations.definedMembers>[0],
    context: X
  ) {
    const change = HookOperations.definedMembers({ content_type, insecure_ssl, secret, url })
    return hooks.config(yield* hooks.updateConfig(yield* site(context), hook_id, change))
  },

  *listDeliveries(input: Named & { readonly cursor?: string; readonly status?: "success" | "failure" }, context: X) {
    return yield* hooks.deliveries(yield* site(context), input, context.page)
  },

  *getDelivery({ delivery_id, hook_id }: Delivered, context: X) {
    return yield* hooks.delivery(yield* site(context), hook_id, delivery_id)
  },

  *redeliverDelivery({ delivery_id, hook_id }: Delivered, context: X) {
    return yield* hooks.redeliver(yield* site(context), hook_id, delivery_id)
  },

  *ping({ hook_id }: Named, context: X) {
    yield* ping(yield* hooks.find(yield* site(context), hook_id), context)
  }
})
