/** Runs programs with hidden output, and reports progress on stderr after a second. */
import { execFileSync, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { isAbsolute } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { root } from "./workspace.mjs"

/** Time between two progress lines of a running step. */
const PROGRESS_SECONDS = 15

/** Time for a program and all descendants to exit before a kill. */
const GRACE_SECONDS = 5

const POLL_MILLISECONDS = 100

const isWindows = process.platform === "win32"

/**
 * The signals that end a run, by number.
 * @type {ReadonlyMap<NodeJS.Signals, number>}
 */
export const signals = new Map([
  ["SIGHUP", 1],
  ["SIGINT", 2],
  ["SIGTERM", 15]
])

/** @param {NodeJS.Signals | null} signal */
const exitCodeOf = (signal) => 128 + (signals.get(signal ?? "SIGTERM") ?? 15)

/** @param {string} text */
export const say = (text) => process.stderr.write(`${text}\n`)

/** An expected failure, whose message is printed without a stack. */
export class Failure extends Error {}

/** A signal ended this process, for example Ctrl-C. */
export class Interrupted extends Failure {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super("tongs: interrupted")
    this.exitCode = exitCodeOf(signal)
  }
}

/**
 * @typedef {object} Result
 * @property {number} code the exit code; 128 plus the number of the signal that ended it; 127 if the start failed
 * @property {string} output stdout and stderr
 * @property {boolean} timedOut
 */

/**
 * Runs a program. Ends the program and all descendants at the timeout, or when a signal reaches this process. A signal
 * makes `run` throw `Interrupted`.
 * @param {string} title for the progress lines
 * @param {string} command
 * @param {ReadonlyArray<string>} args
 * @param {{ cwd?: string, env?: Record<string, string>, timeoutSeconds?: number, show?: boolean }} [options] `show`: pass the output on to stderr
 * @returns {Promise<Result>}
 */
export const run = async (title, command, args, { cwd = root, env, show = false, timeoutSeconds } = {}) => {
  const stopProgress = reportProgress(title, show)
  let output = ""
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // Keeps a terminal's Ctrl-C from the program: `end` has to list the descendants while the program still runs.
    detached: !isWindows,
    // On Windows, npm's commands are batch files.
    shell: isWindows && !isAbsolute(command)
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text
      if (show) process.stderr.write(text)
    })
  }

  let timedOut = false
  /** @type {NodeJS.Signals | undefined} */
  let received
  /** @type {Promise<void> | undefined} */
  let ended
  /** @param {NodeJS.Signals} signal */
  const interrupt = (signal) => {
    received ??= signal
    ended ??= end(child, signal)
  }
  const expire = () => {
    timedOut = true
    ended ??= end(child, "SIGTERM")
  }
  const timer = timeoutSeconds && setTimeout(expire, timeoutSeconds * 1000)
  for (const signal of signals.keys()) process.on(signal, interrupt)

  /** @type {number} */
  const code = await new Promise((resolve) => {
    child.on("error", (error) => {
      output += error.message
      resolve(127)
    })
    child.on("close", (code, signal) => resolve(code ?? exitCodeOf(signal)))
    // A running descendant can keep the output open and delay "close".
    child.on("exit", (code, signal) => setTimeout(resolve, 1000, code ?? exitCodeOf(signal)).unref())
  })
  await ended
  clearTimeout(timer)
  for (const signal of signals.keys()) process.off(signal, interrupt)
  child.stdout.destroy()
  child.stderr.destroy()
  stopProgress(code)
  if (received !== undefined) throw new Interrupted(received)
  return { code, output, timedOut }
}

/**
 * Reports a step after a second and then regularly. Returns a function that ends the reports.
 * @param {string} title
 * @param {boolean} showsOutput
 */
const reportProgress = (title, showsOutput) => {
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  let reported = false
  const report = () => {
    say(reported ? `tongs: ${title}, ${seconds()} s` : `tongs: ${title} …`)
    reported = true
  }
  const timers = [setTimeout(report, 1000), setInterval(report, PROGRESS_SECONDS * 1000)]
  /** @param {number} code */
  return (code) => {
    for (const timer of timers) clearTimeout(timer)
    if (reported && code === 0 && !showsOutput) say(`tongs: ${title}, done in ${seconds()} s`)
  }
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
const end = async (child, signal) => {
  if (child.pid === undefined) return
  let family = withDescendants([child.pid])
  child.kill(signal)
  signalAll(family, signal)
  for (const deadline = Date.now() + GRACE_SECONDS * 1000; Date.now() < deadline && family.length > 0;) {
    await sleep(POLL_MILLISECONDS)
    family = withDescendants(family)
  }
  child.kill("SIGKILL")
  signalAll(family, "SIGKILL")
}

/**
 * The processes of this machine without zombies, from `ps`. Empty on Windows, which has no `ps`.
 * @returns {Array<{ pid: number, parent: number, command: string }>}
 */
export const processes = () => {
  try {
    return execFileSync("ps", ["-A", "-ww", "-o", "pid=,ppid=,stat=,args="], { encoding: "utf8" })
      .split("\n")
      .map((line) => /^ *(\d+) +(\d+) +([^Z\s]\S*) +(.*)$/.exec(line))
      .flatMap((match) =>
        match === null ? [] : [{ pid: Number(match[1]), parent: Number(match[2]), command: match[4] ?? "" }]
      )
  } catch {
    return []
  }
}

/**
 * Returns the given processes that still run, and all descendants.
 * @param {Iterable<number>} pids
 */
export const withDescendants = (pids) => {
  const family = new Set(pids)
  const all = processes()
  let size
  do {
    size = family.size
    for (const { parent, pid } of all) if (family.has(parent)) family.add(pid)
  } while (family.size > size)
  return all.map(({ pid }) => pid).filter((pid) => family.has(pid))
}

/**
 * @param {ReadonlyArray<number>} pids
 * @param {NodeJS.Signals} signal
 */
export const signalAll = (pids, signal) => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has exited.
    }
  }
}

/**
 * Ends this process when npm ends. npm signals only the shell between npm and this process, which does not pass SIGTERM
 * on, and gets no SIGHUP. The visible effect is a new parent of this process or, on Linux, of the shell.
 */
export const endWithNpm = () => {
  if (process.env.npm_lifecycle_event === undefined) return
  const parents = () => `${process.ppid} ${parentOf(process.ppid)}`
  const initial = parents()
  const timer = setInterval(() => {
    if (parents() === initial) return
    clearInterval(timer)
    process.kill(process.pid, "SIGTERM")
  }, POLL_MILLISECONDS).unref()
}

/** @param {number} pid */
const parentOf = (pid) => {
  try {
    // "pid (name) state parent …": the name can contain spaces and parentheses.
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1]
  } catch {
    return undefined
  }
}
