import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { PassThrough, Writable } from "node:stream"
import { vi } from "vitest"
import { PATIENCE } from "./ModelDriver.test-support.ts"
import * as FakeForge from "./FakeForge.test-support.ts"
import * as Spinner from "./hooks/useSpinner.ts"
import * as Theme from "./views/Theme.ts"
import * as Tui from "./Tui.tsx"

/** What of a terminal a full screen program touches. */
class Terminal extends Writable {
  readonly isTTY = true
  readonly columns = 80
  readonly rows = 24
  written = ""

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.written += chunk.toString()
    this.emit("written")
    done()
  }

  /** Waits until the text has been written. */
  readonly until = (text: string | RegExp) =>
    Effect.callback<void>((resume) => {
      const look = () => {
        if (this.written.search(text instanceof RegExp ? text : RegExp.escape(text)) >= 0) resume(Effect.void)
      }
      look()
      this.on("written", look)
      return Effect.sync(() => this.off("written", look))
    }).pipe(
      Effect.timeoutOrElse({
        duration: PATIENCE,
        orElse: () => Effect.die(`${String(text)} never came: ${this.written}`)
      })
    )
}

class Keys extends PassThrough {
  readonly isTTY = true
  raw = false

  /** Ink turns this on and off in its own time. */
  readonly becomes = (raw: boolean) =>
    Effect.promise(() => vi.waitFor(() => assert.strictEqual(this.raw, raw), { timeout: 40_000 }))

  setRawMode(raw: boolean) {
    this.raw = raw
    return this
  }
  ref() {
    return this
  }
  unref() {
    return this
  }
}

const start = Effect.fnUntraced(function* () {
  const stdout = new Terminal()
  const stdin = new Keys()
  const left = yield* Effect.forkChild(
    Effect.scoped(
      Effect.flatMap(Tui.draw({ stdin, stdout, pause: () => Promise.resolve() }, Theme.colors256), ({ left }) => left)
    )
  )
  return { stdout, stdin, left }
})

describe("Tui", () => {
  it.live("draws as many lines as the terminal has, so that it does not scroll", () =>
    Effect.gen(function* () {
      const { left, stdin, stdout } = yield* start()
      yield* stdout.until("quit")
      const [frame = ""] = stdout.written.split("\u001b[?2026l")
      assert.strictEqual(frame.split("\n").length, stdout.rows)
      yield* stdout.until("Commit number 0")
      yield* stdin.becomes(true)
      stdin.write("q")
      assert.strictEqual(yield* Fiber.join(left), "quit")
      yield* stdin.becomes(false)
    }).pipe(Effect.provide(FakeForge.layer()))
  )

  it.live("takes keys that come in one read", () =>
    Effect.gen(function* () {
      const { left, stdin, stdout } = yield* start()
      yield* stdout.until("1/100+ commits")
      stdin.write("jj\r")
      yield* stdout.until("広い文字 と")
      yield* stdout.until("3 files changed")
      stdin.write("\u0003")
      assert.strictEqual(yield* Fiber.join(left), "interrupt")
    }).pipe(Effect.provide(FakeForge.layer()))
  )

  it.live("leaves at the first key that says so, whatever comes after it in one read", () =>
    Effect.gen(function* () {
      const { left, stdin, stdout } = yield* start()
      yield* stdout.until("1/100+ commits")
      stdin.write("qjq\u001b[B")
      assert.strictEqual(yield* Fiber.join(left), "quit")
    }).pipe(Effect.provide(FakeForge.layer()))
  )

  it.live("ends with the defect of what it draws", () =>
    Effect.gen(function* () {
      const { left, stdin } = yield* start()
      const exit = yield* Fiber.await(left)
      assert.isTrue(Exit.hasDies(exit))
      assert.include(String(exit), "the forge is a teapot")
      yield* stdin.becomes(false)
    }).pipe(
      Effect.provide(
        FakeForge.layer({
          answer: () => {
            throw new Error("the forge is a teapot")
          }
        })
      )
    )
  )

  it.live("knows Escape and pasted text that come in one read apart", () =>
    Effect.gen(function* () {
      const { left, stdin, stdout } = yield* start()
      yield* stdout.until("1/100+ commits")
      stdin.write("f")
      yield* stdout.until("filter:")
      stdin.write("\u001b\u001b[200~qqq\u001b[201~")
      yield* stdout.until("There is nothing to paste into here")
      stdin.write("\r")
      yield* stdout.until("3 files changed")
      stdin.write("\u001b\u001b[B\u001b\u001b[B")
      yield* stdout.until("2/4 repositories")
      stdin.write("q")
      assert.strictEqual(yield* Fiber.join(left), "quit")
    }).pipe(Effect.provide(FakeForge.layer()))
  )

  it.live("says how long a slow answer takes", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      yield* Effect.gen(function* () {
        const { left, stdin, stdout } = yield* start()
        yield* stdout.until("Reading log")
        yield* stdout.until(/\d\.\d s/)
        yield* Deferred.succeed(gate, undefined)
        yield* stdout.until("1/100+ commits")
        stdin.write("q")
        yield* Fiber.join(left)
      }).pipe(Effect.provide(FakeForge.layer({ held: (path) => (path.endsWith("/commits") ? gate : undefined) })))
    })
  )

  it("stays silent about a quick answer", () => {
    assert.strictEqual(Spinner.sign(1, 100), undefined)
    assert.notStrictEqual(Spinner.sign(2, 200), undefined)
  })
})
