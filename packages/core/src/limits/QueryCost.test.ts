import { assert, it } from "@effect/vitest"
import * as QueryCost from "./QueryCost.ts"

const { add, connection, none } = QueryCost

it("a query costs a point for a hundred reads of connections", () => {
  // The example of GitHub's documentation: 100 repositories with 50 issues each with 60 labels each.
  const query = connection(100, connection(50, connection(60, none)))
  assert.deepStrictEqual(query, { requests: 5101, nodes: 305_100 })
  assert.strictEqual(QueryCost.pointsOf(query), 51)
  assert.deepStrictEqual(
    [0, 1, 149, 150].map((requests) => QueryCost.pointsOf({ requests, nodes: 0 })),
    [1, 1, 1, 2]
  )
})

it("the nodes of a query are those of all connections", () => {
  // The example of GitHub's documentation.
  const ofRepository = add(connection(20, connection(10, none)), connection(20, connection(10, none)))
  assert.strictEqual(add(connection(50, ofRepository), connection(10, none)).nodes, 22_060)
})
