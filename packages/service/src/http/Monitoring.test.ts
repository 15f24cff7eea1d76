import { rmSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { pathOf } from "@tongs/core/contract/Dialect"
import * as OperationIndex from "@tongs/core/contract/OperationIndex"
import { folder } from "../git/Fixture.test-support.ts"
import * as Monitoring from "./Monitoring.ts"

it("has paths that no endpoint of the contract matches", () => {
  const operations = Object.values(OperationIndex.value).flat()
  assert.isAbove(operations.length, 500)
  for (const operation of operations) {
    for (const dialect of ["service", "github"] as const) {
      const all = [
        pathOf(dialect, { endpoint: operation }),
        ...(operation.alsoAt === undefined ? [] : [operation.alsoAt])
      ]
      for (const path of all) {
        const pattern = new RegExp(`^/${path.replace(/^\//, "").replace(/:\w+/g, "[^/]+")}$`)
        assert.deepStrictEqual(
          Monitoring.paths.filter((one) => pattern.test(one)),
          [],
          path
        )
      }
    }
  }
})

it.live("reads the file with the token once", () =>
  Effect.gen(function* () {
    const data = yield* folder
    const token = yield* Monitoring.token(data)
    const first = yield* token
    rmSync(join(data, "metrics-token"))
    assert.strictEqual(yield* token, first)
  })
)
