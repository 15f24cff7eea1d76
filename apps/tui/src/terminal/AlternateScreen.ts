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
import { EventEmitter } from "node:events"
import type { WriteStream } from "node:tty"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as FrameOutput from "./FrameOutput.ts"
import * as TerminalInput from "./TerminalInput.ts"

/** A terminal for a full-screen program. */
export interface Screen {
  /** The terminal to draw on. Discards writes while and after the terminal is restored. */
  readonly stdout: FrameOutput.Terminal
  readonly input: TerminalInput.TerminalInput
  /** Restores the terminal, runs another program, and enters the alternate screen again. */
  readonly suspend: <A>(run: () => Promise<A>) => Promise<A>
  /** Restores the terminal and suspends the process group, as Ctrl-Z does. Resolves after `fg` in the shell. */
  readonly pause: () => Promise<void>
  /** Completes with the signal when the process receives a termination signal. */
  readonly exitSignal: Effect.Effect<NodeJS.Signals>
}

/** Options of the screen. */
export interface Options {
  /** True if the program handles mouse events. The terminal then selects text only with a modifier key. */
  readonly mouse: boolean
}

/**
 * Enters the alternate screen, hides the cursor, and disables wrapping, as terminals differ in the width of characters.
 * Enables bracketed paste.
 */
const ENTER = "\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[?2004h\u001b[0m\u001b[r\u001b[H\u001b[2J"

/** Enables reports of the wheel and of clicks, with coordinates as numbers. */
const ENABLE_MOUSE = "\u001b[?1000h\u001b[?1006h"

/**
 * Resets text attributes, the scroll region, mouse reports, bracketed paste, synchronized output, wrapping and the
 * cursor; then leaves the screen.
 */
const LEAVE = "\u001b[0m\u001b[r\u001b[?1006l\u001b[?1000l\u001b[?2004l\u001b[?2026l\u001b[?7h\u001b[?25h\u001b[?1049l"

/** Milliseconds to wait for the suspension. Without job control the process is never suspended. */
const SUSPEND_TIMEOUT = 200

/** Maximum number of characters of other writes to buffer. The rest is lost. */
const MAX_BUFFERED = 65_536

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const // literal types

/** Enters the alternate screen of the process's terminal until the Effect scope closes. */
export const acquire = Effect.fnUntraced(function* ({ mouse }: Options): Effect.fn.Return<Screen, never, Scope.Scope> {
  const ended = yield* Deferred.make<NodeJS.Signals>()
  const lease = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new ScreenLease(mouse ? ENTER + ENABLE_MOUSE : ENTER, (signal) =>
          Deferred.doneUnsafe(ended, Effect.succeed(signal))
        )
    ),
    (lease) => Effect.sync(() => lease.release())
  )
  const input = yield* TerminalInput.acquire(process.stdin)
  const suspend = async <A>(run: () => Promise<A>): Promise<A> => {
    input.stop()
    lease.leave()
    try {
      return await run()
    } finally {
      if (lease.isHeld) {
        input.start()
        lease.enter()
      }
    }
  }
  return { stdout: lease.output, input, suspend, pause: () => suspend(stopProcess), exitSignal: Deferred.await(ended) }
})

/** Suspends the whole process group, as the terminal does. Resolves after `fg`. Windows has no job control. */
export const stopProcess = (): Promise<void> =>
  new Promise((resolve) => {
    const resume = () => {
      clearTimeout(timer)
      process.off("SIGCONT", resume)
      resolve()
    }
    process.on("SIGCONT", resume)
    const timer = setTimeout(resume, SUSPEND_TIMEOUT)
    if (process.platform !== "win32") process.kill(0, "SIGTSTP")
  })

class ScreenLease {
  readonly output: Output
  readonly #enterSequence: string
  readonly #onSignal: (signal: NodeJS.Signals) => void
  readonly #restoreStreams: ReadonlyArray<() => void>
  isHeld = true
  #hasEntered = false

  constructor(enterSequence: string, onSignal: (signal: NodeJS.Signals) => void) {
    this.#enterSequence = enterSequence
    this.#onSignal = (signal) => {
      // Ctrl-C in another program that has the terminal is for that program only.
      if (signal !== "SIGINT" || this.#hasEntered) onSignal(signal)
    }
    this.output = new Output(process.stdout)
    this.#restoreStreams = [buffer(process.stdout, STDOUT), buffer(process.stderr, STDERR)]
    process.on("exit", this.release)
    process.on("uncaughtExceptionMonitor", this.release)
    process.on("SIGCONT", this.#continued)
    for (const signal of signals) process.on(signal, this.#onSignal)
    this.enter()
  }

  /** Enters the empty alternate screen. */
  enter(): void {
    if (!this.isHeld) return
    this.#hasEntered = true
    writeSync(STDOUT, this.#enterSequence)
    this.output.open()
  }

  /** Restores the terminal for another program. */
  leave(): void {
    this.#hasEntered = false
    this.output.close()
    writeSync(STDOUT, LEAVE)
  }

  /** The shell has changed the modes of the terminal if another process stopped this one. */
  readonly #continued = (): void => {
    if (!this.#hasEntered) return
    if (process.stdin.isTTY) process.stdin.setRawMode(false).setRawMode(true)
    this.enter()
  }

  readonly release = (): void => {
    if (!this.isHeld) return
    this.isHeld = false
    process.off("exit", this.release)
    process.off("uncaughtExceptionMonitor", this.release)
    process.off("SIGCONT", this.#continued)
    for (const signal of signals) process.off(signal, this.#onSignal)
    if (process.stdin.isTTY) process.stdin.setRawMode(false)
    this.output.detach()
    // Another program has the terminal, and restores the terminal at its end.
    if (this.#hasEntered) this.leave()
    for (const restore of this.#restoreStreams) restore()
  }
}

/**
 * The terminal's output. Discards writes while the output is closed. Emits `resize` when the screen must be drawn
 * again.
 */
class Output extends EventEmitter implements FrameOutput.Terminal {
  readonly #terminal: WriteStream
  readonly #write: (text: string) => boolean
  readonly #resized = () => this.emit("resize")
  readonly #drained = () => this.emit("drain")
  #isOpen = false

  constructor(terminal: WriteStream) {
    super()
    this.#terminal = terminal
    this.#write = terminal.write.bind(terminal)
    terminal.on("resize", this.#resized)
    terminal.on("drain", this.#drained)
  }

  get columns(): number {
    return this.#terminal.columns
  }

  get rows(): number {
    return this.#terminal.rows
  }

  readonly write = (text: string): boolean => (this.#isOpen ? this.#write(text) : true)

  open(): void {
    this.#isOpen = true
    this.emit("resize")
  }

  close(): void {
    this.#isOpen = false
  }

  detach(): void {
    this.#isOpen = false
    this.#terminal.off("resize", this.#resized)
    this.#terminal.off("drain", this.#drained)
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
 * Writes text synchronously. Retries while the terminal is busy. Ignores all other errors, for example of a closed
 * terminal.
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
