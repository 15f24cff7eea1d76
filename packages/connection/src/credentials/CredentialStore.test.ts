import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, FileSystem, Redacted } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { CredentialStore } from "./CredentialStore.ts"
import type { TokenSet } from "./TokenSet.ts"
import { withHome, URL_VALUE } from "../TestHome.test-support.ts"
import * as SettingsResolver from "../SettingsResolver.ts"

const HOUR = 3_600_000

const secret = (token: string, rest: Omit<TokenSet, "token"> = {}): TokenSet => ({
  token: Redacted.make(token),
  ...rest
})

/** A sign-in whose tokens expire. */
const signedIn = (token: string) =>
  secret(token, {
    expiresAt: HOUR,
    refresh: { token: Redacted.make(`refresh ${token}`), expiresAt: 9 * HOUR, clientId: "app", signIn: "one" }
  })

const app = { id: 12, installation: 7, keyFile: "/key.pem" }

const text = (found: TokenSet | undefined) => found && Redacted.value(found.token)

describe("CredentialStore", () => {
  it.effect("stores tokens per host in a private file without a keychain", () =>
    withHome(
      {},
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const { hosts, path, user: person, remove } = yield* CredentialStore
        assert.isUndefined(yield* person(URL_VALUE).get)
        assert.strictEqual(yield* person(URL_VALUE).set(secret("first")), "file")
        yield* person("https://other.example:8443/x").set(secret("other"))
        yield* person(URL_VALUE).set(signedIn("second"))
        assert.strictEqual((yield* fs.stat(path)).mode & 0o777, 0o600)
        assert.deepStrictEqual(yield* hosts, ["forge.example", "other.example:8443"])
        assert.deepStrictEqual(yield* person(URL_VALUE).get, { ...signedIn("second"), location: "file" })
        assert.strictEqual((yield* SettingsResolver.resolve({ cwd: "/", url: URL_VALUE })).credential?._tag, "Stored")
        assert.isTrue(yield* remove(URL_VALUE))
        assert.isFalse(yield* remove(URL_VALUE))
        assert.isUndefined(yield* person(URL_VALUE).get)
      })
    )
  )

  it.effect("stores tokens in the keychain only, if there is one", () => {
    const keychain = new Map<string, string>()
    return withHome(
      { keychain },
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const { hosts, path, user: person, remove } = yield* CredentialStore
        assert.strictEqual(yield* person(URL_VALUE).set(secret("plain")), "keychain")
        assert.deepStrictEqual([...keychain], [["forge.example", "plain"]])
        const { credential } = yield* SettingsResolver.resolve({ cwd: "/", url: URL_VALUE })
        assert.deepInclude(credential, { _tag: "Stored", from: "the keychain" })
        yield* person(URL_VALUE).set(signedIn("secret"))
        assert.notInclude(yield* fs.readFileString(path), "secret")
        assert.deepStrictEqual(yield* person(URL_VALUE).get, { ...signedIn("secret"), location: "keychain" })
        assert.deepStrictEqual(yield* hosts, ["forge.example"])
        assert.strictEqual(yield* person(URL_VALUE).set(secret("secret"), "file"), "file")
        assert.strictEqual(keychain.size, 0)
        yield* person(URL_VALUE).set(secret("secret"))
        assert.isTrue(yield* remove(URL_VALUE))
        assert.strictEqual(keychain.size, 0)
        assert.deepStrictEqual(yield* hosts, [])
      })
    )
  })

  it.effect("fails if the token is in a keychain that cannot be read", () =>
    withHome(
      {},
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const { path, user: person } = yield* CredentialStore
        yield* person(URL_VALUE).set(secret("x"))
        yield* fs.writeFileString(path, '{"hosts":{"forge.example":{"in":"keychain"}}}')
        const error = yield* Effect.flip(person(URL_VALUE).get)
        assert.strictEqual(error.reason, "NotSignedIn")
        assert.match(error.message, /token for forge\.example from the keychain.*--insecure-storage/)
        // `tongs auth login` needs the settings even if the stored token is unreadable.
        assert.strictEqual(
          (yield* SettingsResolver.resolve({ cwd: "/", url: URL_VALUE })).credential?._tag,
          "Unreadable"
        )
      })
    )
  )

  it.effect("rejects an invalid file without quoting it", () =>
    withHome(
      {},
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const { path, user: person } = yield* CredentialStore
        yield* person(URL_VALUE).set(secret("x"))
        yield* fs.writeFileString(path, '{"hosts":{"forge.example":"secret"}}')
        const error = yield* Effect.flip(person(URL_VALUE).get)
        assert.strictEqual(error.reason, "StorageFailed")
        assert.notInclude(error.message, "secret")
      })
    )
  )
})

describe("StoredToken", () => {
  const keychains = [undefined, new Map<string, string>()]
  for (const keychain of keychains) {
    const where = keychain === undefined ? "file" : "keychain"
    it.effect(`is renewed when rejected and before it expires: ${where}`, () =>
      withHome(
        keychain === undefined ? {} : { keychain },
        Effect.gen(function* () {
          const { installation, user: person, remove } = yield* CredentialStore
          yield* person(URL_VALUE).set(secret("mine"))
          let count = 0
          const slot = installation(URL_VALUE, app)
          const renew = (outdated?: string) =>
            slot
              .renew(outdated === undefined ? undefined : Redacted.make(outdated), (stored, keep) =>
                Effect.gen(function* () {
                  assert.strictEqual(stored?.location, count === 0 ? undefined : where)
                  const made = secret(`t${++count}`, { expiresAt: (yield* Clock.currentTimeMillis) + HOUR })
                  yield* keep(made)
                  return made
                })
              )
              .pipe(Effect.map(text))
          assert.strictEqual(yield* renew(), "t1")
          assert.strictEqual(yield* renew(), "t1")
          assert.strictEqual(yield* renew("t1"), "t2")
          assert.strictEqual(yield* renew("t1"), "t2")
          yield* TestClock.adjust("56 minutes")
          assert.strictEqual(yield* renew("t2"), "t3")
          assert.isUndefined(yield* installation(URL_VALUE, { ...app, installation: 8 }).get)
          assert.isUndefined(yield* installation("https://other.example", app).get)
          assert.strictEqual(text(yield* person(URL_VALUE).get), "mine")
          assert.isTrue(yield* remove(URL_VALUE))
          assert.isUndefined(yield* slot.get)
          assert.strictEqual(keychain?.size ?? 0, 0)
        })
      )
    )
  }

  it.live("is renewed once for concurrent requests", () =>
    withHome(
      {},
      Effect.gen(function* () {
        const { installation } = yield* CredentialStore
        const gate = yield* Deferred.make<void>()
        let count = 0
        const one = installation(URL_VALUE, app).renew(undefined, (_, keep) =>
          Effect.gen(function* () {
            const made = secret(`t${++count}`, { expiresAt: (yield* Clock.currentTimeMillis) + HOUR })
            yield* Deferred.await(gate)
            return yield* Effect.as(keep(made), made)
          })
        )
        const all = Effect.all([one, one, one, Effect.delay(Deferred.succeed(gate, undefined), "60 millis")], {
          concurrency: "unbounded"
        })
        const [first, second, third] = yield* all
        assert.deepStrictEqual([first, second, third].map(text), ["t1", "t1", "t1"])
      })
    )
  )

  it.effect("is deleted by the next write after it expires", () =>
    withHome(
      {},
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const { installation, path } = yield* CredentialStore
        yield* installation(URL_VALUE, app).set(secret("old", { expiresAt: HOUR }))
        yield* TestClock.adjust("61 minutes")
        yield* installation(URL_VALUE, { ...app, installation: 8 }).set(secret("new", { expiresAt: 3 * HOUR }))
        const content = yield* fs.readFileString(path)
        assert.deepStrictEqual([content.includes("old"), content.includes("new")], [false, true])
      })
    )
  )

  it.effect("can be used although storing it fails", () =>
    withHome(
      {},
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const { installation, path } = yield* CredentialStore
        yield* fs.makeDirectory(path, { recursive: true })
        const made = yield* installation(URL_VALUE, app).renew(undefined, (_, keep) =>
          Effect.as(keep(secret("t1")), secret("t1"))
        )
        assert.strictEqual(text(made), "t1")
      })
    )
  )
})
