/** Running other programs: quietly, with progress on stderr for whatever takes longer than a second. */
import { spawn } from "node:child_process"
import { root } from "./workspace.mjs"

/** How often a step that is still running says so, where there is no terminal to redraw. */
const REMINDER_SECONDS = 15

/** @param {string} text */
export const say = (text) => process.stderr.write(`${text}\n`)

/** A failure that a person can act on: printed as it is, without a stack. */
export class Failure extends Error {}

/**
 * @typedef {object} Result
 * @property {number} code what the program exited with; 128 and the signal's number where one ended it, 127 where it could not start
 * @property {string} output stdout and stderr, as they came
 */

/**
 * Runs a program with its output kept back. Where it takes longer than a second, `title` and the time go to stderr.
 * @param {string} title
 * @param {string} command
 * @param {ReadonlyArray<string>} args
 * @param {{ env?: Record<string, string>, timeoutSeconds?: number, show?: boolean }} [options] `show`: output goes to stderr at once
 * @returns {Promise<Result>}
 */
export const run = (title, command, args, options = {}) =>
  new Promise((resolve) => {
    const started = Date.now()
    const seconds = () => Math.round((Date.now() - started) / 1000)
    let announced = false
    const announce = () => {
      say(announced ? `tongs: ${title}, ${seconds()} s` : `tongs: ${title} …`)
      announced = true
    }
    const first = setTimeout(announce, 1000)
    const reminder = setInterval(announce, REMINDER_SECONDS * 1000)
    let output = ""
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: (options.timeoutSeconds ?? 0) * 1000,
      shell: process.platform === "win32"
    })
    const forward = [...SIGNALS].map(([signal]) => {
      const handler = () => child.kill(signal)
      process.on(signal, handler)
      return () => process.off(signal, handler)
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text
        if (options.show) process.stderr.write(text)
      })
    }
    /** @param {number} code */
    const finish = (code) => {
      clearTimeout(first)
      clearInterval(reminder)
      for (const stop of forward) stop()
      if (announced && code === 0 && !options.show) say(`tongs: ${title}, done in ${seconds()} s`)
      resolve({ code, output })
    }
    child.on("error", (error) => {
      output += error.message
      finish(127)
    })
    child.on("close", (code, signal) => finish(code ?? 128 + (SIGNALS.get(signal ?? "SIGTERM") ?? 15)))
  })

/**
 * The signals that are passed on to a child, with their numbers.
 * @type {ReadonlyMap<NodeJS.Signals, number>}
 */
export const SIGNALS = new Map([
  ["SIGHUP", 1],
  ["SIGINT", 2],
  ["SIGTERM", 15]
])
