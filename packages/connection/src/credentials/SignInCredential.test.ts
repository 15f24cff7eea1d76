import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Redacted } from "effect"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as TestClock from "effect/testing/TestClock"
import { CredentialStore } from "./CredentialStore.ts"
import { withHome, URL_VALUE } from "../TestHome.test-support.ts"
import * as SettingsResolver from "../SettingsResolver.ts"
import * as CredentialSource from "./CredentialSource.ts"
import type { TokenSet } from "./TokenSet.ts"

const HOUR = 3_600_000

const text = ({ token }: { readonly token: Redacted.Redacted<string> }) => Redacted.value(token)

/**
 * A forge that accepts each refresh token once and issues tokens for eight hours. Runs `meanwhile` before each
 * response.
 */
const forge = (meanwhile: Effect.Effect<void> = Effect.void) => {
  let count = 1
  const asked: Array<unknown> = []
  const client = HttpClient.make((request, url) =>
    Effect.gen(function* () {
      const form = request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : ""
      const { refresh_token, ...rest } = Object.fromEntries(new URLSearchParams(form))
      asked.push({ url: url.href, ...rest })
      const isCurrent = refresh_token === `r${count}`
      if (isCurrent) count += 1
      yield* meanwhile
      const answer = isCurrent
        ? {
            access_token: `t${count}`,
            expires_in: 8 * 3600,
            refresh_token: `r${count}`,
            refresh_token_expires_in: 24 * 3600
          }
        : { error: "bad_refresh_token", error_description: "The refresh token passed is incorrect or expired." }
      return HttpClientResponse.fromWeb(request, Response.json(answer))
    })
  )
  return { asked, client }
}

const refresh = { token: Redacted.make("r1"), expiresAt: 24 * HOUR, clientId: "app", signIn: "one" }

/** The tokens that `tongs auth login --web` stored at time 0. */
const stored: TokenSet = { token: Redacted.make("t1"), expiresAt: 8 * HOUR, refresh }

/** The credential that a new process resolves. */
const credential = Effect.gen(function* () {
  const { credential: source } = yield* SettingsResolver.resolve({ cwd: "/", url: URL_VALUE })
  const found = yield* CredentialSource.toCredential(source, { baseUrl: URL_VALUE, dialect: undefined })
  if (found === undefined || Redacted.isRedacted(found)) return assert.fail("this one is not renewed")
  return found
})

const token = Effect.map(Redacted.value<string>)

describe("SignInCredential", () => {
  it.effect("renews tokens before they expire and stores them, under one identity", () => {
    const { asked, client } = forge()
    return withHome(
      {},
      Effect.gen(function* () {
        const { user: person } = yield* CredentialStore
        yield* person(URL_VALUE).set(stored, "file")
        const one = yield* credential
        assert.strictEqual(yield* token(one.current), "t1")
        assert.deepStrictEqual(asked, [])
        yield* TestClock.adjust("8 hours")
        assert.strictEqual(yield* token(one.current), "t2")
        assert.deepStrictEqual(asked, [
          { url: "https://forge.example/login/oauth/access_token", client_id: "app", grant_type: "refresh_token" }
        ])
        const next = yield* credential
        assert.strictEqual(yield* token(next.current), "t2")
        assert.deepStrictEqual(next.identity, one.identity)
      }).pipe(Effect.provide(Scheduler.layerMemory), Effect.provideService(HttpClient.HttpClient, client))
    )
  })

  it.effect("renews a rejected token once, even if another process was faster", () => {
    const { asked, client } = forge()
    return withHome(
      {},
      Effect.gen(function* () {
        const { user: person } = yield* CredentialStore
        yield* person(URL_VALUE).set(stored, "file")
        const [one, other] = [yield* credential, yield* credential]
        const refused = yield* one.current
        const replaced = yield* one.replace(refused)
        assert.strictEqual(replaced && Redacted.value(replaced), "t2")
        const later = yield* other.replace(yield* other.current)
        assert.strictEqual(later && Redacted.value(later), "t2")
        assert.strictEqual(asked.length, 1)
      }).pipe(Effect.provide(Scheduler.layerMemory), Effect.provideService(HttpClient.HttpClient, client))
    )
  })

  it.effect("stores the new tokens although the caller was interrupted", () =>
    withHome(
      {},
      Effect.gen(function* () {
        const [asked, answered] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const { client } = forge(Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(answered)))
        const { user: person } = yield* CredentialStore
        yield* person(URL_VALUE).set(stored, "file")
        const run = Effect.scoped(Effect.flatMap(credential, (one) => Effect.flatMap(one.current, one.replace)))
        const fiber = yield* Effect.forkChild(Effect.provideService(run, HttpClient.HttpClient, client))
        yield* Deferred.await(asked)
        const ending = yield* Effect.forkChild(Fiber.interrupt(fiber), { startImmediately: true })
        yield* Deferred.succeed(answered, undefined)
        yield* Fiber.join(ending)
        const kept = yield* person(URL_VALUE).get
        assert.deepStrictEqual(
          [kept, kept?.refresh].map((one) => one && text(one)),
          ["t2", "r2"]
        )
      }).pipe(Effect.provide(Scheduler.layerMemory))
    )
  )

  it.effect("asks to sign in again after an expired, refused or deleted sign-in", () => {
    const { asked, client } = forge()
    return withHome(
      {},
      Effect.gen(function* () {
        const { user: person, remove } = yield* CredentialStore
        const said = Effect.gen(function* () {
          const one = yield* credential
          const error = yield* Effect.flip(one.replace(yield* one.current))
          assert.strictEqual(error._tag, "BadCredentials")
          return error.message
        })
        yield* person(URL_VALUE).set({ ...stored, refresh: { ...refresh, token: Redacted.make("r0") } }, "file")
        assert.include(yield* said, "The refresh token passed is incorrect or expired")
        yield* person(URL_VALUE).set(stored, "file")
        const one = yield* credential
        yield* remove(URL_VALUE)
        assert.include((yield* Effect.flip(one.replace(yield* one.current))).message, "no longer stored")
        yield* person(URL_VALUE).set({ ...stored, refresh: { ...refresh, expiresAt: 0 } }, "file")
        assert.include(yield* said, "has expired")
        assert.strictEqual(asked.length, 1)
      }).pipe(Effect.provide(Scheduler.layerMemory), Effect.provideService(HttpClient.HttpClient, client))
    )
  })
})
