/** The tool `list_deliveries`: deliveries of all webhooks of a repository or an organization. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Forge } from "@tongs/core/client/Forge"
import type { HookDeliverySummary } from "@tongs/core/contract/groups/Hooks"
import type { Answer, Item } from "../answer/Answer.ts"
import { repositoryOf } from "../call/Call.ts"
import * as Listing from "../lists/Listing.ts"
import * as Tool from "../call/Tool.ts"
import { ToolError } from "../call/ToolError.ts"
import * as ToolInput from "../call/ToolInput.ts"
import * as Times from "../text/Times.ts"
import * as HookApi from "../webhooks/HookApi.ts"
import * as HookDeliveries from "../webhooks/HookDeliveries.ts"
import * as Truncation from "../text/Truncation.ts"

const DEFAULT_LIMIT = 30

/** Maximum number of webhooks whose deliveries one answer has. */
const MAX_HOOKS = 50

/** Creates the tool. `allowWrites` says whether the server offers `change`. */
export const make = ({ allowWrites }: { readonly allowWrites: boolean }): Tool.Tool =>
  Tool.make({
    name: "list_deliveries",
    description: "List webhook deliveries of a repository or org, newest first, with their targets.",
    uses: [
      "repositoryHooks.list",
      "repositoryHooks.get",
      "repositoryHooks.listDeliveries",
      "organizationHooks.list",
      "organizationHooks.get",
      "organizationHooks.listDeliveries"
    ],
    isList: true,
    input: Schema.Struct({
      repo: ToolInput.repo,
      org: Schema.optionalKey(Schema.String),
      hook: Schema.optionalKey(Schema.Int),
      failed: Schema.optionalKey(Schema.Boolean),
      limit: ToolInput.limit(Listing.MAX_LIMIT)
    }),
    run: Effect.fnUntraced(function* ({ failed = false, hook, limit, org, repo }, call) {
      const forge = yield* Forge
      const api =
        org === undefined
          ? HookApi.ofRepository(forge, yield* repositoryOf(repo, call))
          : HookApi.ofOrganization(forge, org)
      const source = org === undefined ? { repo: api.name } : { org }
      const options = { perPage: MAX_HOOKS, deadline: call.deadline }
      const { hasMore, hooks } = yield* Effect.mapError(
        hook === undefined
          ? Effect.map(api.list(options), ({ cursor, items }) => ({ hasMore: cursor !== undefined, hooks: items }))
          : Effect.map(api.get(hook, options), (one) => ({ hasMore: false, hooks: [one] })),
        (failure) => (failure._tag === "NotFound" ? invisible(api, hook) : failure)
      )
      if (hooks.length === 0) return { source, items: [], notes: [`${api.name} has no webhooks.`] }
      const answer = ({ after, found }: HookDeliveries.Deliveries): Answer => {
        const targets = hooks.filter(({ id }) => found.some((one) => one.hook === id)).map(showHook)
        return {
          source,
          items: [...targets, ...found.map(({ delivery, hook: id }) => showDelivery(delivery, id, call.now))],
          next: (shown) => {
            const deliveries = shown - targets.length
            const position = deliveries === found.length ? after : (found[deliveries - 1]?.after ?? call.position)
            return position === undefined ? undefined : { position }
          },
          isLarge: limit !== undefined,
          notes: [
            ...(hasMore ? [otherHooks(api)] : []),
            ...(found.length === 0
              ? [`${failed ? "No failed deliveries" : "No deliveries"}${after === undefined ? "." : " so far."}`]
              : nextSteps(api, found[0], { allowWrites, isNamed: repo !== undefined || org !== undefined }))
          ]
        }
      }
      const deliveries = yield* HookDeliveries.read(
        call,
        hooks.map(({ id }) => id),
        (id, page) => api.deliveries(id, failed, page),
        {
          isWanted: (delivery) => !failed || isFailed(delivery),
          keep: (partial) => call.keepPartial(answer(partial)),
          limit: limit ?? DEFAULT_LIMIT
        }
      )
      return answer(deliveries)
    })
  })

const otherHooks = (api: HookApi.HookApi): string => {
  const list = JSON.stringify({ operation: `${api.group}.list`, arguments: api.arguments })
  return `Only the first ${MAX_HOOKS} webhooks are read. For another one, pass hook; run_operation with ${list} lists them.`
}

/** Forges answer 404 to callers who may not see webhooks. */
const invisible = ({ name, scope }: HookApi.HookApi, hook: number | undefined): ToolError =>
  new ToolError({
    detail: `${hook === undefined ? "Webhooks" : `Webhook ${hook}`} of ${name} not found. Only administrators see webhooks, with a token of the scope ${scope}; or the name is wrong.`
  })

const isFailed = ({ status_code: code }: HookDeliverySummary): boolean => code < 200 || code >= 400

/** Maximum number of characters of a target. */
const MAX_TARGET = 120

const showHook = ({ active, config, events, id }: HookApi.Hook): Item => {
  const target = config.url ?? "without target"
  const short = Truncation.shorten(target, MAX_TARGET)
  return {
    data: { hook: id, target, events, active },
    text: `${id}: ${short}${active ? "" : ", inactive"}`,
    heading: "hooks:"
  }
}

const showDelivery = (delivery: HookDeliverySummary, hook: number, now: number): Item => {
  const { action, delivered_at: time, duration, event, id, redelivery, status, status_code: code } = delivery
  return {
    data: { id, hook, event, action, status, code, duration, time, redelivery },
    text: [
      `${id} hook ${hook}`,
      action === null ? event : `${event}.${action}`,
      `${code} ${status.slice(0, 40)}`,
      `${duration}s`,
      Times.short(time, now),
      redelivery ? "redelivery" : ""
    ]
      .filter((part) => part !== "")
      .join(" "),
    heading: "deliveries, newest first:"
  }
}

const nextSteps = (
  api: HookApi.HookApi,
  first: HookDeliveries.Delivery | undefined,
  { allowWrites, isNamed }: { readonly allowWrites: boolean; readonly isNamed: boolean }
): ReadonlyArray<string> => {
  const call = JSON.stringify({
    operation: `${api.group}.getDelivery`,
    arguments: { ...(isNamed ? api.arguments : {}), hook_id: first?.hook, delivery_id: first?.delivery.id }
  })
  return [
    `Request and response of one: run_operation ${call}.`,
    allowWrites
      ? `To repeat one: change with ${api.group}.redeliverDelivery and the same arguments.`
      : "To repeat one, the user must start this server with --allow-writes."
  ]
}
