import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Effect, FileSystem, Layer, Redacted } from "effect"
import { Credentials } from "./Credentials.ts"
import { Keychain } from "./credentials/Keychain.ts"
import type { Source } from "./credentials/Source.ts"
import * as Resolve from "./Resolve.ts"
import { UserDirectories } from "./UserDirectories.ts"

const url = "https://forge.example/api/v3"

interface Given {
  readonly flags?: Partial<Resolve.Flags>
  readonly env?: Record<string, string>
  /** The text of the config file. */
  readonly file?: string
  /** What the keychain holds, by host; without it there is none. */
  readonly keychain?: Map<string, string>
}

const credentials = (keychain: Given["keychain"]) =>
  Layer.provide(Credentials.layerStored, Keychain.layerMemory(keychain))

/** Runs with a home of its own. */
const at = <A, E>(given: Given, self: Effect.Effect<A, E, Credentials | FileSystem.FileSystem | UserDirectories>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const home = yield* fs.makeTempDirectoryScoped()
    if (given.file !== undefined) {
      yield* fs.makeDirectory(`${home}/.config/tongs`, { recursive: true })
      yield* fs.writeFileString(`${home}/.config/tongs/config.json`, given.file)
    }
    const directories = {
      config: `${home}/.config/tongs`,
      data: `${home}/data`,
      cache: `${home}/cache`,
      state: `${home}/state`
    }
    return yield* self.pipe(
      Effect.provide(Layer.provideMerge(credentials(given.keychain), Layer.succeed(UserDirectories, directories))),
      Effect.provideService(
        ConfigProvider.ConfigProvider,
        ConfigProvider.fromEnv({ env: { HOME: home, ...given.env } })
      )
    )
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

const resolve = (given: Given) => at(given, Resolve.resolve({ cwd: "/work", ...given.flags }))

const token = ({ credential }: { readonly credential?: Source | undefined }) =>
  credential?._tag === "Token" ? Redacted.value(credential.token) : undefined

const file = JSON.stringify({
  profiles: {
    default: { url: "https://file.example" },
    work: { url: "https://work.example", dialect: "github" },
    home: { data: "/data" }
  }
})

describe("Resolve", () => {
  it.effect("takes the flag before the environment before the file", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* resolve({})).url, undefined)
      assert.strictEqual((yield* resolve({ file })).url, "https://file.example")
      assert.strictEqual(
        (yield* resolve({ file, env: { TONGS_URL: "https://env.example" } })).url,
        "https://env.example"
      )
      assert.strictEqual((yield* resolve({ file, env: { TONGS_URL: "https://env.example" }, flags: { url } })).url, url)
    })
  )

  it.effect("takes the profile that is asked for", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* resolve({ file, flags: { profile: "work" } }), {
        url: "https://work.example",
        dialect: "github"
      })
      assert.strictEqual((yield* resolve({ file, env: { TONGS_PROFILE: "home" } })).data, "/data")
      const error = yield* Effect.flip(resolve({ file, flags: { profile: "wrok" } }))
      assert.match(error.message, /no profile "wrok".*It has default, work, home\./)
    })
  )

  it.effect("means the embedded forge where its folders are named", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* resolve({ file, flags: { repos: ["/src"] } })).url, undefined)
      assert.strictEqual((yield* resolve({ file, flags: { data: "/data" } })).url, undefined)
      assert.strictEqual((yield* Effect.flip(resolve({ flags: { url, data: "/data" } }))).reason, "BadSettings")
    })
  )

  it.effect("means a forge apart where a demonstration is asked for, whatever the environment names", () =>
    Effect.gen(function* () {
      const found = yield* resolve({ flags: { demo: "/demo.json" }, env: { TONGS_URL: url, TONGS_TOKEN: "t" } })
      assert.deepStrictEqual([found.url, found.demo], [undefined, "/demo.json"])
      for (const other of [{ url }, { data: "/data" }, { repos: ["/repos"] }]) {
        const error = yield* Effect.flip(resolve({ flags: { demo: "/demo.json", ...other } }))
        assert.strictEqual(error.reason, "BadSettings")
      }
    })
  )

  it.effect("means GitHub itself where only its dialect is named", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* resolve({ flags: { dialect: "github" } })).url, "https://api.github.com")
      assert.strictEqual((yield* resolve({ flags: { dialect: "github", data: "/data" } })).url, undefined)
    })
  )

  it.effect("knows GitHub's variables in GitHub's dialect only", () =>
    Effect.gen(function* () {
      const env = { GH_TOKEN: "gh", GITHUB_TOKEN: "github" }
      assert.strictEqual(token(yield* resolve({ env, flags: { url } })), undefined)
      assert.strictEqual(token(yield* resolve({ env, flags: { url, dialect: "github" } })), "gh")
      assert.strictEqual(
        token(yield* resolve({ env: { ...env, TONGS_TOKEN: "own" }, flags: { url, dialect: "github" } })),
        "own"
      )
    })
  )

  it.effect("takes the environment's credential before the profile's before the stored one", () =>
    Effect.gen(function* () {
      const app = { id: "Iv1.app", installation: 7, keyFile: "/key.pem" }
      const profile = (rest: object) => JSON.stringify({ profiles: { default: { url, ...rest } } })
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

  it.effect("gives a profile's credential to the profile's own host alone", () =>
    Effect.gen(function* () {
      const of = (profile: object, given: Given = {}) =>
        Effect.map(resolve({ ...given, file: JSON.stringify({ profiles: { default: profile } }) }), token)
      const elsewhere = "https://elsewhere.example"
      assert.strictEqual(yield* of({ url, token: "t" }, { flags: { url: `${url}/other` } }), "t")
      assert.isUndefined(yield* of({ url, token: "t" }, { flags: { url: elsewhere } }))
      assert.isUndefined(yield* of({ url, token: "t" }, { env: { TONGS_URL: elsewhere } }))
      assert.isUndefined(yield* of({ token: "t" }, { flags: { url: elsewhere } }))
      assert.strictEqual(yield* of({ dialect: "github", token: "t" }), "t")
    })
  )

  it.effect("refuses a file or a URL that is wrong, and names it", () =>
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

describe("Credentials", () => {
  it.effect("keeps a token per host, for the owner's eyes only, where there is no keychain", () =>
    at(
      {},
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const credentials = yield* Credentials
        assert.isUndefined(yield* credentials.get(url))
        assert.strictEqual(yield* credentials.set(url, Redacted.make("first")), "file")
        yield* credentials.set("https://other.example:8443/x", Redacted.make("other"))
        yield* credentials.set(url, Redacted.make("second"))
        assert.strictEqual((yield* fs.stat(credentials.path)).mode & 0o777, 0o600)
        assert.deepStrictEqual(yield* credentials.hosts, ["forge.example", "other.example:8443"])
        assert.strictEqual(token(yield* Resolve.resolve({ cwd: "/", url })), "second")
        assert.isTrue(yield* credentials.remove(url))
        assert.isFalse(yield* credentials.remove(url))
        assert.isUndefined(yield* credentials.get(url))
      })
    )
  )

  it.effect("prefers the keychain where there is one, and then the file holds no token", () => {
    const keychain = new Map<string, string>()
    return at(
      { keychain },
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const credentials = yield* Credentials
        assert.strictEqual(yield* credentials.set(url, Redacted.make("secret")), "keychain")
        assert.deepStrictEqual([...keychain], [["forge.example", "secret"]])
        assert.notInclude(yield* fs.readFileString(credentials.path), "secret")
        assert.deepStrictEqual(yield* credentials.hosts, ["forge.example"])
        const { credential } = yield* Resolve.resolve({ cwd: "/", url })
        assert.deepInclude(credential, { _tag: "Token", from: "the keychain", stored: true })
        assert.strictEqual(yield* credentials.set(url, Redacted.make("secret"), "file"), "file")
        assert.strictEqual(keychain.size, 0)
        yield* credentials.set(url, Redacted.make("secret"))
        assert.isTrue(yield* credentials.remove(url))
        assert.strictEqual(keychain.size, 0)
        assert.deepStrictEqual(yield* credentials.hosts, [])
      })
    )
  })

  it.effect("says so where the keychain has the token and cannot be asked", () =>
    at(
      {},
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const credentials = yield* Credentials
        yield* credentials.set(url, Redacted.make("x"))
        yield* fs.writeFileString(credentials.path, '{"hosts":{"forge.example":{"in":"keychain"}}}')
        const error = yield* Effect.flip(credentials.get(url))
        assert.strictEqual(error.reason, "NotSignedIn")
        assert.match(error.message, /forge\.example is in the keychain.*--insecure-storage/)
        // Settings can be had all the same: who signs in anew needs them.
        assert.strictEqual((yield* Resolve.resolve({ cwd: "/", url })).credential?._tag, "Unreadable")
      })
    )
  )

  it.effect("refuses a broken file without quoting it", () =>
    at(
      {},
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const credentials = yield* Credentials
        yield* credentials.set(url, Redacted.make("x"))
        yield* fs.writeFileString(credentials.path, '{"hosts":{"forge.example":"secret"}}')
        const error = yield* Effect.flip(credentials.get(url))
        assert.strictEqual(error.reason, "StorageFailed")
        assert.notInclude(error.message, "secret")
      })
    )
  )
})
