/** Fixtures of webhooks. */
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { NewHookConfig } from "@tongs/core/contract/groups/Hooks"
import * as HookInput from "./HookInput.ts"
import * as CircuitBreaker from "../../webhooks/CircuitBreaker.ts"
import { DeliveryRows } from "../../webhooks/DeliveryRows.ts"
import { type HookRow, HookRows, type HookOwner } from "../../webhooks/HookRows.ts"
import { SecretSealer } from "../../webhooks/SecretSealer.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"

/** Path of a webhook's field within the entry in the fixture file. */
const placeOf = (field = "") => (["url", "content_type", "insecure_ssl"].includes(field) ? `config.${field}` : field)

/** A finished delivery of a webhook, in the form of the API. */
const Delivery = Schema.Struct({
  guid: Schema.optionalKey(Schema.String),
  delivered_at: FixtureTimestamp,
  redelivery: Schema.optionalKey(Schema.Boolean),
  duration: Schema.optionalKey(Schema.Finite),
  status: Schema.String,
  status_code: Schema.Int,
  event: Schema.String,
  action: Schema.optionalKey(Schema.String),
  repository: Schema.optionalKey(Schema.String),
  request: Schema.Struct({
    headers: Schema.Record(Schema.String, Schema.String),
    payload: Schema.Record(Schema.String, Schema.Unknown)
  }),
  /** Missing if the receiver did not answer. */
  response: Schema.optionalKey(
    Schema.Struct({ headers: Schema.Record(Schema.String, Schema.String), payload: Schema.String })
  )
})

/** Adds deliveries to the log of a webhook, oldest first, and sets the last response. */
const addDeliveries = Effect.fnUntraced(function* (hook: HookRow, deliveries: ReadonlyArray<typeof Delivery.Type>) {
  for (const [index, delivery] of deliveries.entries()) {
    const { action = null, duration = 0.2, event, guid, redelivery = false, request, response } = delivery
    const repository =
      delivery.repository === undefined
        ? undefined
        : yield* FixtureSection.repository(`deliveries[${index}].repository`, delivery.repository)
    yield* (yield* DeliveryRows).record(
      {
        hookId: hook.id,
        guid: guid ?? randomUUID(),
        redelivery,
        event,
        action,
        repositoryId: repository?.id ?? hook.repository_id,
        payload: JSON.stringify(request.payload)
      },
      {
        code: delivery.status_code,
        status: delivery.status,
        startedAt: Date.parse(delivery.delivered_at),
        duration,
        url: hook.url,
        requestHeaders: request.headers,
        responseHeaders: response?.headers ?? null,
        responseBody: response?.payload ?? null
      }
    )
  }
  const last = deliveries.at(-1)
  if (last === undefined) return
  const isFine = last.status_code >= 200 && last.status_code < 300
  yield* (yield* HookRows).answered(hook.id, {
    ...CircuitBreaker.closed,
    last_code: last.status_code,
    last_status: isFine ? "active" : "misconfigured",
    last_message: last.status
  })
})

/** Section `hooks`. Adding a webhook sends no ping. */
export const sections = () => [
  FixtureSection.make(
    "hooks",
    Schema.Struct({
      repository: Schema.optionalKey(Schema.String),
      organization: Schema.optionalKey(Schema.String),
      creator: Schema.optionalKey(Schema.String),
      config: NewHookConfig,
      events: Schema.optionalKey(Schema.Array(Schema.String)),
      active: Schema.optionalKey(Schema.Boolean),
      /** The log of deliveries, oldest first. */
      deliveries: Schema.optionalKey(Schema.Array(Delivery))
    }),
    ({ config, events = ["push"], organization = "", repository = "" }) => [
      FixtureSection.identity(
        "config.url",
        FixtureSection.foldCase(organization),
        FixtureSection.foldCase(repository),
        config.url,
        events.join()
      )
    ],
    Effect.fnUntraced(function* ({ creator, deliveries = [], organization, repository, ...input }) {
      if ((repository === undefined) === (organization === undefined)) {
        return yield* FixtureSection.failAt("", "set either repository or organization")
      }
      const found =
        organization === undefined
          ? yield* Effect.map(FixtureSection.repository("repository", repository ?? ""), ({ id, owner }) => ({
              id,
              owner: owner.id
            }))
          : yield* Effect.map(FixtureSection.organization("organization", organization), ({ id }) => ({
              id,
              owner: id
            }))
      const owner: HookOwner = { kind: organization === undefined ? "repository" : "organization", id: found.id }
      const creatorId = creator === undefined ? found.owner : (yield* FixtureSection.user("creator", creator)).id
      const { secrets, ...wanted } = yield* HookInput.create(input).pipe(
        Effect.catch((error) => FixtureSection.failAt(placeOf(error.errors[0]?.field), error.detail))
      )
      const sealed = (yield* SecretSealer).seal(secrets)
      // Loading the same file again adds no duplicates.
      const known = (yield* (yield* HookRows).list(owner)).some(
        (one) => one.url === wanted.url && one.events.join() === wanted.events.join()
      )
      if (known) return
      yield* addDeliveries(
        yield* (yield* HookRows).add({ ...wanted, sealed, owner, creatorId, byApp: false }),
        deliveries
      )
    })
  )
]
