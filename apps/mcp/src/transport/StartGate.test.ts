import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Ref } from "effect"
import * as StartGate from "./StartGate.ts"

const message = (method: string, id?: number) =>
  JSON.stringify({ jsonrpc: "2.0", method, ...(id === undefined ? {} : { id }) })

describe("StartGate", () => {
  it.effect("lets early messages through, and opens only when it is requested", () =>
    Effect.gen(function* () {
      const gate = StartGate.make()
      const attempts = yield* Ref.make(0)
      const fiber = yield* Effect.forkChild(gate.run(Ref.update(attempts, (count) => count + 1)), {
        startImmediately: true
      })
      for (const line of [message("initialize", 1), message("server/discover", 2), message("ping", 3), " \n"]) {
        assert.isUndefined(yield* gate.check(line))
      }
      assert.strictEqual(yield* Ref.get(attempts), 0)
      yield* gate.answered
      yield* Fiber.join(fiber)
      assert.strictEqual(yield* Ref.get(attempts), 1)
      assert.isUndefined(yield* gate.check(message("tools/list", 4)))
    })
  )

  it.effect("answers requests with the reason of a failure, but not notifications, and tries again", () =>
    Effect.gen(function* () {
      const gate = StartGate.make()
      const attempts = yield* Ref.make(0)
      const open = Effect.flatMap(
        Ref.updateAndGet(attempts, (count) => count + 1),
        (count) => (count === 1 ? Effect.fail({ message: "closed today" }) : Effect.void)
      )
      yield* Effect.forkChild(gate.run(open), { startImmediately: true })
      assert.deepStrictEqual(yield* gate.check(message("tools/list", 1)), [
        { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "closed today" } }
      ])
      assert.isUndefined(yield* gate.check(message("tools/list", 2)))
      assert.strictEqual(yield* Ref.get(attempts), 2)
    })
  )
})
