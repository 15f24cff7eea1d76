/** Running other programs: quietly, with progress on stderr for whatever takes longer than a second. */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { families, signalAll } from "./processes.mjs"
import { root } from "./workspace.mjs"

/** How often a step that is still running says so, where there is no terminal to redraw. */
const REMINDER_SECONDS = 15

/** How long a program that is told to end, and what it started, may take to do so. */
const GRACE_SECONDS = 5

/** How often to look whether a launcher, or what was told to end, is still there. */
const POLL_MILLISECONDS = 100

const isWindows = process.platform === "win32"

/**
 * The signals that end what runs, with their numbers.
 * @type {ReadonlyMap<NodeJS.Signals, number>}
 */
export const SIGNALS = new Map([
  ["SIGHUP", 1],
  ["SIGINT", 2],
  ["SIGTERM", 15]
])

/** @param {string} text */
export const say = (text) => process.stderr.write(`${text}\n`)

/** A failure that a person can act on: printed as it is, without a stack. */
export class Failure extends Error {}

/** Somebody ended us, as with Ctrl-C. */
export class Interrupted extends Failure {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super("tongs: interrupted")
    this.exitCode = codeOf(signal)
  }
}

/** @param {NodeJS.Signals | null} signal */
const codeOf = (signal) => 128 + (SIGNALS.get(signal ?? "SIGTERM") ?? 15)

/**
 * @typedef {object} Result
 * @property {number} code what the program exited with; 128 and the signal's number where one ended it, 127 where it could not start
 * @property {string} output stdout and stderr, as they came
 * @property {boolean} late whether it was ended because its time was over
 */

/**
 * Runs a program with its output kept back. Where it takes longer than a second, `title` and the time go to stderr.
 * When its time is over, or when we are told to end, it ends with all that it started; the latter is `Interrupted`.
 * @param {string} title
 * @param {string} command
 * @param {ReadonlyArray<string>} args
 * @param {{ env?: Record<string, string>, timeoutSeconds?: number, show?: boolean }} [options] `show`: output goes to stderr at once
 * @returns {Promise<Result>}
 */
export const run = async (title, command, args, options = {}) => {
  const stopProgress = progress(title, options.show === true)
  let output = ""
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    // A terminal's Ctrl-C reaches us alone: we have to see what a program started before it is gone.
    detached: !isWindows,
    shell: isWindows
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text
      if (options.show) process.stderr.write(text)
    })
  }

  let late = false
  /** @type {NodeJS.Signals | undefined} */
  let interrupted
  /** @type {Promise<void> | undefined} */
  let ended
  /** @param {NodeJS.Signals} signal */
  const interrupt = (signal) => {
    interrupted ??= signal
    ended ??= end(child, signal)
  }
  const expire = () => {
    late = true
    ended ??= end(child, "SIGTERM")
  }
  const limit = options.timeoutSeconds && setTimeout(expire, options.timeoutSeconds * 1000)
  for (const signal of SIGNALS.keys()) process.on(signal, interrupt)

  /** @type {number} */
  const code = await new Promise((resolve) => {
    child.on("error", (error) => {
      output += error.message
      resolve(127)
    })
    child.on("close", (code, signal) => resolve(code ?? codeOf(signal)))
    // What the program left running may hold its output open for ever.
    child.on("exit", (code, signal) => setTimeout(resolve, 1000, code ?? codeOf(signal)).unref())
  })
  await ended
  clearTimeout(limit)
  for (const signal of SIGNALS.keys()) process.off(signal, interrupt)
  child.stdout.destroy()
  child.stderr.destroy()
  stopProgress(code)
  if (interrupted !== undefined) throw new Interrupted(interrupted)
  return { code, output, late }
}

/**
 * Tells of a step that takes longer than a second; gives what ends that.
 * @param {string} title
 * @param {boolean} shown whether the step shows its own output
 */
const progress = (title, shown) => {
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  let announced = false
  const announce = () => {
    say(announced ? `tongs: ${title}, ${seconds()} s` : `tongs: ${title} …`)
    announced = true
  }
  const first = setTimeout(announce, 1000)
  const reminder = setInterval(announce, REMINDER_SECONDS * 1000)
  /** @param {number} code */
  return (code) => {
    clearTimeout(first)
    clearInterval(reminder)
    if (announced && code === 0 && !shown) say(`tongs: ${title}, done in ${seconds()} s`)
  }
}

/**
 * Ends a program and all that it started; kills what does not end.
 * @param {import("node:child_process").ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
const end = async (child, signal) => {
  if (child.pid === undefined) return
  let family = families([child.pid])
  child.kill(signal)
  signalAll(family, signal)
  for (const until = Date.now() + GRACE_SECONDS * 1000; Date.now() < until && family.size > 0;) {
    await sleep(POLL_MILLISECONDS)
    family = families(family)
  }
  child.kill("SIGKILL")
  signalAll(family, "SIGKILL")
}

/**
 * Ends with npm. npm passes SIGTERM to the shell between us, which dies without passing it on, and passes no SIGHUP:
 * what we can see is another parent, or (on Linux) another parent of the shell.
 */
export const endWithLauncher = () => {
  if (process.env.npm_lifecycle_event === undefined) return
  const launchers = () => `${process.ppid} ${parentOf(process.ppid)}`
  const launcher = launchers()
  const timer = setInterval(() => {
    if (launchers() === launcher) return
    clearInterval(timer)
    process.kill(process.pid, "SIGTERM")
  }, POLL_MILLISECONDS).unref()
}

/** @param {number} pid */
const parentOf = (pid) => {
  try {
    // The name of the program, in parentheses, can hold anything; state and parent follow it.
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1]
  } catch {
    return undefined
  }
}
