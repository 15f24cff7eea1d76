import { assert, it } from "@effect/vitest"
import { pathOf } from "@tongs/core/contract/Dialect"
import * as OperationIndex from "@tongs/core/contract/OperationIndex"
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
