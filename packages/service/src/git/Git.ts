import type { ChildProcessWithoutNullStreams } from "node:child_process"
import { availableParallelism } from "node:os"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import * as GitCommand from "./GitCommand.ts"
import { commandFailed, type GitError, gitError } from "./GitError.ts"

/** Where and how one git command runs. */
export interface RunOptions extends GitCommand.Location {
  readonly input?: string | Uint8Array
  /** Exit codes that are an answer, not a failure. 0 always is. */
  readonly answers?: ReadonlyArray<number>
  /** Sees each piece of output as it comes; the pieces are then not collected. Returning `false` ends the command. */
  readonly onOutput?: (chunk: Buffer) => boolean
}

export interface Output {
  readonly exitCode: number
  readonly stdout: Buffer
}

/**
 * The `git` command.
 *
 * **Details**
 *
 * Git sees neither the settings of the machine and its users nor `GIT_*` of our own environment, runs no hook, asks
 * nothing, goes to no network for objects that a partial clone lacks, and takes no optional lock. What it writes is
 * flushed to disk before it answers.
 */
export class Git extends Context.Service<
  Git,
  {
    /** Runs a command to its end; killed when interrupted. */
    run(args: ReadonlyArray<string>, options?: RunOptions): Effect.Effect<Output, GitError>
    /** Starts a long-lived command. The caller ends it. */
    start(args: ReadonlyArray<string>, gitDir: string): ChildProcessWithoutNullStreams
    /** The version, checked once; `GitMissing` when git is absent or older than 2.36. */
    readonly version: Effect.Effect<string, GitError>
  }
>()("@tongs/service/git/Git") {
  static readonly layer = Layer.effect(
    Git,
    Effect.suspend(() => make("git"))
  )
  /** With another executable than the `git` of the path. */
  static readonly layerWith = (executable: string) =>
    Layer.effect(
      Git,
      Effect.suspend(() => make(executable))
    )
}

/** Git commands that run at one time; the rest wait. */
const maxConcurrent = Math.max(8, 2 * availableParallelism())

/** Bytes of output that one command may collect. */
const maxOutput = 256 * 1024 * 1024

const maxStderr = 16 * 1024

const make = Effect.fnUntraced(function* (executable: string) {
  const env = GitCommand.environment()
  const permits = yield* Semaphore.make(maxConcurrent)

  const start = (args: ReadonlyArray<string>, options: RunOptions) => GitCommand.start(executable, env, args, options)

  const runNow = (args: ReadonlyArray<string>, options: RunOptions) =>
    Effect.callback<Output, GitError>((resume) => {
      if (args.some((arg) => arg.includes("\0"))) {
        return resume(Effect.fail(gitError({ _tag: "InvalidName", name: "", detail: "it contains a NUL character" })))
      }
      const child = start(args, options)
      const chunks: Array<Buffer> = []
      let size = 0
      let stderr = ""
      let stopped = false
      const stop = () => {
        stopped = true
        child.kill("SIGKILL")
        // A child of git's own would keep these open.
        child.stdout.destroy()
        child.stderr.destroy()
      }
      child.stdout.on("data", (chunk: Buffer) => {
        if (stopped) return
        if (options.onOutput !== undefined) {
          if (!options.onOutput(chunk)) stop()
          return
        }
        size += chunk.length
        if (size > maxOutput) return stop()
        chunks.push(chunk)
      })
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        if (stderr.length < maxStderr) stderr += text
      })
      // A command that ends before it has read its input is judged by its exit code.
      child.stdin.on("error", () => {})
      child.on("error", (cause) => resume(Effect.fail(notStarted(executable, cause))))
      child.on("close", (exitCode) => {
        if (size > maxOutput) {
          resume(
            Effect.fail(gitError({ _tag: "TooLarge", what: `the output of git ${args[0]}`, size, limit: maxOutput }))
          )
        } else if (stopped || exitCode === 0 || (exitCode !== null && options.answers?.includes(exitCode))) {
          resume(Effect.succeed({ exitCode: exitCode ?? 0, stdout: Buffer.concat(chunks) }))
        } else {
          resume(Effect.fail(commandFailed(args, exitCode, stderr, options.gitDir)))
        }
      })
      child.stdin.end(options.input)
      return Effect.callback<void>((ended) => {
        child.once("close", () => ended(Effect.void))
        stop()
      })
    })

  const run = (args: ReadonlyArray<string>, options: RunOptions = {}) => permits.withPermit(runNow(args, options))

  const version = yield* Effect.cached(
    Effect.flatMap(run(["--version"]), ({ stdout }) => {
      const text = stdout.toString().trim()
      const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? []
      return Number(major) * 1000 + Number(minor) >= 2036
        ? Effect.succeed(text.replace(/^git version /, ""))
        : Effect.fail(
            gitError({ _tag: "GitMissing", detail: `git 2.36 or newer is needed, and this is ${text}; update git` })
          )
    })
  )

  return Git.of({ run, version, start: (args, gitDir) => start(args, { gitDir }) })
})

const notStarted = (executable: string, cause: Error): GitError =>
  gitError({
    _tag: "GitMissing",
    detail:
      "code" in cause && cause.code === "ENOENT"
        ? `${executable} could not be started (${cause.message}); install git 2.36 or newer`
        : `${executable} could not be started: ${cause.message}`
  })
