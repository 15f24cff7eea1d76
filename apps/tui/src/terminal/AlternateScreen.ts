/**
 * The terminal, held for a full screen program: the alternate screen, and back again whatever happens.
 *
 * **Details**
 *
 * It is given back when the scope closes, when the process exits, and before Node prints an error that nobody caught:
 * so that the error is read on the screen that stays. Giving it back is done once, in one synchronous write; after
 * that, what is still drawn goes nowhere. What other parts of the program write meanwhile would spoil the screen: it is
 * kept, and written once the terminal is given back.
 */
import * as Fs from "node:fs"
import { Writable } from "node:stream"
import type { WriteStream } from "node:tty"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export interface Screen {
  /** Where to draw: the terminal while it is held. */
  readonly stdout: NodeJS.WritableStream & { readonly columns: number; readonly rows: number }
  readonly stdin: NodeJS.ReadableStream
  /**
   * Gives the terminal back and stops, as Ctrl-Z does elsewhere; ends when the shell's `fg` lets the program go on, with
   * the terminal taken again, and empty.
   */
  readonly pause: () => Promise<void>
  /** Completes with the signal that asks the process to end. */
  readonly exitSignal: Effect.Effect<NodeJS.Signals>
}

/** The other screen, without the cursor, and without wrapping lines that the terminal holds for wider than we do. */
const ENTER = "\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[H\u001b[2J"

/** Text attributes, bracketed paste, synchronised output, wrapping and the cursor by default; then the first screen. */
const LEAVE = "\u001b[0m\u001b[?2004l\u001b[?2026l\u001b[?7h\u001b[?25h\u001b[?1049l"

/** Milliseconds after which a program goes on that nobody stopped: no shell started it. */
const UNSTOPPED = 200

/** Characters of what others write that are kept; what is beyond is lost. */
const MAX_KEPT = 65_536

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const // the names must stay literals

/** Takes the terminal of the process for as long as the scope is open. */
export const acquire: Effect.Effect<Screen, never, Scope.Scope> = Effect.gen(function* () {
  const ended = yield* Deferred.make<NodeJS.Signals>()
  const held = yield* Effect.acquireRelease(
    Effect.sync(() => new ScreenLease((signal) => Deferred.doneUnsafe(ended, Effect.succeed(signal)))),
    (held) => Effect.sync(() => held.leave())
  )
  return { stdout: held.output, stdin: process.stdin, pause: held.pause, exitSignal: Deferred.await(ended) }
})

class ScreenLease {
  readonly output: Output
  readonly #onSignal: (signal: NodeJS.Signals) => void
  readonly #giveBack: ReadonlyArray<() => void>
  #isHeld = true

  constructor(onSignal: (signal: NodeJS.Signals) => void) {
    this.#onSignal = onSignal
    this.output = new Output(process.stdout)
    this.#giveBack = [keep(process.stdout, STDOUT), keep(process.stderr, STDERR)]
    process.on("exit", this.leave)
    process.on("uncaughtExceptionMonitor", this.leave)
    for (const signal of signals) process.on(signal, onSignal)
    writeNow(STDOUT, ENTER)
  }

  readonly pause = (): Promise<void> =>
    new Promise((resolve) => {
      const goOn = () => {
        clearTimeout(timer)
        process.off("SIGCONT", goOn)
        if (this.#isHeld) writeNow(STDOUT, ENTER)
        resolve()
      }
      writeNow(STDOUT, LEAVE)
      process.on("SIGCONT", goOn)
      const timer = setTimeout(goOn, UNSTOPPED)
      // Every process that the shell started with it, as the terminal itself would; there is no such thing on Windows.
      if (process.platform !== "win32") process.kill(0, "SIGTSTP")
    })

  readonly leave = (): void => {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.output.close()
    process.off("exit", this.leave)
    process.off("uncaughtExceptionMonitor", this.leave)
    for (const signal of signals) process.off(signal, this.#onSignal)
    if (process.stdin.isTTY) process.stdin.setRawMode(false)
    writeNow(STDOUT, LEAVE)
    for (const giveBack of this.#giveBack) giveBack()
  }
}

/** The terminal's output as long as it is held; nothing after that. It has the terminal's size and tells of changes. */
class Output extends Writable {
  readonly isTTY = true
  readonly #terminal: WriteStream
  readonly #resized = () => this.emit("resize")
  #write: ((text: string) => void) | undefined

  constructor(terminal: WriteStream) {
    super({ decodeStrings: false })
    this.#terminal = terminal
    this.#write = terminal.write.bind(terminal)
    terminal.on("resize", this.#resized)
  }

  get columns(): number {
    return this.#terminal.columns
  }

  get rows(): number {
    return this.#terminal.rows
  }

  override _write(chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    this.#write?.(String(chunk))
    done()
  }

  close(): void {
    this.#write = undefined
    this.#terminal.off("resize", this.#resized)
  }
}

/** Keeps what is written to the stream, until the function that it gives is called: that writes it. */
const keep = (stream: NodeJS.WriteStream, fd: number): (() => void) => {
  const write = stream.write.bind(stream)
  let kept = ""
  stream.write = (chunk: string | Uint8Array, encoding?: unknown, done?: unknown): boolean => {
    if (kept.length < MAX_KEPT) kept += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk)
    const callback = typeof encoding === "function" ? encoding : done
    if (typeof callback === "function") callback()
    return true
  }
  return () => {
    stream.write = write
    if (kept !== "") writeNow(fd, kept)
  }
}

/** A terminal may be slow to take what is written; one that is gone takes nothing. */
const writeNow = (fd: number, text: string): void => {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      Fs.writeSync(fd, text)
      return
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) return
    }
  }
}

const STDOUT = 1
const STDERR = 2
const MAX_TRIES = 1_000
