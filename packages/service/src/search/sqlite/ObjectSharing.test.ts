import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder } from "../../git/Fixture.test-support.ts"
import * as ObjectSharing from "./ObjectSharing.ts"

describe("ObjectSharing", () => {
  it.effect("finds a repository with the same pool, and the one that is borrowed from", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const create = (name: string, ...alternates: ReadonlyArray<string>) => {
        const info = join(root, name, "objects", "info")
        mkdirSync(info, { recursive: true })
        if (alternates.length > 0) writeFileSync(join(info, "alternates"), `${alternates.join("\n")}\n`)
        return join(root, name)
      }
      const alone = create("alone")
      const upstream = create("upstream", "../../pools/one/objects")
      const fork = create("fork", "../../pools/two/objects", join(root, "pools/one/objects"))
      const copy = create("copy", join(alone, "objects"))
      assert.strictEqual(ObjectSharing.find(fork, [alone, upstream]), 1)
      assert.strictEqual(ObjectSharing.find(copy, [upstream, alone]), 1)
      assert.isUndefined(ObjectSharing.find(alone, [upstream, fork]))
      assert.isUndefined(ObjectSharing.find(fork, [alone, join(root, "missing")]))
      assert.deepStrictEqual([alone, fork].map(ObjectSharing.borrows), [false, true])
    })
  )
})
