import { assert, describe, it } from "@effect/vitest"
import * as ServerSecret from "./ServerSecret.ts"

describe("ServerSecret", () => {
  it("generates 256 random bits that need no escaping", () => {
    const secrets = Array.from({ length: 100 }, ServerSecret.generate)
    assert.strictEqual(new Set(secrets).size, 100)
    for (const secret of secrets) {
      assert.strictEqual(Buffer.from(secret, "base64url").length, 32)
      assert.isTrue(ServerSecret.isStrong(secret))
      assert.strictEqual(encodeURIComponent(secret), secret)
    }
  })

  it("equals only itself, also for other lengths", () => {
    const secret = ServerSecret.generate()
    assert.isTrue(ServerSecret.equals(secret, secret))
    for (const other of ["", secret.slice(1), `${secret}x`, ServerSecret.generate()])
      assert.isFalse(ServerSecret.equals(other, secret))
  })

  it("requires a chosen secret to be long and need no escaping", () => {
    for (const weak of ["", "x".repeat(31), `${"x".repeat(40)} `, "é".repeat(40)])
      assert.isFalse(ServerSecret.isStrong(weak))
    assert.isTrue(ServerSecret.isStrong("x".repeat(32)))
  })
})
