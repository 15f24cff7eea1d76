import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { PassThrough } from "node:stream"
import { vi } from "vitest"
import * as TerminalInput from "./TerminalInput.ts"

class Source extends PassThrough {
  readonly modes: Array<boolean> = []

  setRawMode(mode: boolean) {
    this.modes.push(mode)
  }
}

/** Starts reading. Collects the events that the listener receives. */
const start = Effect.fnUntraced(function* () {
  const source = new Source()
  const input = yield* TerminalInput.acquire(source)
  const seen: Array<string> = []
  const listen = () => input.listen((event) => seen.push(event._tag === "Key" ? event.name : event._tag))
  const until = (...expected: ReadonlyArray<string>) =>
    Effect.promise(() => vi.waitFor(() => assert.deepStrictEqual(seen, expected)))
  return { source, input, listen, until, seen }
})

describe("TerminalInput", () => {
  it.live("gets keys that were typed before something listens, and characters that are cut between reads", () =>
    Effect.gen(function* () {
      const { listen, source, until } = yield* start()
      source.write("a")
      const [first, second] = [Buffer.from("日").subarray(0, 1), Buffer.from("日").subarray(1)]
      source.write(first)
      source.write(second)
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      listen()
      yield* until("a", "日")
    }).pipe(Effect.scoped)
  )

  it.live("reports a lone Escape without another key", () =>
    Effect.gen(function* () {
      const { listen, source, until } = yield* start()
      listen()
      source.write("\u001b")
      yield* until("escape")
    }).pipe(Effect.scoped)
  )

  it.live("asks for the background color, and keeps keys from before the reply", () =>
    Effect.gen(function* () {
      const { input, listen, source, until } = yield* start()
      const sent: Array<string> = []
      const color = yield* Effect.forkChild(
        input.background((query) => sent.push(query)),
        { startImmediately: true }
      )
      assert.deepStrictEqual(sent, ["\u001b]11;?\u001b\\\u001b[c"])
      source.write("j\u001b]11;rgb:1e1e/2020/ffff\u001b\\")
      assert.deepStrictEqual(yield* Fiber.join(color), [30, 32, 255])
      // The second reply comes late.
      source.write("\u001b[?62;4ck")
      listen()
      yield* until("j", "k")
    }).pipe(Effect.scoped)
  )

  it.live("does not wait for the color if the terminal answers only the second query, or nothing", () =>
    Effect.gen(function* () {
      const { input, source } = yield* start()
      const color = yield* Effect.forkChild(input.background(() => source.write("\u001b[?1;2c")))
      assert.isUndefined(yield* Fiber.join(color))
      assert.isUndefined(yield* input.background(() => {}))
    }).pipe(Effect.scoped)
  )

  it.live("leaves and enters raw mode around another program", () =>
    Effect.gen(function* () {
      const source = new Source()
      yield* Effect.gen(function* () {
        const input = yield* TerminalInput.acquire(source)
        input.stop()
        input.start()
      }).pipe(Effect.scoped)
      assert.deepStrictEqual(source.modes, [true, false, true, false])
      assert.strictEqual(source.listenerCount("data"), 0)
    })
  )
})
