/** A token that another program prints, as `gh auth token` does. */
import { execFile } from "node:child_process"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ConnectionError } from "../base/ConnectionError.ts"

/** How long it may take, in milliseconds: it may have to ask somebody. After a while the person is told what is waited for. */
const PATIENCE = 30_000
const WHILE = 3_000

/** What it may print, in bytes. */
const MAX_OUTPUT = 64 * 1024

/** What people are told of it: its arguments may hold a secret. */
export const describe = ([program = ""]: ReadonlyArray<string>): string => `the tokenCommand \`${program}\``

/**
 * Runs the program, without a shell, and takes the first line of its output that has something in it. Where it fails, what
 * it said is in no error, since nobody knows what is in that.
 */
export const run = (command: ReadonlyArray<string>): Effect.Effect<Redacted.Redacted<string>, ConnectionError> =>
  Effect.raceFirst(
    print(command),
    Effect.sleep(WHILE).pipe(
      Effect.andThen(Effect.logWarning(`Waiting for ${describe(command)} to print a token`)),
      Effect.andThen(Effect.never)
    )
  )

const print = (command: ReadonlyArray<string>): Effect.Effect<Redacted.Redacted<string>, ConnectionError> =>
  Effect.callback((resume) => {
    const [program = "", ...args] = command
    const options = { timeout: PATIENCE, maxBuffer: MAX_OUTPUT, windowsHide: true }
    const child = execFile(program, args, options, (error, stdout) => {
      const token = stdout.trim().split("\n", 1)[0]?.trim() ?? ""
      if (error !== null) resume(Effect.fail(failed(command, reason(error))))
      else if (token === "") resume(Effect.fail(failed(command, "it printed nothing")))
      else resume(Effect.succeed(Redacted.make(token)))
    })
    child.stdin?.end()
    return Effect.sync(() => child.kill())
  })

const reason = (error: Error & { readonly code?: unknown; readonly killed?: boolean }) => {
  if (error.code === "ENOENT") return "there is no such program"
  if (error.code === "EACCES") return "that is no program that you may run"
  if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return "it printed far more than a token"
  if (error.killed === true) return `it took longer than ${PATIENCE / 1000} seconds`
  return typeof error.code === "number" ? `it ended with ${error.code}` : `it failed (${String(error.code)})`
}

const failed = (command: ReadonlyArray<string>, detail: string) =>
  new ConnectionError({
    reason: "NotSignedIn",
    detail: `There is no token from ${describe(command)}: ${detail}`,
    hint: "Run it yourself to see why, or change `tokenCommand` in the config file"
  })
