/** Gets a secret from the output of another program, for example an access token from `gh auth token`. */
import { execFile } from "node:child_process"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ConnectionError } from "../base/ConnectionError.ts"

/** Time limit of the program in milliseconds, because the program may ask the user for a password. */
const TIMEOUT = 30_000

/** Milliseconds after which a warning says that the program is still running. */
const NOTICE_DELAY = 3_000

/** Maximum number of bytes that the program may print. */
const MAX_OUTPUT = 64 * 1024

/** The setting that names a program, and what the program prints. */
interface CommandSetting {
  readonly field: string
  readonly secret: string
}

const tokenSetting: CommandSetting = { field: "tokenCommand", secret: "a token" }

/** Returns the program's name for messages. Omits the arguments, which may contain a secret. */
export const describe = ([program = ""]: ReadonlyArray<string>, { field } = tokenSetting): string =>
  `the ${field} \`${program}\``

/**
 * Runs the program without a shell and returns the first line of the trimmed output. Fails with `NotSignedIn`; the
 * error never quotes the output, which may contain a secret.
 */
export const run = (
  command: ReadonlyArray<string>,
  setting = tokenSetting
): Effect.Effect<Redacted.Redacted<string>, ConnectionError> =>
  Effect.raceFirst(
    print(command, setting),
    Effect.sleep(NOTICE_DELAY).pipe(
      Effect.andThen(Effect.logWarning(`Waiting for ${describe(command, setting)} to print ${setting.secret}`)),
      Effect.andThen(Effect.never)
    )
  )

const print = (
  command: ReadonlyArray<string>,
  setting: CommandSetting
): Effect.Effect<Redacted.Redacted<string>, ConnectionError> =>
  Effect.callback((resume) => {
    const failed = (detail: string) =>
      new ConnectionError({
        reason: "NotSignedIn",
        detail: `Cannot get ${setting.secret} from ${describe(command, setting)}: ${detail}`,
        hint: `Run the program to see why, or change \`${setting.field}\` in the config file`
      })
    const [program = "", ...args] = command
    const options = { timeout: TIMEOUT, maxBuffer: MAX_OUTPUT, windowsHide: true }
    const child = execFile(program, args, options, (error, stdout) => {
      const token = stdout.trim().split("\n", 1)[0]?.trim() ?? ""
      if (error !== null) resume(Effect.fail(failed(reason(error))))
      else if (token === "") resume(Effect.fail(failed("it printed nothing")))
      else resume(Effect.succeed(Redacted.make(token)))
    })
    child.stdin?.end()
    return Effect.sync(() => {
      // A process that could not be started has no id, and Node would signal an arbitrary process.
      if (child.pid !== undefined) child.kill()
    })
  })

const reason = (error: Error & { readonly code?: unknown; readonly killed?: boolean }) => {
  if (error.code === "ENOENT") return "no such program"
  if (error.code === "EACCES") return "permission denied"
  if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return `it printed more than ${MAX_OUTPUT / 1024} KiB`
  if (error.killed === true) return `it took longer than ${TIMEOUT / 1000} seconds`
  return typeof error.code === "number" ? `it exited with code ${error.code}` : `it failed (${String(error.code)})`
}
