/** Database rows of apps that are created from manifests, and of the codes that complete the creation. */
import { createHash, randomBytes } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { AppDetails } from "../../access/InstallationRows.ts"
import { hashOf } from "../../access/TokenRows.ts"
import { timestamp } from "../../base/Time.ts"
import { decodeCount, decodeFirstRow } from "../../storage/RowDecoder.ts"
import * as SqlFragments from "../../storage/SqlFragments.ts"

/** Lifetime of a code, in milliseconds. */
const LIFETIME = 3_600_000

export interface NewRegistration {
  readonly slug: string
  readonly ownerId: number
  readonly details: AppDetails
  readonly permissions: Readonly<Record<string, "read" | "write">>
  readonly events: ReadonlyArray<string>
}

/** The credentials of an app, of which the database has the public key and the hash of the secret. */
export interface AppCredentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly publicKey: string
}

const digest = (code: string) => createHash("sha256").update(code).digest("hex")
const appOf = decodeFirstRow(Schema.Struct({ app_id: Schema.Int }))
const added = decodeFirstRow(Schema.Struct({ id: Schema.Int }))

export class AppRegistrationRows extends Context.Service<
  AppRegistrationRows,
  {
    /** Number of apps of an account. */
    count(ownerId: number): Effect.Effect<number>
    /** Creates an app. Undefined if another app has the slug. */
    add(app: NewRegistration): Effect.Effect<number | undefined>
    /** Creates the code that completes the creation of an app, valid for an hour. */
    addCode(appId: number): Effect.Effect<string>
    /** True for a code that `takeCode` finds. */
    hasCode(code: string): Effect.Effect<boolean>
    /** Deletes a code, and returns the id of the app. Undefined for a code that is unknown or expired. */
    takeCode(code: string): Effect.Effect<number | undefined>
    setCredentials(appId: number, credentials: AppCredentials): Effect.Effect<void>
  }
>()("@tongs/service/features/apps/AppRegistrationRows") {
  static readonly layer = Layer.effect(
    AppRegistrationRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { name } = SqlFragments.make(sql)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))

      return AppRegistrationRows.of({
        count: (ownerId) => decodeCount(sql`SELECT count(*) AS count FROM apps WHERE owner_id = ${ownerId}`),
        add: Effect.fn("Apps.add")(function* ({ details, events, ownerId, permissions, slug }: NewRegistration) {
          const now = timestamp(yield* Clock.currentTimeMillis)
          const row = {
            slug,
            owner_id: ownerId,
            permissions: JSON.stringify(permissions),
            events: JSON.stringify(events),
            details: JSON.stringify(details),
            created_at: now,
            updated_at: now
          }
          const found = yield* added(
            sql`INSERT INTO apps ${sql.insert(row)} ON CONFLICT (${name("slug")}) DO NOTHING RETURNING id`
          )
          return found?.id
        }),
        addCode: Effect.fn("Apps.addCode")(function* (appId: number) {
          const now = yield* Clock.currentTimeMillis
          const code = randomBytes(20).toString("hex")
          const row = { code: digest(code), app_id: appId, expires_at: now + LIFETIME }
          yield* run(sql`DELETE FROM app_manifests WHERE expires_at <= ${now}`)
          yield* run(sql`INSERT INTO app_manifests ${sql.insert(row)}`)
          return code
        }),
        hasCode: Effect.fn("Apps.hasCode")(function* (code: string) {
          const now = yield* Clock.currentTimeMillis
          const found = yield* appOf(sql`
            SELECT app_id FROM app_manifests WHERE code = ${digest(code)} AND expires_at > ${now}`)
          return found !== undefined
        }),
        takeCode: Effect.fn("Apps.takeCode")(function* (code: string) {
          const now = yield* Clock.currentTimeMillis
          const found = yield* appOf(sql`
            DELETE FROM app_manifests WHERE code = ${digest(code)} AND expires_at > ${now} RETURNING app_id`)
          return found?.app_id
        }),
        setCredentials: Effect.fn("Apps.setCredentials")(function* (appId: number, credentials: AppCredentials) {
          const columns = {
            client_id: credentials.clientId,
            client_secret: hashOf(credentials.clientSecret),
            public_key: credentials.publicKey,
            updated_at: timestamp(yield* Clock.currentTimeMillis)
          }
          yield* run(sql`UPDATE apps SET ${sql.update(columns)} WHERE id = ${appId}`)
        })
      })
    })
  )
}
