import { spawnSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import * as RefName from "./RefName.ts"

const gitAccepts = (name: string): boolean => spawnSync("git", ["check-ref-format", name]).status === 0

const table = [
  "refs/heads/main",
  "refs/heads/a/b/c",
  "heads/x",
  "main",
  "",
  "/",
  "a/",
  "/a/b",
  "a//b",
  "a/.b",
  "a/b.",
  "a/b.lock",
  "a.lock/b",
  "a/b.lock/c",
  "a/.lock",
  "a/b..c",
  "a/..",
  "../a",
  "a/b@{c",
  "a/@",
  "@",
  "@/a",
  "a/b@",
  "a/{b}",
  "a/b c",
  "a/b~c",
  "a/b^c",
  "a/b:c",
  "a/b?c",
  "a/b*c",
  "a/b[c",
  "a/b]c",
  "a/b\\c",
  "a/b\u0001c",
  "a/b\u007fc",
  "a/b\tc",
  "a/b\nc",
  "a/-b",
  "a/ü",
  "a/霧",
  "a/🎉",
  "a/b.c",
  "a/.",
  "a./b",
  "a/b.LOCK",
  "a/b.lockx",
  "refs/heads/.lock",
  "a/b@c{"
]

// A fixed seed makes the random names reproducible.
const random = (seed: number) => () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
const alphabet = ["a", "b", "/", "/", ".", "@", "{", "lock", ".lock", "-", "~", "ü", " ", "*", "refs/"]

describe("RefName", () => {
  it("agrees with git check-ref-format", () => {
    const next = random(7)
    const names = Array.from(
      { length: 250 },
      () => "a/" + Array.from({ length: 1 + next() * 6 }, () => alphabet[Math.floor(next() * alphabet.length)]).join("")
    )
    for (const name of [...table, ...names]) {
      assert.strictEqual(RefName.isWellFormed(name), gitAccepts(name), JSON.stringify(name))
    }
  })

  it("limits the length and requires refs/", () => {
    assert.isTrue(RefName.isValid("refs/heads/a/b"))
    assert.isFalse(RefName.isValid("heads/a"))
    assert.isFalse(RefName.isValid(`refs/heads/${"x".repeat(10_000)}`))
    assert.isFalse(RefName.isValid(`refs/heads/${"ü".repeat(126)}`))
    assert.isTrue(RefName.isValid(`refs/heads/${"ü".repeat(125)}`))
    assert.isFalse(RefName.isValid("refs/heads/a\0b"))
    assert.isFalse(RefName.isValid("refs/heads/\ud800"))
  })

  it("refuses new names that git branch, git tag or GitHub refuse, or that mean HEAD", () => {
    for (const name of ["-x", "-", "HEAD", "@", "refs/heads/x"]) {
      for (const full of [RefName.branch(name), RefName.tag(name)]) {
        assert.isTrue(RefName.isValid(full), full)
        assert.isFalse(RefName.isCreatable(full), full)
      }
    }
    for (const name of ["a-x", "a/-x", "HEADS", "a/HEAD", "head", "@x", "x@", "a/@", "refs", "reference/x"]) {
      assert.isTrue(RefName.isCreatable(RefName.branch(name)), name)
    }
    assert.isTrue(RefName.isCreatable("refs/notes/-x"))
    assert.isFalse(RefName.isCreatable("refs/heads/a..b"))
  })

  it("shortens only branches and tags", () => {
    assert.deepStrictEqual(["refs/heads/a/b", "refs/tags/v1", "refs/notes/x"].map(RefName.short), [
      "a/b",
      "v1",
      "refs/notes/x"
    ])
  })
})
