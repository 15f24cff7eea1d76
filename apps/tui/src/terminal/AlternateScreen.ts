/**
 * The terminal's alternate screen, for full-screen programs.
 *
 * **Details**
 *
 * One synchronous write restores the terminal: when the Effect scope closes, when the process exits, or before Node
 * prints an uncaught error, so that the error appears on the main screen. Later drawing is discarded. Other writes to
 * stdout and stderr would corrupt the screen: they are buffered until the terminal is restored.
 */
import * as Fs from "node:fs"
import { Writable } from "node:stream"
import type { WriteStream } from "node:tty"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** A terminal for a full-screen program. */
export interface Screen {
  /** The stream to draw on. Discards writes after the terminal is restored. */
  readonly stdout: NodeJS.WritableStream & { readonly columns: number; readonly rows: number }
  readonly stdin: NodeJS.ReadableStream
  /**
   * Restores the terminal and suspends the process group, as Ctrl-Z does. Resolves after `fg` in the shell, with the
   * alternate screen entered again and empty.
   */
  readonly pause: () => Promise<void>
  /** Completes with the signal when the process receives a termination signal. */
  readonly exitSignal: Effect.Effect<NodeJS.Signals>
}

/**
 * Enters the alternate screen, hides the cursor, and disables wrapping, as terminals differ in the width of characters.
 */
const ENTER = "\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[H\u001b[2J"

/** Resets text attributes, bracketed paste, synchronized output, wrapping and the cursor; then leaves the screen. */
const LEAVE = "\u001b[0m\u001b[?2004l\u001b[?2026l\u001b[?7h\u001b[?25h\u001b[?1049l"

/** Milliseconds to wait for the suspension. Without job control the process is never suspended. */
const SUSPEND_TIMEOUT = 200

/** Maximum number of characters of other writes to buffer. The rest is lost. */
const MAX_BUFFERED = 65_536

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const // literal types

/** Enters the alternate screen of the process's terminal until the Effect scope closes. */
export const acquire: Effect.Effect<Screen, never, Scope.Scope> = Effect.gen(function* () {
  const ended = yield* Deferred.make<NodeJS.Signals>()
  const lease = yield* Effect.acquireRelease(
    Effect.sync(() => new ScreenLease((signal) => Deferred.doneUnsafe(ended, Effect.succeed(signal)))),
    (lease) => Effect.sync(() => lease.release())
  )
  return { stdout: lease.output, stdin: process.stdin, pause: lease.pause, exitSignal: Deferred.await(ended) }
})

class ScreenLease {
  readonly output: Output
  readonly #onSignal: (signal: NodeJS.Signals) => void
  readonly #restoreStreams: ReadonlyArray<() => void>
  #isHeld = true

  constructor(onSignal: (signal: NodeJS.Signals) => void) {
    this.#onSignal = onSignal
    this.output = new Output(process.stdout)
    this.#restoreStreams = [buffer(process.stdout, STDOUT), buffer(process.stderr, STDERR)]
    process.on("exit", this.release)
    process.on("uncaughtExceptionMonitor", this.release)
    for (const signal of signals) process.on(signal, onSignal)
    writeSync(STDOUT, ENTER)
  }

  readonly pause = (): Promise<void> =>
    new Promise((resolve) => {
      const resume = () => {
        clearTimeout(timer)
        process.off("SIGCONT", resume)
        if (this.#isHeld) writeSync(STDOUT, ENTER)
        resolve()
      }
      writeSync(STDOUT, LEAVE)
      process.on("SIGCONT", resume)
      const timer = setTimeout(resume, SUSPEND_TIMEOUT)
      // Suspends the whole process group, as the terminal does. Windows has no job control.
      if (process.platform !== "win32") process.kill(0, "SIGTSTP")
    })

  readonly release = (): void => {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.output.close()
    process.off("exit", this.release)
    process.off("uncaughtExceptionMonitor", this.release)
    for (const signal of signals) process.off(signal, this.#onSignal)
    if (process.stdin.isTTY) process.stdin.setRawMode(false)
    writeSync(STDOUT, LEAVE)
    for (const restore of this.#restoreStreams) restore()
  }
}

/** A stream that writes to the terminal until the stream is closed. Has the terminal's size, and emits `resize`. */
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

/** Redirects writes to `stream` into a buffer. Returns a function that restores the stream and writes the buffer. */
const buffer = (stream: NodeJS.WriteStream, fd: number): (() => void) => {
  const write = stream.write.bind(stream)
  let buffered = ""
  stream.write = (chunk: string | Uint8Array, encoding?: unknown, done?: unknown): boolean => {
    if (buffered.length < MAX_BUFFERED) buffered += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk)
    const callback = typeof encoding === "function" ? encoding : done
    if (typeof callback === "function") callback()
    return true
  }
  return () => {
    stream.write = write
    if (buffered !== "") writeSync(fd, buffered)
  }
}

/**
 * Writes text synchronously. Retries while the terminal is busy. Ignores other errors, such as of a closed terminal.
 */
const writeSync = (fd: number, text: string): void => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
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
const MAX_ATTEMPTS = 1_000
