/** Starts programs, and measures the time to the first answer. */
import { type ChildProcess, spawn } from "node:child_process"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { BenchmarkError, cleanEnvironment, tongsPath } from "./BenchmarkEnvironment.ts"

export interface Command {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** The home folder: settings, caches and data. */
  readonly home: string
  readonly env?: NodeJS.ProcessEnv
}

/** Waits for an answer of a program. `onOutput` passes on all of stdout so far, with each chunk. */
export type AnswerCheck = (child: ChildProcess, onOutput: (listener: (stdout: string) => void) => void) => Promise<void>

/** The end of a measurement: exit code 0, or an answer. */
export type ReadyCheck = "exit" | AnswerCheck

/** Starts a program, waits for the check, and kills the program. Returns milliseconds. */
export const timeUntil = ({ args, command, env, home }: Command, until: ReadyCheck) =>
  Effect.tryPromise({
    try: async () => {
      const started = performance.now()
      const child = spawn(command, args, {
        cwd: home,
        env: { ...cleanEnvironment(home), ...env },
        stdio: ["pipe", "pipe", "pipe"]
      })
      const ended = new Promise<number | null>((resolve, reject) => child.once("error", reject).once("exit", resolve))
      let stdout = ""
      let stderr = ""
      let listener: (stdout: string) => void = () => {}
      child.stdout.setEncoding("utf8").on("data", (text: string) => listener((stdout += text)))
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
      const early = async () => {
        const code = await ended
        if (until !== "exit" || code !== 0) throw new Error(`exit code ${code}: ${stderr.trim()}`)
      }
      try {
        await Promise.race([early(), ...(until === "exit" ? [] : [until(child, (added) => (listener = added))])])
        return performance.now() - started
      } finally {
        child.kill("SIGKILL")
        await ended
      }
    },
    catch: (cause) => new BenchmarkError({ detail: `${command} ${args.join(" ")}: ${String(cause)}` })
  })

/** The first line of `tongs serve --json`. */
export const ServeInfo = Schema.Struct({ url: Schema.String, token: Schema.String, pid: Schema.Int })
export type ServeInfo = typeof ServeInfo.Type
export const decodeServeInfo = Schema.decodeUnknownSync(Schema.fromJsonString(ServeInfo))

export interface ServeOptions {
  readonly home: string
  readonly data: string
  /** Absent if the flags name fixtures. */
  readonly repos?: string
  readonly flags?: ReadonlyArray<string>
  readonly env?: NodeJS.ProcessEnv
}

export const serveArguments = ({
  data,
  flags = [],
  repos
}: Omit<ServeOptions, "env" | "home">): ReadonlyArray<string> => [
  tongsPath,
  "serve",
  "--json",
  "--port",
  "0",
  "--data",
  data,
  ...(repos === undefined ? [] : ["--repos", repos]),
  ...flags
]

/** Runs `tongs serve` until the scope closes. */
export const serve = ({ env, home, ...options }: ServeOptions) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, serveArguments(options), {
        cwd: home,
        env: { ...cleanEnvironment(home), ...env },
        stdio: ["ignore", "pipe", "inherit"]
      })
    ),
    (child) => Effect.sync(() => child.kill())
  ).pipe(
    Effect.flatMap((child) =>
      Effect.callback<ServeInfo, BenchmarkError>((resume) => {
        let stdout = ""
        child.stdout.setEncoding("utf8").on("data", (text: string) => {
          stdout += text
          const line = stdout.split("\n")
          if (line.length > 1) resume(Effect.sync(() => decodeServeInfo(line[0])))
        })
        child.once("exit", (code) =>
          resume(Effect.fail(new BenchmarkError({ detail: `tongs serve ended with ${code}` })))
        )
      })
    )
  )
