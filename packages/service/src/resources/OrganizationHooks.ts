import * as Effect from "effect/Effect"
import { OrganizationHooks } from "@tongs/core/contract/OrganizationHooks"
import * as Payloads from "../events/Payloads.ts"
import type { OnOrganization } from "../http/Exchange.ts"
import { group } from "../http/Handlers.ts"
import type { HookRow } from "../storage/Hooks.ts"
import * as HookHandlers from "./HookHandlers.ts"
import * as Hooks from "./Hooks.ts"
import * as Shapes from "./Shapes.ts"

export const make = Effect.gen(function* () {
  const hooks = yield* Hooks.make

  const site = ({ caller, organization, urls }: OnOrganization) =>
    Effect.map(Hooks.signedIn(caller), (caller): Hooks.Site => ({
      caller,
      place: { kind: "organization", id: organization.id },
      url: `${urls.api}/orgs/${organization.login}/hooks`
    }))

  const ping = (site: Hooks.Site, hook: HookRow, { organization, urls }: OnOrganization) =>
    hooks.send(hook, {
      event: "ping",
      action: null,
      repositoryId: null,
      payload: {
        zen: Hooks.zen,
        hook_id: hook.id,
        hook: hooks.common(site, hook),
        organization: Payloads.organization(organization, urls),
        sender: Shapes.userSummary(site.caller.user, urls)
      }
    })

  return group(OrganizationHooks)(HookHandlers.make(hooks, { site, shape: hooks.common, ping }))
})
