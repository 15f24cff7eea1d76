import { assert, it } from "@effect/vitest"
import { type CatalogEntry, entries } from "../contract/Catalog.ts"
import { costsOf, limitOf, pointsOf } from "./RateLimitCost.ts"

it("a call costs the points of its operation, or else those of its method", () => {
  const block = (name: string) => entries.find((entry) => entry.group === "blocks" && entry.name === name)
  const [read, write] = [block("checkBlocked"), block("block")]
  assert.isDefined(read)
  assert.isDefined(write)
  assert.deepStrictEqual([read, write].map(pointsOf), [1, 5])
  const declared: Pick<CatalogEntry, "endpoint" | "operation"> = {
    endpoint: write.endpoint,
    operation: { ...write.operation, points: 20 }
  }
  assert.strictEqual(pointsOf(declared), 20)
})

it("a GraphQL query creates no content, and a mutation does", () => {
  const meters = (points?: number) =>
    costsOf({
      endpoint: "POST /graphql",
      method: "POST",
      resource: "graphql",
      priority: "normal",
      ...(points === undefined ? {} : { points })
    }).map(({ amount, meter }) => [meter, amount])
  assert.deepStrictEqual(meters(1), [["POST /graphql", 1]])
  assert.deepStrictEqual(meters(), [
    ["POST /graphql", 5],
    ["content a minute", 1],
    ["content an hour", 1]
  ])
  assert.strictEqual(limitOf("POST /graphql").limit, 2000)
  assert.strictEqual(limitOf("POST /user/repos").limit, 900)
})
