import * as Effect from "effect/Effect"
import { OrganizationHooks } from "@tongs/core/contract/groups/OrganizationHooks"
import * as WebhookPayloads from "../../events/WebhookPayloads.ts"
import type { SignedInOrganizationContext } from "../../api/RequestContext.ts"
import { group } from "../../api/Handlers.ts"
import { PublicUrl } from "../../api/PublicUrl.ts"
import type { HookRow } from "../../webhooks/HookRows.ts"
import * as HookHandlers from "./HookHandlers.ts"
import * as HookOperations from "./HookOperations.ts"
import * as Shapes from "../../api/Shapes.ts"

export const make = Effect.gen(function* () {
  const hooks = yield* HookOperations.make
  const publicUrl = yield* PublicUrl

  const scopeOf = ({ caller, organization, urls }: SignedInOrganizationContext): HookOperations.HookScope => ({
    caller,
    owner: { kind: "organization", id: organization.id },
    url: `${urls.api}/orgs/${organization.login}/hooks`
  })

  const ping = Effect.fnUntraced(function* (row: HookRow, context: SignedInOrganizationContext) {
    const urls = yield* publicUrl.urls
    const scope = scopeOf({ ...context, urls })
    yield* hooks.send(row, {
      event: "ping",
      action: null,
      repositoryId: null,
      payload: {
        zen: HookOperations.ZEN,
        hook_id: row.id,
        hook: hooks.common(scope, row),
        organization: WebhookPayloads.organization(context.organization, urls),
        sender: Shapes.userSummary(scope.caller.user, urls)
      }
    })
  })

  return group(OrganizationHooks)(HookHandlers.make(hooks, { scopeOf, shape: hooks.common, ping }))
})
