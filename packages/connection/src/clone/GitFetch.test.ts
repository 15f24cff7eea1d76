import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder, git } from "@tongs/service/git/Fixture.test-support"
import { fetch, receivedBytes } from "./GitFetch.ts"

describe("receivedBytes", () => {
  it("reads the last progress of git", () => {
    const progress =
      "Receiving objects:   5% (1/20), 1.50 KiB | 1 KiB/s\rReceiving objects:  10% (2/20), 2.00 MiB | 1.00 MiB/s\r"
    assert.strictEqual(receivedBytes(progress), 2 * 1024 ** 2)
    assert.strictEqual(receivedBytes("Receiving objects: 100% (3/3), 210 bytes | 210.00 KiB/s, done."), 210)
    assert.strictEqual(receivedBytes("remote: Counting objects: 5% (1/20)"), undefined)
  })
})

describe("fetch", () => {
  it.effect("uses HTTP only", () =>
    Effect.gen(function* () {
      const root = yield* folder
      git(root, ["init", "--quiet", "--bare", "a.git"])
      git(root, ["init", "--quiet", "--bare", "b.git"])
      for (const url of [`file://${root}/a.git`, "ssh://127.0.0.1/a.git", "ext::true"]) {
        const { detail } = yield* Effect.flip(fetch(`${root}/b.git`, { url: new URL(url), token: undefined }, () => {}))
        assert.match(detail, /transport .* not allowed/)
      }
    })
  )
})
