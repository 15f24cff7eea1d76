import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { EventEmitter } from "node:events"
import { PassThrough } from "node:stream"
import { vi } from "vitest"
import { TIMEOUT } from "./ModelDriver.test-support.ts"
import * as FakeForge from "./FakeForge.test-support.ts"
import * as Emulator from "./terminal/Emulator.test-support.ts"
import * as TerminalInput from "./terminal/TerminalInput.ts"
import * as Theme from "./views/Theme.ts"
import * as Tui from "./Tui.ts"

/** A fake terminal for output. */
class Terminal extends EventEmitter {
  readonly columns = 80
  readonly rows = 24
  /** The text on the screen. */
  screen = ""
  readonly #emulator = Emulator.make(this.columns, this.rows)

  readonly write = (text: string): boolean => {
    this.#emulator.write(text)
    this.screen = this.#emulator.text()
    this.emit("written")
    return true
  }

  /** Waits until the text is on the screen. */
  readonly until = (text: string | RegExp) =>
    Effect.callback<void>((resume) => {
      const check = () => {
        if (this.screen.search(text instanceof RegExp ? text : RegExp.escape(text)) >= 0) resume(Effect.void)
      }
      check()
      this.on("written", check)
      return Effect.sync(() => this.off("written", check))
    }).pipe(
      Effect.timeoutOrElse({
        duration: TIMEOUT,
        orElse: () => Effect.die(`${String(text)} is not on the screen: ${this.screen}`)
      })
    )
}

class Keys extends PassThrough {
  readonly isTTY = true
  raw = false

  /** Waits until the raw mode changes. */
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
  const exited = yield* Effect.forkChild(
    Effect.scoped(
      Effect.gen(function* () {
        const input = yield* TerminalInput.acquire(stdin)
        const { exited } = yield* Tui.draw(
          { input, stdout, pause: () => Promise.resolve() },
          Theme.make({ depth: "256", isDark: true })
        )
        return yield* exited
      })
    )
  )
  return { stdout, stdin, exited }
})

describe("Tui", () => {
  it.live("draws every cell of the screen", () =>
    Effect.gen(function* () {
      const { exited, stdin, stdout } = yield* start()
      yield* stdout.until("quit")
      assert.notInclude(stdout.screen, Emulator.GARBAGE)
      yield* stdout.until("Commit number 0")
      yield* stdin.becomes(true)
      stdin.write("q")
      assert.strictEqual((yield* Fiber.join(exited))._tag, "Quit")
      yield* stdin.becomes(false)
    }).pipe(Effect.provide(FakeForge.layer()))
  )

  it.live("handles several keys in one read", () =>
    Effect.gen(function* () {
      const { exited, stdin, stdout } = yield* start()
      yield* stdout.until("1/251 commits")
      stdin.write("jj\r")
      yield* stdout.until("広い文字 と")
      yield* stdout.until("3 files changed")
      stdin.write("\u0003")
      assert.strictEqual((yield* Fiber.join(exited))._tag, "Interrupt")
    }).pipe(Effect.provide(FakeForge.layer()))
  )

  it.live("quits at the first q, and ignores later keys of the same read", () =>
    Effect.gen(function* () {
      const { exited, stdin, stdout } = yield* start()
      yield* stdout.until("1/251 commits")
      stdin.write("qjq\u001b[B")
      assert.strictEqual((yield* Fiber.join(exited))._tag, "Quit")
    }).pipe(Effect.provide(FakeForge.layer()))
  )

  it.live("dies if loading throws", () =>
    Effect.gen(function* () {
      const { exited, stdin } = yield* start()
      const exit = yield* Fiber.await(exited)
      assert.isTrue(Exit.hasDies(exit))
      assert.include(String(exit), "the forge is a teapot")
      yield* stdin.becomes(false)
    }).pipe(
      Effect.provide(
        FakeForge.layer({
          respond: () => {
            throw new Error("the forge is a teapot")
          }
        })
      )
    )
  )

  it.live("separates Escape from pasted text in the same read", () =>
    Effect.gen(function* () {
      const { exited, stdin, stdout } = yield* start()
      yield* stdout.until("1/251 commits")
      stdin.write("/")
      yield* stdout.until("filter:")
      stdin.write("\u001b\u001b[200~qqq\u001b[201~")
      yield* stdout.until("Nothing to paste into")
      stdin.write("\r")
      yield* stdout.until("3 files changed")
      stdin.write("\u001b\u001b[B")
      yield* stdout.until("2/251 commits")
      stdin.write("\u001b\u001b[B")
      yield* stdout.until("Your repositories")
      stdin.write("q")
      assert.strictEqual((yield* Fiber.join(exited))._tag, "Quit")
    }).pipe(Effect.provide(FakeForge.layer()))
  )

  it.live("shows the time that a slow response takes", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      yield* Effect.gen(function* () {
        const { exited, stdin, stdout } = yield* start()
        yield* stdout.until("Loading log")
        yield* stdout.until(/\d\.\d s/)
        yield* Deferred.succeed(gate, undefined)
        yield* stdout.until("1/251 commits")
        stdin.write("q")
        yield* Fiber.join(exited)
      }).pipe(Effect.provide(FakeForge.layer({ delay: (path) => (path.endsWith("/commits") ? gate : undefined) })))
    })
  )
})
