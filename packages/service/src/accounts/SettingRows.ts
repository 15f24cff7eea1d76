/** Settings of organizations, enterprises and repositories, as one JSON value per name. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { decodeFirstRow } from "../storage/RowDecoder.ts"

/** The owner of a setting. */
export interface SettingSubject {
  readonly kind: "organization" | "enterprise" | "repository"
  readonly id: number
}

const one = decodeFirstRow(Schema.Struct({ value: Schema.String }))

export class SettingRows extends Context.Service<
  SettingRows,
  {
    /** Reads and decodes a setting. Undefined for an unset setting or an invalid value. */
    get<A, I>(subject: SettingSubject, name: string, schema: Schema.Codec<A, I>): Effect.Effect<A | undefined>
    set(subject: SettingSubject, name: string, value: unknown): Effect.Effect<void>
  }
>()("@tongs/service/accounts/SettingRows") {
  static readonly layer = Layer.effect(
    SettingRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return SettingRows.of({
        get: (subject, name, schema) =>
          Effect.map(
            one(sql`
              SELECT value FROM settings
              WHERE subject = ${subject.kind} AND subject_id = ${subject.id} AND name = ${name}`),
            (row) => Option.getOrUndefined(Schema.decodeUnknownOption(Schema.fromJsonString(schema))(row?.value))
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
