/** A token that another program prints, as `gh auth token` does. */
import { execFile } from "node:child_process"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Terminal from "@tongs/core/text/Terminal"
import { ConnectionError } from "../ConnectionError.ts"

/** How long it may take, in milliseconds: it may have to ask somebody. */
const PATIENCE = 30_000

/** Bounds of what it may print (bytes), and of what is shown of its complaints (characters). */
const MAX_OUTPUT = 64 * 1024
const MAX_COMPLAINT = 500

/**
 * Runs the program, without a shell, and takes the first line of its output. Where it fails, what it said on stderr is in
 * the error; its output never is.
 */
export const run = (command: ReadonlyArray<string>): Effect.Effect<Redacted.Redacted<string>, ConnectionError> =>
  Effect.callback((resume) => {
    const [program = "", ...args] = command
    const child = execFile(
      program,
      args,
      { timeout: PATIENCE, maxBuffer: MAX_OUTPUT, windowsHide: true },
      (error, stdout, stderr) => {
        const token = stdout.split("\n", 1)[0]?.trim() ?? ""
        if (error !== null) resume(Effect.fail(failed(command, `${reason(error)}${complaint(stderr)}`)))
        else if (token === "") resume(Effect.fail(failed(command, `it printed nothing${complaint(stderr)}`)))
        else resume(Effect.succeed(Redacted.make(token)))
      }
    )
    child.stdin?.end()
    return Effect.sync(() => child.kill())
  })

const reason = (error: Error & { readonly code?: unknown; readonly killed?: boolean }) => {
  if (error.code === "ENOENT") return "there is no such program"
  if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return "it printed far more than a token"
  if (error.killed === true) return `it took longer than ${PATIENCE / 1000} seconds`
  return typeof error.code === "number" ? `it ended with ${error.code}` : `it failed (${String(error.code)})`
}

const complaint = (stderr: string) => {
  const said = Terminal.visible(stderr.trim(), { newlines: true }).slice(0, MAX_COMPLAINT)
  return said === "" ? "" : `, and said: ${said}`
}

const failed = (command: ReadonlyArray<string>, detail: string) =>
  new ConnectionError({
    reason: "NotSignedIn",
    detail: `\`${command.join(" ")}\`, which the profile names as its tokenCommand, gave no token: ${detail}`,
    hint: "Run it yourself to see why, or change `tokenCommand` in the config file"
  })
