import * as Effect from "effect/Effect"
import { OrganizationHooks } from "@tongs/core/contract/OrganizationHooks"
import * as Payloads from "../events/Payloads.ts"
import type { OnOrganization } from "../http/Exchange.ts"
import { group } from "../http/Handlers.ts"
import type { HookRow } from "../storage/Hooks.ts"
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

  return group(OrganizationHooks)({
    *list(_, exchange) {
      const at = yield* site(exchange)
      const { items, total } = yield* hooks.list(at, exchange.page)
      return { items: items.map((hook) => hooks.common(at, hook)), total }
    },

    *create(input, exchange) {
      const at = yield* site(exchange)
      const hook = yield* hooks.create(at, input, (hook) => ping(at, hook, exchange))
      return hooks.common(at, hook)
    },

    *get({ hook_id }, exchange) {
      const at = yield* site(exchange)
      return hooks.common(at, yield* hooks.find(at, hook_id))
    },

    *update({ hook_id, ...change }, exchange) {
      const at = yield* site(exchange)
      return hooks.common(at, yield* hooks.update(at, hook_id, change))
    },

    *delete({ hook_id }, exchange) {
      yield* hooks.remove(yield* site(exchange), hook_id)
    },

    *getConfig({ hook_id }, exchange) {
      return hooks.config(yield* hooks.find(yield* site(exchange), hook_id))
    },

    *updateConfig({ content_type, hook_id, insecure_ssl, secret, url }, exchange) {
      const change = Hooks.given({ content_type, insecure_ssl, secret, url })
      return hooks.config(yield* hooks.updateConfig(yield* site(exchange), hook_id, change))
    },

    *deliveries(input, exchange) {
      return yield* hooks.deliveries(yield* site(exchange), input, exchange.page)
    },

    *delivery({ delivery_id, hook_id }, exchange) {
      return yield* hooks.delivery(yield* site(exchange), hook_id, delivery_id)
    },

    *redeliver({ delivery_id, hook_id }, exchange) {
      return yield* hooks.redeliver(yield* site(exchange), hook_id, delivery_id)
    },

    *ping({ hook_id }, exchange) {
      const at = yield* site(exchange)
      yield* ping(at, yield* hooks.find(at, hook_id), exchange)
    }
  })
})
