/** Reads the output of git commands in the workers of the history index. */
import { once } from "node:events"
import * as ProcessGroup from "../../base/ProcessGroup.ts"
import * as GitCommand from "../../git/process/GitCommand.ts"

/** Milliseconds after which a command without output is ended. A walk through a large history begins silently. */
const SILENCE_MILLIS = 10 * 60_000

/** Maximum number of characters of an error message of git. */
const MAX_MESSAGE = 1_000

/**
 * Yields the output of a git command with back-pressure. Throws if git fails or the signal aborts. Returning from the
 * generator ends git.
 */
export async function* read(
  gitDir: string,
  args: ReadonlyArray<string>,
  input: string,
  signal: AbortSignal
): AsyncGenerator<Buffer, void> {
  signal.throwIfAborted()
  const child = GitCommand.start("git", GitCommand.isolatedEnvironment(), args, { gitDir })
  const stop = () => ProcessGroup.of(child).signal("SIGKILL")
  let message = ""
  let failure: Error | undefined
  child.on("error", (error) => {
    failure = error
  })
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()))
  child.stdin.on("error", () => {})
  child.stdin.end(input)
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    message = (message + text).slice(0, MAX_MESSAGE)
  })
  signal.addEventListener("abort", stop)
  const timer = setTimeout(stop, SILENCE_MILLIS).unref()
  try {
    for await (const chunk of child.stdout) {
      timer.refresh()
      if (Buffer.isBuffer(chunk)) yield chunk
    }
    if (child.exitCode === null && child.signalCode === null && failure === undefined) await once(child, "exit")
    signal.throwIfAborted()
    if (failure !== undefined) throw failure
    if (child.exitCode !== 0) throw new Error(`git ${args[0]} failed in ${gitDir}: ${message.trim() || "no message"}`)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener("abort", stop)
    stop()
    await closed
  }
}

/** Yields the lines of the output of a git command, several at a time. Throws like `read`. */
export async function* readLines(...command: Parameters<typeof read>): AsyncGenerator<ReadonlyArray<string>, void> {
  let rest = ""
  for await (const chunk of read(...command)) {
    const lines = (rest + chunk.toString("latin1")).split("\n")
    rest = lines.pop() ?? ""
    if (lines.length > 0) yield lines
  }
  if (rest !== "") yield [rest]
}

/** A commit in the output of `git rev-list --timestamp --parents`. */
export interface ListedCommit {
  readonly oid: string
  readonly seconds: number
  readonly parents: ReadonlyArray<string>
}

/** Lists the ancestors of commits in git's order, newest first, or parents before children. */
export async function* listCommits(
  gitDir: string,
  commits: {
    readonly tips: ReadonlyArray<string>
    readonly without: ReadonlyArray<string>
    readonly oldestFirst: boolean
  },
  signal: AbortSignal
): AsyncGenerator<ReadonlyArray<ListedCommit>, void> {
  const args = ["rev-list", "--timestamp", "--parents", ...(commits.oldestFirst ? ["--topo-order", "--reverse"] : [])]
  const input = [...commits.tips, ...commits.without.map((oid) => `^${oid}`)].map((line) => `${line}\n`).join("")
  for await (const lines of readLines(gitDir, [...args, "--stdin"], input, signal)) {
    yield lines.map((line) => {
      const [seconds, oid = "", ...parents] = line.split(" ")
      return { oid, seconds: Number(seconds), parents }
    })
  }
}
