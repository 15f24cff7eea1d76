import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import * as TestClock from "effect/testing/TestClock"
import * as DeviceFlow from "./DeviceFlow.ts"
import type * as OAuth from "./OAuth.ts"

const code = {
  device_code: "device",
  user_code: "WDJB-MJHT",
  verification_uri: "https://forge.example/login/device",
  expires_in: 900,
  interval: 5
}

/** A forge that issues a code, then gives `answers` in turn and repeats the last one. */
const forge = (first: unknown, answers: ReadonlyArray<object | "broken"> = []) => {
  const asked: Array<{ readonly path: string; readonly form: Readonly<Record<string, string>> }> = []
  const post: OAuth.PostForm = (path, form) => {
    asked.push({ path, form })
    const answer = asked.length === 1 ? first : (answers[asked.length - 2] ?? answers.at(-1))
    if (answer === "broken") return Effect.fail("reset")
    return Effect.succeed(typeof answer === "string" ? undefined : answer)
  }
  return { asked, post }
}

const options = { url: "https://forge.example/api/v3", clientId: "client", scopes: ["repo", "user"] }

const signIn = (post: OAuth.PostForm) => Effect.flatMap(DeviceFlow.start(options, post), ({ tokens }) => tokens)

/** The outcome after some seconds, or undefined before the outcome. */
const after = <A, E>(fiber: Fiber.Fiber<A, E>, seconds: number) =>
  Effect.map(TestClock.adjust(seconds * 1000), () => fiber.pollUnsafe())

const pending = { error: "authorization_pending" }

describe("DeviceFlow", () => {
  it.effect("gives the code, polls until the user agrees, and gives the token", () =>
    Effect.gen(function* () {
      const { asked, post } = forge(code, [pending, "broken", pending, { access_token: "gho_1" }])
      const invitation = yield* DeviceFlow.start(options, post)
      assert.deepInclude(invitation, { userCode: "WDJB-MJHT", page: code.verification_uri, expiresAt: 900_000 })
      const fiber = yield* Effect.forkChild(invitation.tokens, { startImmediately: true })
      assert.isUndefined(yield* after(fiber, 19))
      yield* after(fiber, 1)
      assert.deepStrictEqual(yield* Fiber.join(fiber), { token: Redacted.make("gho_1") })
      assert.deepStrictEqual(asked.map(({ form, path }) => [path, form]).slice(0, 2), [
        ["https://forge.example/login/device/code", { client_id: "client", scope: "repo user" }],
        [
          "https://forge.example/login/oauth/access_token",
          {
            client_id: "client",
            device_code: "device",
            grant_type: "urn:ietf:params:oauth:grant-type:device_code"
          }
        ]
      ])
      assert.strictEqual(asked.length, 5)
    })
  )

  it.effect("gives the refresh token of an expiring token", () =>
    Effect.gen(function* () {
      const tokens = { access_token: "ghu_1", expires_in: 28_800, refresh_token: "ghr_1", refresh_token_expires_in: 60 }
      const fiber = yield* Effect.forkChild(signIn(forge(code, [tokens]).post), { startImmediately: true })
      yield* after(fiber, 5)
      const { refresh, ...rest } = yield* Fiber.join(fiber)
      assert.deepStrictEqual(rest, { token: Redacted.make("ghu_1"), expiresAt: 28_805_000 })
      assert.deepInclude(refresh, { token: Redacted.make("ghr_1"), expiresAt: 65_000, clientId: "client" })
      assert.match(refresh?.signIn ?? "", /^[\da-f-]{36}$/)
    })
  )

  it.effect("polls less often after slow_down", () =>
    Effect.gen(function* () {
      const { asked, post } = forge(code, [{ error: "slow_down", interval: 10 }, { error: "slow_down" }, pending])
      const fiber = yield* Effect.forkChild(signIn(post), { startImmediately: true })
      for (const [seconds, count] of [
        [5, 2],
        [9, 2],
        [1, 3],
        [14, 3],
        [1, 4]
      ] as const) {
        // pairs
        yield* after(fiber, seconds)
        assert.strictEqual(asked.length, count)
      }
      yield* Fiber.interrupt(fiber)
    })
  )

  for (const [answer, reason, what] of [
    [{ error: "access_denied" }, "Declined", /declined/],
    [{ error: "expired_token" }, "Expired", /expired/],
    [{ error: "incorrect_client_credentials", error_description: "No such client" }, "Refused", /No such client/]
  ] as const) {
    // pairs
    it.effect(`reports the error ${answer.error}`, () =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Effect.flip(signIn(forge(code, [answer]).post)), {
          startImmediately: true
        })
        yield* after(fiber, 5)
        const error = yield* Fiber.join(fiber)
        assert.strictEqual(error.reason, reason)
        assert.match(error.message, what)
      })
    )
  }

  it.effect("ends when the code expires", () =>
    Effect.gen(function* () {
      const { asked, post } = forge({ ...code, expires_in: 60, interval: 0 }, [pending])
      const fiber = yield* Effect.forkChild(Effect.flip(signIn(post)), { startImmediately: true })
      yield* after(fiber, 60)
      assert.match((yield* Fiber.join(fiber)).message, /expired/)
      assert.strictEqual(asked.length, 61)
    })
  )

  for (const [first, what] of [
    ["<html>not found</html>", /does not support/],
    ["broken", /Cannot reach/],
    [{ error: "device_flow_disabled", error_description: "It is off" }, /It is off/]
  ] as const) {
    // pairs
    it.effect(`reports a forge without the device flow: ${JSON.stringify(first)}`, () =>
      Effect.gen(function* () {
        assert.match((yield* Effect.flip(signIn(forge(first).post))).message, what)
      })
    )
  }
})
