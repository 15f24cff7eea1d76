import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ModelDriver from "../../ModelDriver.test-support.ts"
import * as KeyText from "./KeyText.ts"

const KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJiXKvs60cpX5DvWZ18vjPNTRZ9oVMCy6NcNM9jCIZmM"

describe("keys", () => {
  it("have the fingerprint that ssh-keygen prints", () => {
    assert.strictEqual(KeyText.typeOf(KEY), "ed25519")
    assert.strictEqual(KeyText.fingerprintOf(`${KEY} comment`), "SHA256:pGYeZHi50Z4TtHtriSVXkaTeMXS6WdumxywjeIeYr7c")
    assert.strictEqual(KeyText.fingerprintOf("nonsense"), "")
  })
})

describe("an account", () => {
  it.live("that is not blocked is no failure", () =>
    Effect.gen(function* () {
      const screen = yield* ModelDriver.start({
        respond: (path) =>
          path.startsWith("/user/blocks/") ? { status: 404, body: { message: "Not Found" } } : undefined,
        session: {
          routes: [{ screen: "blocks.checkBlocked", arguments: { username: "mona" } }],
          split: 0.6,
          isPaneShown: true
        }
      })
      yield* screen.until("You do not block mona", "c blocks the account")
    })
  )
})
