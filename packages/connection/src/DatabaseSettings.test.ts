import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { type TestHome, withHome } from "./TestHome.test-support.ts"
import * as SettingsResolver from "./SettingsResolver.ts"

interface Given extends TestHome {
  readonly flags?: Partial<SettingsResolver.FlagSettings>
}

const resolve = (given: Given) =>
  Effect.map(withHome(given, SettingsResolver.resolve({ cwd: "/work", ...given.flags })), ({ database }) => database)

const url = (given: Given) => Effect.map(resolve(given), (database) => database && Redacted.value(database.url))

const password = (given: Given) =>
  Effect.flatMap(resolve(given), (database) =>
    database?.password === undefined ? Effect.undefined : Effect.map(database.password, Redacted.value)
  )

const profile = (fields: object) => JSON.stringify({ profiles: { default: fields } })

describe("the database of the embedded forge", () => {
  it.effect("is named by the flag, the environment or the profile", () =>
    Effect.gen(function* () {
      const file = profile({ database: "postgres://file:secret@db/forge" })
      const env = { TONGS_DATABASE: "postgresql://env:secret@db/forge" }
      assert.strictEqual(yield* url({}), undefined)
      assert.strictEqual(yield* url({ file }), "postgres://file:secret@db/forge")
      assert.strictEqual(yield* url({ file, env }), "postgresql://env:secret@db/forge")
      assert.strictEqual(
        yield* url({ file, env, flags: { database: "postgres://flag@db/forge" } }),
        "postgres://flag@db/forge"
      )
      assert.strictEqual(yield* url({ file, flags: { demo: "/demo.json" } }), undefined)
      assert.strictEqual(yield* url({ file, flags: { url: "https://forge.example" } }), undefined)
      const remote = { TONGS_URL: "https://forge.example", TONGS_DATABASE: "postgres://env@db/forge" }
      assert.strictEqual(yield* url({ env: remote }), undefined)
      assert.strictEqual(yield* url({ env: remote, flags: { isEmbedded: true } }), "postgres://env@db/forge")
    })
  )

  it.effect("refuses what cannot be right, with the next step", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [given: Given, message: RegExp]> = [
        [{ flags: { database: "mysql://db/forge" } }, /^--database is not a postgres:\/\/ URL\. Give the URL/],
        [{ flags: { database: "forge" } }, /^--database is not a postgres:\/\/ URL/],
        [{ flags: { database: "forge", databaseFlag: "--to" } }, /^--to is not a postgres:\/\/ URL/],
        [{ env: { TONGS_DATABASE: "postgres://db" } }, /^TONGS_DATABASE names no database/],
        [{ file: profile({ database: "x" }) }, /^database in the config file is not/],
        [
          { flags: { database: "postgres://me:hush@db/forge" } },
          /^The password in --database is visible to all users of this machine\. Use TONGS_DATABASE/
        ],
        [
          { flags: { database: "postgres://db/forge", databasePasswordFile: "/none" } },
          /^Cannot read the password of the database: ENOENT.*Make the file readable/
        ],
        [
          {
            file: profile({
              database: "postgres://db/forge",
              databasePasswordFile: "/a",
              databasePasswordCommand: ["b"]
            })
          },
          /has databasePasswordFile and databasePasswordCommand/
        ],
        [
          { file: profile({ database: "postgres://db/forge", databasePasswordCommand: ["no-such-program"] }) },
          /Cannot get the password of the database from the databasePasswordCommand `no-such-program`: no such program/
        ]
      ]
      for (const [given, message] of cases) {
        const error = yield* Effect.flip(resolve(given))
        assert.match(error.message, message)
        assert.notInclude(error.message, "hush")
      }
    })
  )

  it.effect("reads the password for each connection from a file or a program", () =>
    Effect.gen(function* () {
      const file = join(mkdtempSync(join(tmpdir(), "tongs-database-")), "password")
      writeFileSync(file, "first \n")
      const flags = { database: "postgres://db/forge", databasePasswordFile: file }
      const database = yield* resolve({ flags })
      writeFileSync(file, "second\r\n")
      assert.strictEqual(Redacted.value(yield* database?.password ?? Effect.succeed(Redacted.make(""))), "second")
      writeFileSync(file, "first \n")
      assert.strictEqual(yield* password({ flags }), "first ")
      const env = { TONGS_DATABASE: "postgres://db/forge", TONGS_DATABASE_PASSWORD_FILE: file }
      assert.strictEqual(yield* password({ env }), "first ")
      const command = { database: "postgres://db/forge", databasePasswordCommand: ["printf", "third"] }
      assert.strictEqual(yield* password({ file: profile(command) }), "third")
      assert.strictEqual(yield* password({ flags: { database: "postgres://db/forge" } }), undefined)
    })
  )
})
