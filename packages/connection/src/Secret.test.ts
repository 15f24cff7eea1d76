import { assert, describe, it } from "@effect/vitest"
import * as Secret from "./Secret.ts"

describe("a secret", () => {
  it("has 256 bits, is new every time and needs no escape", () => {
    const secrets = Array.from({ length: 100 }, Secret.make)
    assert.strictEqual(new Set(secrets).size, 100)
    for (const secret of secrets) {
      assert.strictEqual(Buffer.from(secret, "base64url").length, 32)
      assert.isTrue(Secret.isUsable(secret))
      assert.strictEqual(encodeURIComponent(secret), secret)
    }
  })

  it("equals itself alone, whatever the length of the other", () => {
    const secret = Secret.make()
    assert.isTrue(Secret.isEqual(secret, secret))
    for (const other of ["", secret.slice(1), `${secret}x`, Secret.make()])
      assert.isFalse(Secret.isEqual(other, secret))
  })

  it("that a person chooses is long and plain", () => {
    for (const weak of ["", "x".repeat(31), `${"x".repeat(40)} `, "é".repeat(40)]) assert.isFalse(Secret.isUsable(weak))
    assert.isTrue(Secret.isUsable("x".repeat(32)))
  })
})
