import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { CredentialSource } from "./credentials/CredentialSource.ts"
import { withHome, type TestHome, URL_VALUE } from "./TestHome.test-support.ts"
import * as SettingsResolver from "./SettingsResolver.ts"

interface Given extends TestHome {
  readonly flags?: Partial<SettingsResolver.FlagSettings>
}

const resolve = (given: Given) => withHome(given, SettingsResolver.resolve({ cwd: "/work", ...given.flags }))

const token = ({ credential }: { readonly credential?: CredentialSource | undefined }) =>
  credential?._tag === "Token" ? Redacted.value(credential.token) : undefined

const file = JSON.stringify({
  profiles: {
    default: { url: "https://file.example" },
    work: { url: "https://work.example", dialect: "github" },
    home: { data: "/data" }
  }
})

describe("SettingsResolver", () => {
  it.effect("prefers flags to the environment, and the environment to the file", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* resolve({})).url, undefined)
      assert.strictEqual((yield* resolve({ file })).url, "https://file.example")
      assert.strictEqual(
        (yield* resolve({ file, env: { TONGS_URL: "https://env.example" } })).url,
        "https://env.example"
      )
      assert.strictEqual(
        (yield* resolve({ file, env: { TONGS_URL: "https://env.example" }, flags: { url: URL_VALUE } })).url,
        URL_VALUE
      )
    })
  )

  it.effect("uses the named profile", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* resolve({ file, flags: { profile: "work" } }), {
        url: "https://work.example",
        dialect: "github"
      })
      assert.strictEqual((yield* resolve({ file, env: { TONGS_PROFILE: "home" } })).data, "/data")
      const error = yield* Effect.flip(resolve({ file, flags: { profile: "wrok" } }))
      assert.match(error.message, /No profile "wrok".*Use one of: default, work, home\./)
    })
  )

  it.effect("selects the embedded forge if its folders are named", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* resolve({ file, flags: { repos: ["/src"] } })).url, undefined)
      assert.strictEqual((yield* resolve({ file, flags: { data: "/data" } })).url, undefined)
      assert.strictEqual(
        (yield* Effect.flip(resolve({ flags: { url: URL_VALUE, data: "/data" } }))).reason,
        "BadSettings"
      )
    })
  )

  it.effect("reads the branches to index from flags, the environment or the profile", () =>
    Effect.gen(function* () {
      const file = JSON.stringify({ profiles: { default: { indexBranches: ["file-*"] } } })
      const env = { TONGS_INDEX_BRANCHES: " env-* {a,b} " }
      assert.strictEqual((yield* resolve({})).indexBranches, undefined)
      assert.deepStrictEqual((yield* resolve({ file, flags: { indexBranches: [] } })).indexBranches, ["file-*"])
      assert.deepStrictEqual((yield* resolve({ file, env })).indexBranches, ["env-*", "{a,b}"])
      assert.deepStrictEqual((yield* resolve({ file, env, flags: { indexBranches: ["a"] } })).indexBranches, ["a"])
    })
  )

  it.effect("uses the repositories of a profile, except with a fixture file", () =>
    Effect.gen(function* () {
      const file = JSON.stringify({ profiles: { default: { repos: ["/src"] } } })
      assert.deepStrictEqual((yield* resolve({ file })).repos, ["/src"])
      assert.deepStrictEqual((yield* resolve({ file, flags: { fixtures: "f.json", repos: [] } })).repos, [])
      assert.deepStrictEqual((yield* resolve({ file, flags: { fixtures: "f.json", repos: ["/a"] } })).repos, ["/a"])
    })
  )

  it.effect("expands ~ in folders and rejects empty ones", () =>
    Effect.gen(function* () {
      const env = { HOME: "/home/mona" }
      const found = yield* resolve({ env, flags: { data: "~/forge", repos: ["~", "src", "/a~b"] } })
      assert.deepStrictEqual([found.data, found.repos], ["/home/mona/forge", ["/home/mona", "src", "/a~b"]])
      const app = { id: 1, installation: 2, keyFile: "~/app.pem" }
      const { credential } = yield* resolve({
        env,
        file: JSON.stringify({ profiles: { default: { url: URL_VALUE, app } } })
      })
      assert.deepInclude(credential, { app: { ...app, keyFile: "/home/mona/app.pem" } })
      for (const flags of [{ data: "" }, { repos: [""] }]) {
        assert.strictEqual((yield* Effect.flip(resolve({ flags }))).reason, "BadSettings")
      }
    })
  )

  it.effect("ignores the environment's forge with --demo", () =>
    Effect.gen(function* () {
      const found = yield* resolve({ flags: { demo: "/demo.json" }, env: { TONGS_URL: URL_VALUE, TONGS_TOKEN: "t" } })
      assert.deepStrictEqual([found.url, found.demo], [undefined, "/demo.json"])
      for (const other of [{ url: URL_VALUE }, { data: "/data" }, { repos: ["/repos"] }]) {
        const error = yield* Effect.flip(resolve({ flags: { demo: "/demo.json", ...other } }))
        assert.strictEqual(error.reason, "BadSettings")
      }
    })
  )

  it.effect("selects GitHub if only its dialect is named", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* resolve({ flags: { dialect: "github" } })).url, "https://api.github.com")
      assert.strictEqual((yield* resolve({ flags: { dialect: "github", data: "/data" } })).url, undefined)
    })
  )

  it.effect("uses the github dialect at GitHub's hosts unless another is named", () =>
    Effect.gen(function* () {
      const github = "https://api.github.com"
      assert.strictEqual((yield* resolve({ flags: { url: github } })).dialect, "github")
      assert.strictEqual((yield* resolve({ env: { TONGS_URL: "https://api.octo.ghe.com" } })).dialect, "github")
      assert.strictEqual((yield* resolve({ flags: { url: github, dialect: "service" } })).dialect, "service")
      assert.strictEqual((yield* resolve({ flags: { url: URL_VALUE } })).dialect, "service")
      assert.isUndefined((yield* resolve({})).dialect)
      assert.strictEqual(token(yield* resolve({ env: { GH_TOKEN: "gh" }, flags: { url: github } })), "gh")
    })
  )

  it.effect("rejects a URL that cannot be a base URL, without showing secrets", () =>
    Effect.gen(function* () {
      for (const wrong of [
        "nowhere",
        "ftp://forge.example",
        "https://canary@forge.example",
        `${URL_VALUE}?token=canary`
      ]) {
        const { message, reason } = yield* Effect.flip(resolve({ flags: { url: wrong } }))
        assert.strictEqual(reason, "BadSettings")
        assert.notInclude(message, "canary")
      }
    })
  )

  it.effect("reads GitHub's variables in the github dialect only", () =>
    Effect.gen(function* () {
      const env = { GH_TOKEN: "gh", GITHUB_TOKEN: "github" }
      assert.strictEqual(token(yield* resolve({ env, flags: { url: URL_VALUE } })), undefined)
      assert.strictEqual(token(yield* resolve({ env, flags: { url: URL_VALUE, dialect: "github" } })), "gh")
      assert.strictEqual(
        token(yield* resolve({ env: { ...env, TONGS_TOKEN: "own" }, flags: { url: URL_VALUE, dialect: "github" } })),
        "own"
      )
    })
  )

  it.effect("prefers the environment's credential to the profile's, and that to the stored one", () =>
    Effect.gen(function* () {
      const app = { id: "Iv1.app", installation: 7, keyFile: "/key.pem" }
      const profile = (rest: object) => JSON.stringify({ profiles: { default: { url: URL_VALUE, ...rest } } })
      const environment = { TONGS_APP_ID: "12", TONGS_APP_INSTALLATION: "34", TONGS_APP_KEY_FILE: "/env.pem" }
      const from = (given: Given) => Effect.map(resolve(given), ({ credential }) => credential)
      assert.deepStrictEqual(yield* from({ file: profile({ tokenCommand: ["gh", "auth", "token"] }) }), {
        _tag: "Command",
        command: ["gh", "auth", "token"]
      })
      assert.deepStrictEqual(yield* from({ file: profile({ app }) }), { _tag: "App", app, from: "the config file" })
      assert.deepStrictEqual(yield* from({ file: profile({ app }), env: environment }), {
        _tag: "App",
        app: { id: "12", installation: 34, keyFile: "/env.pem" },
        from: "TONGS_APP_ID"
      })
      assert.strictEqual(token(yield* resolve({ file: profile({ token: "t" }) })), "t")
      assert.strictEqual(token(yield* resolve({ file: profile({ token: "t" }), env: { TONGS_TOKEN: "own" } })), "own")
      for (const wrong of [
        { file: profile({ app, token: "t" }) },
        { file: profile({}), env: { TONGS_APP_ID: "12" } },
        { file: profile({}), env: { ...environment, TONGS_APP_INSTALLATION: "main" } }
      ]) {
        assert.strictEqual((yield* Effect.flip(resolve(wrong))).reason, "BadSettings")
      }
    })
  )

  it.effect("sends a profile's credential to the profile's host only", () =>
    Effect.gen(function* () {
      const of = (profile: object, given: Given = {}) =>
        Effect.map(resolve({ ...given, file: JSON.stringify({ profiles: { default: profile } }) }), token)
      const elsewhere = "https://elsewhere.example"
      assert.strictEqual(yield* of({ url: URL_VALUE, token: "t" }, { flags: { url: `${URL_VALUE}/other` } }), "t")
      assert.isUndefined(yield* of({ url: URL_VALUE, token: "t" }, { flags: { url: elsewhere } }))
      assert.isUndefined(yield* of({ url: URL_VALUE, token: "t" }, { env: { TONGS_URL: elsewhere } }))
      assert.isUndefined(yield* of({ token: "t" }, { flags: { url: elsewhere } }))
      assert.strictEqual(yield* of({ dialect: "github", token: "t" }), "t")
    })
  )

  it.effect("reports the position of an error in the config file without quoting it", () =>
    Effect.gen(function* () {
      for (const [file, where] of [
        ['{"profiles":{"default":{"token":"canary" "x"}}}', /invalid JSON \(line 1 column 42\)\. Correct/],
        [
          '{"profiles":{"default":{"tokn":"canary"}}}',
          /: Expected no excess property at \["profiles"\]\["default"\]\["tokn"\]\./
        ],
        [
          '{"profiles":{"default":{"tokenCommand":"canary"}}}',
          /: Expected array at \["profiles"\]\["default"\]\["tokenCommand"\]\./
        ]
      ] as const) {
        // pairs
        const error = yield* Effect.flip(resolve({ file }))
        assert.match(error.message, where)
        assert.notInclude(error.message, "canary")
      }
    })
  )

  it.effect("rejects an invalid file or URL and names it", () =>
    Effect.gen(function* () {
      for (const file of ["{", '{"profile":{}}', '{"profiles":{"default":{"dialect":"gitlab"}}}']) {
        const error = yield* Effect.flip(resolve({ file }))
        assert.strictEqual(error.reason, "BadSettings")
        assert.match(error.message, /config\.json: /)
      }
      assert.match((yield* Effect.flip(resolve({ flags: { url: "forge" } }))).message, /"forge" is not the URL/)
    })
  )
})
