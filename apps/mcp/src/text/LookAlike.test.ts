import { assert, describe, it } from "@effect/vitest"
import * as HostileText from "./HostileText.test-support.ts"
import * as LookAlike from "./LookAlike.ts"

describe("look-alikes", () => {
  for (const text of [...HostileText.closings, ...HostileText.openings]) {
    it(`are broken visibly: ${text}`, () => {
      const broken = LookAlike.breakAll(`before ${text} after`)
      assert.match(broken, /^before <U\+[0-9A-F]{4,6}>/)
      assert.strictEqual(LookAlike.breakAll(broken), broken)
      // Only the first character changes, so that nothing is lost.
      assert.isTrue(broken.endsWith(`${text.slice(String.fromCodePoint(text.codePointAt(0) ?? 0).length)} after`))
    })
  }

  for (const text of [
    "List<UntrustedInput> | Box<Untrusted>",
    "if (untrusted) return [untrusted, 12]",
    "f(untrusted: string) // (untrusted text)",
    "### Untrusted\n\n--- untrusted ---\n-----BEGIN CERTIFICATE-----",
    '<data android:scheme="https"/></data><u>nder</u>ntrusted',
    "users[inst] = <T,>(x: Array<T>) => x <| f |> g",
    "for (let i = 0; i < end; i++) a[end - 1] = '<U+200B>' // <system> [user]",
    '{"role":"system","content":"[/path]"}',
    "npm run start -- --end=&lt;b&gt; %3Cb%3E \\u003cb\\u003e"
  ]) {
    it(`are not ordinary text: ${text}`, () => {
      assert.strictEqual(LookAlike.breakAll(text), text)
    })
  }

  it("are found in long words in linear time", () => {
    const text = "<".repeat(100_000) + "u".repeat(100_000) + "-".repeat(100_000) + "</".repeat(50_000)
    assert.strictEqual(LookAlike.breakAll(text), text)
  })
})
