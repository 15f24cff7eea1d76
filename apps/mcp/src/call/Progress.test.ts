import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as McpSchema from "effect/ai/McpSchema"
import * as Progress from "./Progress.ts"

interface Sent {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

const create = (requestMetadata: Readonly<Record<string, unknown>> = { progressToken: "t" }) => {
  const sent: Array<Sent> = []
  const request = McpSchema.McpRequestContext.of({
    clientId: 0,
    protocolVersion: "2025-11-25",
    clientCapabilities: new McpSchema.ClientCapabilities({}),
    requestMetadata
  })
  const notify: Progress.Notify = ({ message, progress, total }) =>
    Effect.sync(() => sent.push({ progress, total, message }))
  return { sent, progress: Progress.make(request, notify) }
}

const wait = (seconds: number) => Effect.succeed(`waits since ${seconds} s`)

describe("the progress of a call", () => {
  it.effect("says what it waits for, from the second second on, once a second, until its end", () =>
    Effect.gen(function* () {
      const { progress, sent } = create()
      const fiber = yield* Effect.forkChild(progress.during(Effect.sleep("3500 millis"), wait))
      yield* TestClock.adjust("999 millis")
      assert.deepStrictEqual(sent, [])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(sent, [{ progress: 0.001, total: undefined, message: "waits since 1 s" }])
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(
        sent.map(({ message }) => message),
        ["waits since 1 s", "waits since 2 s", "waits since 3 s"]
      )
    })
  )

  it.effect("increases, and has at most one report a second", () =>
    Effect.gen(function* () {
      const { progress, sent } = create()
      const call = Effect.gen(function* () {
        for (let done = 1; done <= 30; done++) {
          yield* progress.report(done, 100, "read")
          yield* Effect.sleep("100 millis")
        }
        yield* progress.report(5, 100, "less")
        yield* Effect.sleep("5 seconds")
      })
      const fiber = yield* Effect.forkChild(progress.during(call, wait))
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(
        sent.map(({ progress }) => progress),
        [1, 10, 20, 30, 30.001, 30.002, 30.003, 30.004, 30.005].slice(0, sent.length)
      )
      assert.deepStrictEqual(new Set(sent.map(({ total }) => total)), new Set([100]))
    })
  )

  it.effect("ends with the call", () =>
    Effect.gen(function* () {
      const { progress, sent } = create()
      yield* progress.during(Effect.void, wait)
      yield* progress.report(1, undefined, "late")
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(sent, [])
    })
  )

  it.effect("is not sent without a progress token", () =>
    Effect.gen(function* () {
      const { progress, sent } = create({})
      const fiber = yield* Effect.forkChild(progress.during(Effect.sleep("5 seconds"), wait))
      yield* progress.report(1, undefined, "unasked")
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(sent, [])
    })
  )

  it.effect("does not keep a call from ending if the client reads nothing", () =>
    Effect.gen(function* () {
      const stuck = Progress.make(
        McpSchema.McpRequestContext.of({
          clientId: 0,
          protocolVersion: "2025-11-25",
          clientCapabilities: new McpSchema.ClientCapabilities({}),
          requestMetadata: { progressToken: 1 }
        }),
        () => Effect.never
      )
      const fiber = yield* Effect.forkChild(stuck.during(Effect.sleep("1500 millis"), wait))
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(fiber)
    })
  )
})
