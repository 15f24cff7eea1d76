import { assert, describe, it } from "@effect/vitest"
import * as StyledLine from "../../text/StyledLine.ts"
import * as Person from "./Person.ts"

describe("Person", () => {
  it("shortens names to 12 columns", () => {
    assert.strictEqual(Person.shortName("Mona Lisa"), "Mona Lisa")
    assert.strictEqual(Person.shortName("Grace Brewster Hopper"), "Grace H.")
    assert.strictEqual(Person.shortName("Wolfeschlegelstein Hubert"), "Wolfeschleg…")
    assert.strictEqual(Person.shortName("  山田 太郎山田 太郎 "), "山田 太.")
  })

  it("gives each name one color, and escapes control characters", () => {
    assert.deepStrictEqual(Person.line("Mona Lisa"), Person.line("Mona Lisa"))
    assert.notInclude(StyledLine.text(Person.line("\u001b[31mMona\u0007")), "\u001b")
  })
})
