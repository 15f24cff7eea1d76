import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Budget from "./Budget.ts"
import { BudgetStore } from "./BudgetStore.ts"
import * as Limits from "./Limits.ts"

describe("BudgetStore", () => {
  it.effect("evicts idle scopes beyond the maximum, but none in use", () =>
    Effect.gen(function* () {
      const store = yield* BudgetStore
      const request = { resource: "core", endpoint: "GET /a", method: "GET", priority: "normal" } as const // a literal priority
      yield* store.modify("busy", (budget) => Budget.admit(budget, request, 0, store.holder))
      for (let index = 0; index < Limits.MAX_SCOPES + 10; index++) {
        yield* store.modify(`idle ${index}`, (budget) => [undefined, budget])
      }
      const all = yield* store.all
      assert.lengthOf(all, Limits.MAX_SCOPES)
      assert.strictEqual(yield* store.modify("busy", (budget) => [Budget.inFlight(budget), budget]), 1)
      assert.isFalse(all.some(([scope]) => scope === "idle 0"))
    }).pipe(Effect.provide(BudgetStore.layerMemory))
  )
})
