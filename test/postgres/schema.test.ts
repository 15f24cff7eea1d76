/** The baseline of PostgreSQL and SQLite's migrations give the same schema. */
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { folder } from "@tongs/service/git/Fixture.test-support"
import * as Storage from "@tongs/service/main/Storage"
import * as TestDatabase from "@tongs/service/storage/TestDatabase.test-support"
import * as DatabaseSchema from "./DatabaseSchema.test-support.ts"

const clientOf = <E>(layer: Layer.Layer<SqlClient.SqlClient, E>) =>
  Effect.map(Effect.orDie(Layer.build(layer)), Context.get(SqlClient.SqlClient))

class Databases extends Context.Service<Databases, Readonly<Record<"sqlite" | "pg", SqlClient.SqlClient>>>()(
  "@tongs/test/postgres/Databases"
) {
  static readonly layer = Layer.effect(
    Databases,
    Effect.gen(function* () {
      const path = yield* folder
      const sqlite = yield* clientOf(Storage.layer(join(path, "sqlite")))
      const pg = yield* clientOf(TestDatabase.storageLayer(join(path, "pg")))
      return { sqlite, pg }
    })
  )
}

const schemaOf = (client: SqlClient.SqlClient) => Effect.orDie(DatabaseSchema.describe(client))

/** The statements, and the lines of the schema only before and only after them. */
const changes: ReadonlyArray<
  readonly [dialect: "sqlite" | "pg", statements: string, removed: ReadonlyArray<string>, added: ReadonlyArray<string>]
> = [
  ["sqlite", "ALTER TABLE tokens ADD COLUMN note TEXT", [], ["tokens: column note TEXT"]],
  ["sqlite", "ALTER TABLE clones DROP COLUMN pushed_at", ["clones: column pushed_at TEXT"], []],
  ["sqlite", "DROP INDEX artifacts_by_digest", ["artifacts: index artifacts_by_digest digest"], []],
  ["sqlite", "CREATE UNIQUE INDEX one ON hooks (url) WHERE active", [], ["hooks: unique url WHERE active"]],
  ["sqlite", "CREATE UNIQUE INDEX one ON hooks (url COLLATE NOCASE)", [], ["hooks: unique lower(url)"]],
  ["sqlite", "CREATE TABLE notes (id INTEGER) STRICT", [], ["notes: column id INTEGER"]],
  ["sqlite", "DROP TRIGGER users_update", ["users: trigger after UPDATE"], []],
  ["pg", 'ALTER TABLE tokens ADD COLUMN note TEXT COLLATE "C"', [], ["tokens: column note TEXT"]],
  ["pg", "ALTER TABLE tokens ADD COLUMN note TEXT", [], ["tokens: column note TEXT default"]],
  [
    "pg",
    "ALTER TABLE removals ALTER digest TYPE BYTEA USING ''",
    ["removals: column digest TEXT"],
    ["removals: column digest BLOB"]
  ],
  ["pg", "ALTER TABLE hooks ALTER url DROP NOT NULL", ["hooks: column url TEXT NOT NULL"], ["hooks: column url TEXT"]],
  [
    "pg",
    "ALTER TABLE users ALTER type SET DEFAULT 'Bot'",
    ["users: column type TEXT NOT NULL DEFAULT 'User'"],
    ["users: column type TEXT NOT NULL DEFAULT 'Bot'"]
  ],
  [
    "pg",
    "ALTER TABLE hooks ALTER id DROP IDENTITY",
    ["hooks: column id INTEGER NOT NULL IDENTITY"],
    ["hooks: column id INTEGER NOT NULL"]
  ],
  ["pg", "ALTER TABLE settings DROP CONSTRAINT settings_pkey", ["settings: primary key subject,subject_id,name"], []],
  [
    "pg",
    "ALTER TABLE events DROP CONSTRAINT events_actor_id_fkey, ADD FOREIGN KEY (actor_id) REFERENCES users ON DELETE CASCADE",
    ["events: foreign key actor_id of users id ON DELETE SET NULL ON UPDATE NO ACTION"],
    ["events: foreign key actor_id of users id ON DELETE CASCADE ON UPDATE NO ACTION"]
  ],
  ["pg", "DROP INDEX users_by_login", ["users: unique lower(login)"], []],
  ["pg", "CREATE UNIQUE INDEX one ON hooks (url)", [], ["hooks: unique url"]],
  [
    "pg",
    "DROP INDEX deliveries_pending; CREATE INDEX deliveries_pending ON deliveries (hook_id, id)",
    ["deliveries: index deliveries_pending hook_id,id WHERE statusISNULL"],
    ["deliveries: index deliveries_pending hook_id,id"]
  ],
  [
    "pg",
    "ALTER TABLE hooks DROP CONSTRAINT hooks_check",
    ["hooks: check repository_idISNOTNULLORorganization_idISNOTNULLORapp_idISNOTNULL"],
    []
  ],
  ["pg", "ALTER TABLE hooks ADD CHECK (id > 0)", [], ["hooks: check id>0"]]
]

layer(Databases.layer)("schemas", (it) => {
  it.effect("are the same in SQLite and PostgreSQL", () =>
    Effect.gen(function* () {
      const { pg, sqlite } = yield* Databases
      assert.strictEqual(pg.onDialectOrElse({ pg: () => "pg", orElse: () => "another" }), "pg")
      assert.deepStrictEqual(yield* schemaOf(pg), yield* schemaOf(sqlite))
    })
  )

  it.effect.each(changes)("differ after a change: %s: %s", ([dialect, statements, removed, added]) =>
    Effect.gen(function* () {
      const sql = (yield* Databases)[dialect]
      const before = yield* schemaOf(sql)
      let after: ReadonlyArray<string> = []
      yield* Effect.forEach(statements.split("; "), (statement) => sql.unsafe(statement)).pipe(
        Effect.andThen(schemaOf(sql)),
        Effect.flatMap((lines) => {
          after = lines
          return Effect.fail("roll back")
        }),
        sql.withTransaction,
        Effect.ignore
      )
      const without = (one: ReadonlyArray<string>, other: ReadonlyArray<string>) =>
        one.filter((line) => !other.includes(line))
      assert.deepStrictEqual([without(before, after), without(after, before)], [removed, added])
    })
  )
})
