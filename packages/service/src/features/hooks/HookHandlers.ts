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
  readonly scopeOf: (context: X) => HookOperations.HookScope
  readonly shape: (scope: HookOperations.HookScope, row: HookRow) => Shape
  readonly ping: (row: HookRow, context: X) => Effect.Effect<void, GitError | NotFound>
}

interface Named {
  readonly hook_id: number
}

interface Delivered extends Named {
  readonly delivery_id: number
}

/** Handlers of the endpoints that repository and organization webhooks share. */
export const make = <X extends RequestContext, Shape>(
  hooks: HookOperations.HookOperations,
  { ping, shape, scopeOf }: HookKind<X, Shape>
) => ({
  *list(_: object, context: X) {
    const scope = scopeOf(context)
    const { items, total } = yield* hooks.list(scope, context.page)
    return { items: items.map((row) => shape(scope, row)), total }
  },

  *create(input: NewHook, context: X) {
    const scope = scopeOf(context)
    return shape(scope, yield* hooks.create(scope, input, (row) => ping(row, context)))
  },

  *get({ hook_id }: Named, context: X) {
    const scope = scopeOf(context)
    return shape(scope, yield* hooks.find(scope, hook_id))
  },

  *update({ hook_id, ...change }: Named & HookChange, context: X) {
    const scope = scopeOf(context)
    return shape(scope, yield* hooks.update(scope, hook_id, change))
  },

  *delete({ hook_id }: Named, context: X) {
    yield* hooks.remove(scopeOf(context), hook_id)
  },

  *getConfig({ hook_id }: Named, context: X) {
    return hooks.config(yield* hooks.find(scopeOf(context), hook_id))
  },

  *updateConfig(
    { content_type, hook_id, insecure_ssl, secret, url }: Named & Parameters<typeof HookOperations.definedMembers>[0],
    context: X
  ) {
    const change = HookOperations.definedMembers({ content_type, insecure_ssl, secret, url })
    return hooks.config(yield* hooks.updateConfig(scopeOf(context), hook_id, change))
  },

  *listDeliveries(input: Named & { readonly cursor?: string; readonly status?: "success" | "failure" }, context: X) {
    return yield* hooks.deliveries(scopeOf(context), input, context.page)
  },

  *getDelivery({ delivery_id, hook_id }: Delivered, context: X) {
    return yield* hooks.delivery(scopeOf(context), hook_id, delivery_id)
  },

  *redeliverDelivery({ delivery_id, hook_id }: Delivered, context: X) {
    return yield* hooks.redeliver(scopeOf(context), hook_id, delivery_id)
  },

  *ping({ hook_id }: Named, context: X) {
    yield* ping(yield* hooks.find(scopeOf(context), hook_id), context)
  }
})
