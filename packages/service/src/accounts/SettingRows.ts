/** Settings of organizations, enterprises and repositories: one JSON value a name. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { stored } from "../storage/RowDecoder.ts"

/** What a setting belongs to. */
export interface Subject {
  readonly kind: "organization" | "enterprise" | "repository"
  readonly id: number
}

const one = stored(Schema.Struct({ value: Schema.String }))

export class Settings extends Context.Service<
  Settings,
  {
    /** The value that was set, decoded; nothing when none was, or when it is of an older kind. */
    get<A, I>(subject: Subject, name: string, schema: Schema.Codec<A, I>): Effect.Effect<Option.Option<A>>
    set(subject: Subject, name: string, value: unknown): Effect.Effect<void>
  }
>()("@tongs/service/accounts/Settings") {
  static readonly layer = Layer.effect(
    Settings,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return Settings.of({
        get: (subject, name, schema) =>
          Effect.map(
            one(sql`
              SELECT value FROM settings
              WHERE subject = ${subject.kind} AND subject_id = ${subject.id} AND name = ${name}`),
            Option.flatMap(({ value }) => Schema.decodeUnknownOption(Schema.fromJsonString(schema))(value))
          ),
        set: (subject, name, value) =>
          Effect.orDie(
            Effect.asVoid(sql`
              INSERT INTO settings (subject, subject_id, name, value)
              VALUES (${subject.kind}, ${subject.id}, ${name}, ${JSON.stringify(value)})
              ON CONFLICT (subject, subject_id, name) DO UPDATE SET value = excluded.value`)
          )
      })
    })
  )
}
