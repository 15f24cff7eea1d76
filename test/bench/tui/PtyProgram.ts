/** Runs a program in a pseudo-terminal with an emulated screen, and records the times and sizes of writes. */
import { spawn } from "@lydell/node-pty"
import Xterm from "@xterm/headless"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"

export interface Command {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly columns: number
  readonly rows: number
}

/** The output between a write and the next silence. Times are milliseconds since the write. */
export interface Output {
  readonly bytes: number
  /** Undefined without output. */
  readonly first: number | undefined
  readonly last: number | undefined
}

export interface PtyProgram {
  readonly pid: number
  /** Milliseconds since the start. */
  readonly age: () => number
  /** Bytes written since the start. */
  readonly written: () => number
  readonly screen: () => string
  /** Writes keys, then waits until the program is silent for `quiet` milliseconds. Waits at most `limit` milliseconds. */
  readonly press: (
    keys: string,
    quiet: number,
    limit?: number
  ) => Effect.Effect<Output, BenchmarkEnvironment.BenchmarkError>
  /**
   * Waits until the screen contains the text. Returns the milliseconds since the start at which the output arrived that
   * completes the text.
   */
  readonly waitFor: (text: string, limit: number) => Effect.Effect<number, BenchmarkEnvironment.BenchmarkError>
  /** Ends the program and waits for the exit. */
  readonly end: Effect.Effect<void>
}

/** The time that a program gets to exit after SIGTERM (milliseconds). */
const EXIT_TIMEOUT = 3_000

/** Without any output for this time, a key has no effect (milliseconds). */
const REACTION_TIMEOUT = 1_000

/** Starts a program, which ends with the scope. */
export const start = (command: Command): Effect.Effect<PtyProgram, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => open(command)),
    ({ end }) => end
  )

const open = ({ args, columns, command, cwd, env, rows }: Command): PtyProgram => {
  const terminal = new Xterm.Terminal({ cols: columns, rows, scrollback: 0, allowProposedApi: true })
  const started = performance.now()
  const pty = spawn(command, [...args], { name: "xterm-256color", cols: columns, rows, cwd, env })
  let bytes = 0
  let exited = false
  /** The time of the last output that the screen contains. */
  let drawn = Number.NaN
  const listeners = new Set<(at: number) => void>()
  pty.onData((text) => {
    const at = performance.now()
    bytes += Buffer.byteLength(text)
    for (const listener of listeners) listener(at)
    terminal.write(text, () => (drawn = at))
  })
  const ended = new Promise<void>((resolve) =>
    pty.onExit(() => {
      exited = true
      resolve()
    })
  )
  // Answers queries like a terminal with a dark background.
  terminal.onData((answer) => pty.write(answer))
  for (const [code, color] of [
    [10, "rgb:d0d0/d0d0/d0d0"],
    [11, "rgb:1010/1010/1010"]
  ] as const)
    // pairs
    terminal.parser.registerOscHandler(code, (data) => {
      if (data === "?") pty.write(`\u001b]${code};${color}\u001b\\`)
      return true
    })

  const screen = () =>
    Array.from({ length: rows }, (_, row) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? "").join(
      "\n"
    )
  const fail = (detail: string) =>
    new BenchmarkEnvironment.BenchmarkError({ detail: `${command} ${detail}:\n${screen()}` })

  const press: PtyProgram["press"] = (keys, quiet, limit = 5_000) =>
    Effect.callback((resume) => {
      if (exited) return resume(Effect.fail(fail("has ended")))
      const before = bytes
      const since = performance.now()
      let first: number | undefined
      let last: number | undefined
      const settle = () => {
        stop()
        resume(Effect.succeed({ bytes: bytes - before, first, last }))
      }
      let timer = setTimeout(settle, REACTION_TIMEOUT)
      const deadline = setTimeout(settle, limit)
      const listener = (at: number) => {
        first ??= at - since
        last = at - since
        clearTimeout(timer)
        timer = setTimeout(settle, quiet)
      }
      const stop = () => {
        clearTimeout(timer)
        clearTimeout(deadline)
        listeners.delete(listener)
      }
      listeners.add(listener)
      pty.write(keys)
      return Effect.sync(stop)
    })

  const waitFor: PtyProgram["waitFor"] = (text, limit) =>
    Effect.callback((resume) => {
      const settle = (result: Effect.Effect<number, BenchmarkEnvironment.BenchmarkError>) => {
        stop()
        resume(result)
      }
      const check = () => {
        if (screen().includes(text)) settle(Effect.succeed(drawn - started))
        else if (exited) settle(Effect.fail(fail(`ended without ${text}`)))
      }
      const parsed = terminal.onWriteParsed(check)
      const deadline = setTimeout(() => settle(Effect.fail(fail(`did not show ${text} in ${limit} ms`))), limit)
      const stop = () => {
        parsed.dispose()
        clearTimeout(deadline)
      }
      void ended.then(check)
      check()
      return Effect.sync(stop)
    })

  const end = Effect.promise(async () => {
    if (!exited) pty.kill("SIGTERM")
    const timer = setTimeout(() => pty.kill("SIGKILL"), EXIT_TIMEOUT)
    await ended
    clearTimeout(timer)
    terminal.dispose()
  })

  return { pid: pty.pid, age: () => performance.now() - started, written: () => bytes, screen, press, waitFor, end }
}
