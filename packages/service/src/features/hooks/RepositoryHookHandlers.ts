import * as Effect from "effect/Effect"
import { type RepositoryHook, RepositoryHooks } from "@tongs/core/contract/groups/RepositoryHooks"
import * as WebhookPayloads from "../../events/WebhookPayloads.ts"
import { PushPayload } from "../../events/PushPayload.ts"
import type { SignedInRepositoryContext } from "../../api/RequestContext.ts"
import { group } from "../../api/Handlers.ts"
import { PublicUrl } from "../../api/PublicUrl.ts"
import { EventRows } from "../../events/EventRows.ts"
import type { HookRow } from "../../webhooks/HookRows.ts"
import * as HookHandlers from "./HookHandlers.ts"
import * as HookOperations from "./HookOperations.ts"
import * as Shapes from "../../api/Shapes.ts"

export const make = Effect.gen(function* () {
  const hooks = yield* HookOperations.make
  const events = yield* EventRows
  const publicUrl = yield* PublicUrl
  const push = yield* PushPayload

  const scopeOf = ({ caller, repository, urls }: SignedInRepositoryContext): HookOperations.HookScope => ({
    caller,
    owner: { kind: "repository", id: repository.row.id },
    url: `${Shapes.repositoryUrl(repository, urls)}/hooks`
  })

  const shape = (scope: HookOperations.HookScope, row: HookRow): RepositoryHook => {
    const common = hooks.common(scope, row)
    return {
      ...common,
      test_url: `${common.url}/tests`,
      last_response: { code: row.last_code, status: row.last_status, message: row.last_message }
    }
  }

  const ping = Effect.fnUntraced(function* (row: HookRow, context: SignedInRepositoryContext) {
    const { repository } = context
    const urls = yield* publicUrl.urls
    const scope = scopeOf({ ...context, urls })
    yield* hooks.send(row, {
      event: "ping",
      action: null,
      repositoryId: repository.row.id,
      payload: {
        zen: HookOperations.ZEN,
        hook_id: row.id,
        hook: shape(scope, row),
        ...(yield* WebhookPayloads.common({ actor: scope.caller.user, repository }, urls))
      }
    })
  })

  /** Latest push event of the repository, or a push event for the newest commit of the default branch. */
  const latestPush = Effect.fnUntraced(function* ({ repository: { git, row } }: SignedInRepositoryContext) {
    const event = yield* events.newest(row.id, "PushEvent")
    const { before, head, ref } = event?.payload ?? {}
    // Payloads from fixture files are not validated.
    if (typeof before === "string" && typeof head === "string" && typeof ref === "string") {
      return { ref, before, after: head }
    }
    const name = yield* git.head
    const tip = yield* git.ref(`refs/heads/${name}`)
    if (tip === undefined) return undefined
    return { ref: tip.name, before: (yield* git.commit(tip.oid))?.parents[0] ?? null, after: tip.oid }
  })

  return group(RepositoryHooks)({
    ...HookHandlers.make(hooks, { scopeOf, shape, ping }),

    *testPush({ hook_id }, context) {
      const scope = scopeOf(context)
      const row = yield* hooks.find(scope, hook_id)
      if (!row.events.includes("push") && !row.events.includes("*")) return
      const move = yield* latestPush(context)
      if (move === undefined) return
      const { repository } = context
      const actor = scope.caller.user
      const urls = yield* publicUrl.urls
      const payload = {
        ...(yield* push.payload(actor, repository, urls, move)),
        ...(yield* WebhookPayloads.common({ actor, repository }, urls))
      }
      yield* hooks.send(row, { event: "push", action: null, repositoryId: repository.row.id, payload })
    }
  })
})
