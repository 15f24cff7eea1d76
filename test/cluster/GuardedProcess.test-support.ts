/** Child processes that end with the test's process, also if it is killed or the child is stopped. */
import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"

/** Kills the child when the test's process ends: the standard input of the shell is then at its end. */
const GUARD = 'read -r _; kill -KILL "$1"'

/** Maximum number of lines of stderr that a process keeps for error messages. */
const MAX_LINES = 200

/** Milliseconds in which a process prints its first line. */
const START_LIMIT = 120_000

export interface GuardedProcess {
  readonly pid: number
  /** The first line of stdout. */
  readonly line: string
  /** The last lines of stderr. */
  readonly messages: ReadonlyArray<string>
  readonly isRunning: () => boolean
  readonly signal: (signal: NodeJS.Signals) => void
  /** Sends a signal and waits until the process exits. Returns the exit code, or null after a signal. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null

/** Starts a program and waits for the first line of stdout. */
export const start = async (
  [command = "", ...args]: ReadonlyArray<string>,
  options: Pick<SpawnOptions, "cwd" | "env">
): Promise<GuardedProcess> => {
  const child = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "pipe"] })
  const exit = once(child, "exit")
  const guard = spawn("/bin/sh", ["-c", GUARD, "sh", String(child.pid)], { stdio: ["pipe", "ignore", "ignore"] })
  child.once("exit", () => guard.kill("SIGKILL"))
  const messages: Array<string> = []
  createInterface(child.stderr).on("line", (text) => {
    messages.push(text)
    if (messages.length > MAX_LINES) messages.shift()
  })
  // Rejects after `exit` was awaited elsewhere, for example if the program is missing.
  exit.catch(() => {})
  const timer = setTimeout(() => child.kill("SIGKILL"), START_LIMIT)
  const [line] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    exit.then(([code]) =>
      Promise.reject(new Error(`${[command, ...args].join(" ")} ended (${code}): ${messages.join("\n")}`))
    )
  ]).finally(() => clearTimeout(timer))
  return {
    pid: child.pid ?? 0,
    line: String(line),
    messages,
    isRunning: () => isRunning(child),
    signal: (signal) => void child.kill(signal),
    end: async (signal) => {
      if (isRunning(child)) {
        child.kill(signal)
        // A stopped process exits only after it continues.
        if (signal !== "SIGKILL") child.kill("SIGCONT")
        await exit
      }
      return child.exitCode
    }
  }
}
