import { assert, describe, it } from "@effect/vitest"
import * as ServerSecret from "./ServerSecret.ts"

describe("a secret", () => {
  it("has 256 bits, is new every time and needs no escape", () => {
    const secrets = Array.from({ length: 100 }, ServerSecret.generate)
    assert.strictEqual(new Set(secrets).size, 100)
    for (const secret of secrets) {
      assert.strictEqual(Buffer.from(secret, "base64url").length, 32)
      assert.isTrue(ServerSecret.isStrong(secret))
      assert.strictEqual(encodeURIComponent(secret), secret)
    }
  })

  it("equals itself alone, whatever the length of the other", () => {
    const secret = ServerSecret.generate()
    assert.isTrue(ServerSecret.equals(secret, secret))
    for (const other of ["", secret.slice(1), `${secret}x`, ServerSecret.generate()])
      assert.isFalse(ServerSecret.equals(other, secret))
  })

  it("that a person chooses is long and plain", () => {
    for (const weak of ["", "x".repeat(31), `${"x".repeat(40)} `, "é".repeat(40)])
      assert.isFalse(ServerSecret.isStrong(weak))
    assert.isTrue(ServerSecret.isStrong("x".repeat(32)))
  })
})
