/** Fixtures of webhooks. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { NewHookConfig } from "@tongs/core/contract/Hooks"
import * as HookInput from "./HookInput.ts"
import { HookRows, type HookOwner } from "../../webhooks/HookRows.ts"
import { SecretSealer } from "../../webhooks/SecretSealer.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"

/** Path of a webhook's field within its entry in the fixture file. */
const placeOf = (field = "") => (["url", "content_type", "insecure_ssl"].includes(field) ? `config.${field}` : field)

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
      active: Schema.optionalKey(Schema.Boolean)
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
    Effect.fnUntraced(function* ({ creator, organization, repository, ...input }) {
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
      const place: HookOwner = { kind: organization === undefined ? "repository" : "organization", id: found.id }
      const creatorId = creator === undefined ? found.owner : (yield* FixtureSection.user("creator", creator)).id
      const { secrets, ...wanted } = yield* HookInput.create(input).pipe(
        Effect.catch((error) => FixtureSection.failAt(placeOf(error.errors[0]?.field), error.detail))
      )
      const sealed = (yield* SecretSealer).seal(secrets)
      // Loading the same file again adds no duplicates.
      const known = (yield* (yield* HookRows).list(place)).some(
        (one) => one.url === wanted.url && one.events.join() === wanted.events.join()
      )
      if (!known) yield* (yield* HookRows).add({ ...wanted, sealed, place, creatorId, byApp: false })
    })
  )
]
