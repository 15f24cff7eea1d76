/**
 * The thread of `--jq`: runs one jq expression on values. A thread, because jq runs without interruption, and an
 * expression can run forever.
 */
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { compileFunction } from "node:vm"
import { parentPort, workerData } from "node:worker_threads"

/** The data for the start of the thread. */
export interface JqStart {
  readonly expression: string
  /** True to indent objects and arrays. */
  readonly isIndented: boolean
  /** Maximum size of jq's memory in bytes. */
  readonly maxMemory: number
  /** Maximum size of the output for one value in bytes. */
  readonly maxOutput: number
}

/** A response of the thread: the first after the compilation of the expression, then one for each value. */
export interface JqResponse {
  readonly text: string
  /** Text that the expression printed to stderr. */
  readonly notes: string
  /** The reason why jq failed, possibly after some output. */
  readonly problem?: JqProblem
}

/** A failure of jq: exit code and message, or the exceeded limit. */
export type JqProblem =
  | { readonly _tag: "Exit"; readonly code: number; readonly detail: string }
  | { readonly _tag: "Memory" | "Output" }

const { expression, isIndented, maxMemory, maxOutput }: JqStart = workerData

const send = (response: JqResponse) => parentPort?.postMessage(response) // oxlint-disable-line unicorn/require-post-message-target-origin -- it is a thread, not a window

const { grow } = WebAssembly.Memory.prototype // oxlint-disable-line typescript/unbound-method -- it is called on each memory
WebAssembly.Memory.prototype.grow = function (pages) {
  // To jq, the exception looks like a machine without free memory.
  if (this.buffer.byteLength + pages * 65_536 > maxMemory) throw new RangeError("too much memory")
  return grow.call(this, pages)
}

let output = Buffer.allocUnsafe(65_536)
let length = 0

const write = (byte: number | null) => {
  // Null is a flush.
  if (byte === null) return
  if (length === output.length) {
    if (length >= maxOutput) {
      send({ text: "", notes: "", problem: { _tag: "Output" } })
      // Ends only this thread. jq would ignore an exception.
      process.exit(1)
    }
    const larger = Buffer.allocUnsafe(Math.min(maxOutput, length * 2))
    output.copy(larger)
    output = larger
  }
  output[length++] = byte
}

/**
 * Replacements in the library, which collects output in arrays of any size, one element for each byte, and loses the
 * output on errors.
 */
const replacements = [
  ["if (c) outBuffer.push(c)", "write(c)"],
  ["if (c) errBuffer.push(c)", "if (c && errBuffer.length < 100000) errBuffer.push(c)"]
] as const // pairs

interface JqLibrary {
  /** Runs jq on a JSON text. Throws if jq fails. */
  readonly raw: (json: string, expression: string, flags: ReadonlyArray<string>) => void
}

/** Loads `jq-web`, from the bundle's copy or from `node_modules`. */
const load = async (): Promise<JqLibrary> => {
  const require = createRequire(import.meta.url)
  const copy = fileURLToPath(new URL("./jq/jq.cjs", import.meta.url))
  const file = existsSync(copy) ? copy : require.resolve("jq-web")
  const source = replacements.reduce(
    (text, [before, after]) => {
      if (!text.includes(before)) throw new Error(`jq-web has changed: no ${before}`)
      return text.replace(before, after)
    },
    readFileSync(file, "utf8")
  )
  const module: { exports: JqLibrary | Promise<JqLibrary> } = { exports: { raw: () => {} } }
  const names = ["module", "exports", "require", "__filename", "__dirname", "write"]
  compileFunction(source, names, { filename: file })(module, module.exports, require, file, Path.dirname(file), write)
  return module.exports
}

/** The library passes the expression's output on stderr to `console.warn`. */
let notes = ""
console.warn = (...values: ReadonlyArray<unknown>) => {
  notes += String(values.at(-1))
}
// The message of an abort follows as an exception.
console.error = () => {}

const jq = await load()

const problemOf = (error: unknown): JqProblem => {
  const { exitCode, stderr }: { exitCode?: unknown; stderr?: unknown } = Object(error)
  return typeof exitCode === "number" ? { _tag: "Exit", code: exitCode, detail: String(stderr) } : { _tag: "Memory" }
}

const evaluate = (json: string): JqResponse => {
  notes = ""
  length = 0
  const text = () => output.toString("utf8", 0, length)
  try {
    jq.raw(json, expression, isIndented ? [] : ["-c"])
    return { text: text(), notes }
  } catch (error) {
    return { text: text(), notes, problem: problemOf(error) }
  }
}

parentPort?.on("message", (json: string) => send(evaluate(json)))
// Without a value, jq only compiles the expression.
send(evaluate(""))
