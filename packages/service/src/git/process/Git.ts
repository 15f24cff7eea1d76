import type { ChildProcessWithoutNullStreams } from "node:child_process"
import { availableParallelism } from "node:os"
import type { Readable } from "node:stream"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as OpenFiles from "../../base/OpenFiles.ts"
import { Durability } from "../../storage/Durability.ts"
import { ProcessLimiter } from "./ProcessLimiter.ts"
import * as GitCommand from "./GitCommand.ts"
import { type GitError, gitError, unavailable } from "../values/GitError.ts"
import * as GitExchange from "./GitExchange.ts"
import { type ProcessExit, GitProcess } from "./GitProcess.ts"
import * as GitStream from "./GitStream.ts"
import * as GitTransfer from "./GitTransfer.ts"

/** Options of a git command with streamed output. */
export interface StreamOptions extends GitCommand.CommandOptions {
  readonly input?: string | Uint8Array
  /** Exit codes besides 0 that are not a failure. */
  readonly acceptedExitCodes?: ReadonlyArray<number>
}

/** Options of a git command that runs to its end. */
export interface RunOptions extends StreamOptions {
  /** Receives each chunk of output instead of collecting it. Returning `false` ends the command. */
  readonly onOutput?: (chunk: Buffer) => boolean
}

/** Options of a git command with streamed input and output. */
export interface ExchangeOptions extends GitCommand.CommandOptions {
  readonly input: GitExchange.Input
  /** Time limits that replace the limits of `stream`. */
  readonly deadlines?: Partial<GitStream.Deadlines>
}

/** Options of a git command whose CPU time can be limited. */
export interface LimitedExchangeOptions extends ExchangeOptions {
  /** Stops the command with `CpuTimeExceeded`. */
  readonly cpuLimit?: GitExchange.CpuLimit
}

/** Result of a git command. `stdout` is empty with `onOutput`. */
export interface Output {
  readonly exitCode: number
  readonly stdout: Buffer
}

/**
 * The `git` command.
 *
 * **Details**
 *
 * Git runs isolated: without system and user configuration, inherited `GIT_*` variables, hooks, prompts, optional
 * locks, and fetches of missing objects in a partial clone. Writes are flushed to disk before a command returns.
 *
 * A command fails with `TimedOut` after the deadline, and with `Unavailable` if it cannot start in time. A read-only
 * command that was killed from outside is retried once.
 */
export class Git extends Context.Service<
  Git,
  {
    /** Runs a command to the end. Interruption kills the command. */
    run(args: ReadonlyArray<string>, options?: RunOptions): Effect.Effect<Output, GitError>
    /**
     * Standard output with back-pressure. Progress extends the deadline, so a slow consumer can read for up to an hour.
     */
    stream(args: ReadonlyArray<string>, options?: StreamOptions): Stream.Stream<Uint8Array, GitError>
    /**
     * Starts a command with streamed input, waits for the first output or the end, and gives standard output with
     * back-pressure. The scope stops the command and waits for the exit. The caller limits the number of running
     * commands.
     */
    exchange(
      args: ReadonlyArray<string>,
      options: LimitedExchangeOptions
    ): Effect.Effect<Stream.Stream<Uint8Array, GitError>, GitError, Scope.Scope>
    /**
     * Like `exchange`, but with standard output as a Node stream, for large output. `onFailure` receives an error that
     * occurs after the first output.
     */
    transfer(
      args: ReadonlyArray<string>,
      options: ExchangeOptions,
      onFailure: (error: GitError) => void
    ): Effect.Effect<Readable, GitError, Scope.Scope>
    /** Starts a long-lived command. The caller ends it. */
    start(args: ReadonlyArray<string>, gitDir: string): ChildProcessWithoutNullStreams
    /** The values of `safe.directory` in system and user configuration, in order. */
    readonly safeDirectories: Effect.Effect<ReadonlyArray<string>, GitError>
    /** The version, read once. Fails with `GitMissing` if git is absent or older than 2.37. */
    readonly version: Effect.Effect<string, GitError>
  }
>()("@tongs/service/git/process/Git") {
  static readonly layer = Layer.effect(
    Git,
    Effect.suspend(() => make("git", defaultLimits))
  )
  /** With another executable than the `git` on `PATH`, and with other limits. */
  static readonly layerWith = (executable: string, limits: Partial<GitLimits> = {}) =>
    Layer.effect(
      Git,
      Effect.suspend(() => make(executable, { ...defaultLimits, ...limits }))
    )
}

/** Time limits of git commands, in milliseconds. */
export interface GitLimits extends GitStream.Deadlines {
  /** Maximum run time of a command. */
  readonly deadlineMillis: number
  /** Maximum time of a command including the wait for a free slot. */
  readonly waitMillis: number
  /** Run time after which a command is slow and no longer counts towards the concurrency limits. */
  readonly slowAfterMillis: number
  /** Milliseconds for which a repository rejects a command after a missed deadline. */
  readonly pauseMillis: number
}

const defaultLimits: GitLimits = {
  deadlineMillis: 30_000,
  waitMillis: 60_000,
  slowAfterMillis: 500,
  pauseMillis: 60_000,
  silenceMillis: 30_000,
  stallMillis: 5 * 60_000,
  totalMillis: 60 * 60_000
}

/** Maximum concurrent git commands, over all repositories and per repository. Further commands wait. */
const maxConcurrent = OpenFiles.processesWithin(Math.max(8, 2 * availableParallelism()))
const maxPerRepository = OpenFiles.processesWithin(Math.max(4, availableParallelism()))

/** Maximum slow commands, which run in addition to `maxConcurrent`. */
const maxSlow = OpenFiles.processesWithin(64)

/** Maximum concurrent streams over all repositories. Further streams fail with `Unavailable`. */
const maxStreams = OpenFiles.processesWithin(64)

/** Maximum bytes of collected output per command. */
const MAX_OUTPUT = 256 * 1024 * 1024

/** Maximum restarts of a command that found no free file descriptor. */
const SHORTAGE_RETRIES = 10
const shortageInterval = Duration.millis(100)

/** How long the values of `safe.directory` are cached: enough to adopt the repositories of one folder. */
const safeDirectoriesTimeToLive = Duration.seconds(1)

const protectedScopes: ReadonlySet<string | undefined> = new Set(["system", "global", "command"])

/** Commands that are retried after being killed from outside. */
const readOnlyCommands: ReadonlySet<string | undefined> = new Set(
  "--version blame cat-file check-ignore config diff diff-index diff-tree for-each-ref log ls-files ls-tree merge-base rev-list".split(
    " "
  )
)

const stopAndWait = (git: GitProcess, end: ProcessExit) =>
  Effect.callback<void>((resume) => {
    git.whenEnded(() => resume(Effect.void))
    git.stop(end)
  })

const closingError = unavailable("the forge is closing")

const make = Effect.fnUntraced(function* (executable: string, limits: GitLimits) {
  const env = GitCommand.isolatedEnvironment()
  const admission = new ProcessLimiter({
    total: maxConcurrent,
    perRepository: maxPerRepository,
    slow: maxSlow,
    slowAfterMillis: limits.slowAfterMillis,
    pauseMillis: limits.pauseMillis
  })
  const streams = yield* Semaphore.make(maxStreams)
  const running = new Set<GitProcess>()
  let isClosing = false
  // Stops all remaining commands: a command can outlive a caller (`ReadDeadline.withDeadline`), and a command blocked
  // on a pipe never ends alone.
  yield* Effect.addFinalizer(() => {
    isClosing = true
    const end = { error: closingError }
    return Effect.forEach(running, (git) => stopAndWait(git, end), { concurrency: "unbounded", discard: true })
  })

  const settings = (yield* Durability) ? [] : ["core.fsync=none"]
  const start = (args: ReadonlyArray<string>, options: GitCommand.CommandOptions) =>
    GitCommand.start(executable, env, args, { ...options, settings: [...settings, ...(options.settings ?? [])] })

  const runNow = (args: ReadonlyArray<string>, options: RunOptions, command: string, gitDir: string) =>
    Effect.callback<Output, GitError>((resume) => {
      if (isClosing) return resume(Effect.fail(closingError))
      const chunks: Array<Buffer> = []
      let size = 0
      const description = { executable, args, gitDir: options.gitDir, acceptedExitCodes: options.acceptedExitCodes }
      const git = new GitProcess(start(args, options), description, (end) => {
        running.delete(git)
        resume(
          "error" in end
            ? Effect.fail(end.error)
            : Effect.succeed({ exitCode: end.exitCode, stdout: Buffer.concat(chunks) })
        )
      })
      running.add(git)
      git.expire(limits.deadlineMillis, () => admission.pause(gitDir, command))
      git.child.stdout.on("data", (chunk: Buffer) => {
        if (options.onOutput !== undefined) {
          if (!options.onOutput(chunk)) git.stop({ exitCode: 0 })
          return
        }
        size += chunk.length
        if (size <= MAX_OUTPUT) return void chunks.push(chunk)
        const subject = `the output of git ${command}`
        git.stop({ error: gitError({ _tag: "TooLarge", subject, size, limit: MAX_OUTPUT }) })
      })
      git.child.stdin.end(options.input)
      return stopAndWait(git, { exitCode: 0 })
    })

  const run = (args: ReadonlyArray<string>, options: RunOptions = {}) => {
    const [command = ""] = args
    const { gitDir = "" } = options
    if (args.some((arg) => arg.includes("\0"))) return Effect.fail(nulCharacter)
    let hasOutput = false
    const { onOutput } = options
    const watchedOptions =
      onOutput === undefined
        ? options
        : {
            ...options,
            onOutput: (chunk: Buffer) => {
              hasOutput = true
              return onOutput(chunk)
            }
          }
    // During a shortage of file descriptors, idle processes and connections end within milliseconds.
    const attempt = Effect.retry(admission.run(gitDir, command, runNow(args, watchedOptions, command, gitDir)), {
      while: ({ reason }) => reason._tag === "Unavailable" && OpenFiles.isShortage(reason.detail),
      schedule: Schedule.spaced(shortageInterval),
      times: SHORTAGE_RETRIES
    })
    const mayRepeat = ({ reason }: GitError) =>
      reason._tag === "CommandFailed" && reason.exitCode === null && readOnlyCommands.has(command) && !hasOutput
    return Effect.timeoutOrElse(
      Effect.catchIf(attempt, mayRepeat, () => attempt),
      {
        duration: limits.waitMillis,
        orElse: () => Effect.fail(unavailable(`git ${command} waited too long for other git commands`))
      }
    )
  }

  const stream = (args: ReadonlyArray<string>, options: StreamOptions = {}) => {
    if (args.some((arg) => arg.includes("\0"))) return Stream.fail(nulCharacter)
    const description = { executable, args, gitDir: options.gitDir, acceptedExitCodes: options.acceptedExitCodes }
    const permit = Effect.acquireRelease(streams.takeIfAvailable(1), (taken) =>
      taken ? streams.release(1) : Effect.void
    )
    return Stream.unwrap(
      Effect.map(permit, (taken) =>
        taken
          ? GitStream.make(() => start(args, options), description, options.input, limits)
          : Stream.fail(unavailable(`${maxStreams} streams of git objects are open already`))
      )
    )
  }

  const exchange = (
    args: ReadonlyArray<string>,
    { cpuLimit, deadlines, input, ...options }: LimitedExchangeOptions
  ) => {
    if (args.some((arg) => arg.includes("\0"))) return Effect.fail(nulCharacter)
    const description = { executable, args, gitDir: options.gitDir }
    return GitExchange.open(() => start(args, options), description, input, { ...limits, ...deadlines }, cpuLimit)
  }

  const transfer = (
    args: ReadonlyArray<string>,
    { deadlines, input, ...options }: ExchangeOptions,
    onFailure: (error: GitError) => void
  ) => {
    if (args.some((arg) => arg.includes("\0"))) return Effect.fail(nulCharacter)
    const description = { executable, args, gitDir: options.gitDir }
    return GitTransfer.open(() => start(args, options), description, input, { ...limits, ...deadlines }, onFailure)
  }

  const version = yield* Effect.cached(
    Effect.flatMap(run(["--version"]), ({ stdout }) => {
      const text = stdout.toString().trim()
      const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? []
      return Number(major) * 1000 + Number(minor) >= 2037
        ? Effect.succeed(text.replace(/^git version /, ""))
        : Effect.fail(
            gitError({ _tag: "GitMissing", detail: `Found ${text}, but git 2.37 or newer is required. Update git.` })
          )
    })
  )

  const safeDirectories = Effect.map(
    run(["config", "--show-scope", "--null", "--get-all", "safe.directory"], {
      useUserConfig: true,
      acceptedExitCodes: [1]
    }),
    ({ stdout }) => {
      const parts = stdout.toString().split("\0").slice(0, -1)
      // Scopes and values alternate. A repository cannot declare itself safe.
      return parts.filter((_, at) => at % 2 === 1 && protectedScopes.has(parts[at - 1]))
    }
  )

  return Git.of({
    safeDirectories: yield* Effect.cachedWithTTL(safeDirectories, safeDirectoriesTimeToLive),
    run,
    stream,
    exchange,
    transfer,
    version,
    start: (args, gitDir) => start(args, { gitDir })
  })
})

const nulCharacter = gitError({ _tag: "InvalidName", name: "", detail: "it contains a NUL character" })
