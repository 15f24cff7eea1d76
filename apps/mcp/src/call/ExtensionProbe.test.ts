import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import type { Forge } from "@tongs/core/client/Forge"
import * as Failure from "@tongs/core/contract/Failure"
import * as ExtensionProbe from "./ExtensionProbe.ts"

type Get = Forge["Service"]["codeIndex"]["get"]

/** Runs the probe three times in parallel and once more. Returns the answers and the number of requests. */
const probe = (get: (count: number) => ReturnType<Get>) =>
  Effect.gen(function* () {
    let requests = 0
    const codeIndex = { get: () => get(++requests), listLeftOut: () => assert.fail("not called") }
    const hasExtensions = ExtensionProbe.make({ codeIndex })
    const first = yield* Effect.forkChild(Effect.all([hasExtensions, hasExtensions, hasExtensions], { concurrency: 3 }))
    yield* TestClock.adjust("7 seconds")
    const answers = [...(yield* Fiber.join(first)), yield* hasExtensions]
    return { answers: new Set(answers), requests }
  })

const unsupported = new Failure.Unsupported({ request: "GET /tongs/index", detail: "none" })
const status = Effect.succeed({ repositories: [] })

describe("ExtensionProbe", () => {
  it.effect("asks a forge once", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* probe(() => status), { answers: new Set([true]), requests: 1 })
      assert.deepStrictEqual(yield* probe(() => Effect.fail(unsupported)), { answers: new Set([false]), requests: 1 })
    })
  )

  it.effect("asks again if the forge did not answer in time, or failed", () =>
    Effect.gen(function* () {
      const late = yield* probe((count) => (count < 4 ? Effect.never : status))
      assert.deepStrictEqual(late, { answers: new Set([undefined, true]), requests: 4 })
      const unreachable = new Failure.Unreachable({ request: "GET /tongs/index", detail: "no answer" })
      assert.strictEqual((yield* probe(() => Effect.fail(unreachable))).requests, 4)
    })
  )
})
