import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as EmailPatch from "../git/values/EmailPatch.ts"
import * as GitObject from "../git/values/GitObject.ts"
import * as ObjectEncoding from "../git/values/ObjectEncoding.ts"
import * as TrimCharacters from "./TrimCharacters.ts"

const RUN = 300_000
const person = { name: "A", email: "a@example.org", seconds: 1, timezone: "+0000" }
const oid = "0".repeat(40)

/** Milliseconds. The quadratic pattern takes a minute and more for `RUN` characters. */
const time = (use: () => unknown): number => {
  const from = performance.now()
  use()
  return performance.now() - from
}

describe("TrimCharacters", () => {
  it.prop("cuts as the pattern does", [Schema.Array(Schema.Literals([" ", "\t", "x", "é"]))], ([letters]) => {
    const text = letters.join("")
    assert.strictEqual(TrimCharacters.end(text, " \t"), text.replace(/[ \t]+$/, ""))
    assert.strictEqual(TrimCharacters.both(text, " \t"), text.replace(/^[ \t]+|[ \t]+$/g, ""))
  })

  it("parses and prints git objects with long runs of spaces in linear time", () => {
    const spaces = `a${" ".repeat(RUN)}b`
    const lines = `a${"\n".repeat(RUN)}b`
    const commit = { tree: oid, parents: [], author: person, committer: person, message: "m" }
    const bytes = Buffer.from(
      `tree ${oid}\nauthor ${spaces} <a@example.org> 1 +0000\ncommitter A <a@example.org> 1 +0000\n\nm`
    )
    assert.isBelow(
      time(() => GitObject.parseCommit(bytes)),
      5_000
    )
    assert.isBelow(
      time(() => ObjectEncoding.formatPerson({ ...person, name: spaces })),
      5_000
    )
    assert.isBelow(
      time(() => EmailPatch.header(oid, { ...commit, message: `title\n\n${spaces}` })),
      5_000
    )
    const signed = { ...commit, signature: lines }
    assert.isBelow(
      time(() => ObjectEncoding.encodeCommit(signed, "sha1")),
      5_000
    )
  })
})
