/** Runs all test suites with vitest and counts the results. The default export is the necessary vitest reporter. */
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { ensurePrograms } from "./programs.mjs"
import { processes, run, say, signalAll, withDescendants } from "./run.mjs"
import { node, root } from "./workspace.mjs"

/** Time limit for all suites together. Runs with `long` have no limit. */
const LIMIT_SECONDS = 45 * 60

/** Maximum bytes of the temporary folder's path, because tests create sockets there, with paths of up to 104 bytes. */
const MAX_FOLDER_BYTES = 50

/** Time for processes of the last test to exit. */
const EXIT_SECONDS = 5

/** Number of slowest files to print. */
const SLOWEST = 40

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

/**
 * The reporter writes an entry per line when a test file starts and ends, so that an incomplete run can be counted.
 * @typedef {{ file: string, passed?: number, failed?: number, skipped?: Array<string>, retried?: Array<string>, seconds?: number }} Entry
 */

/**
 * Runs the suites and adds the results to `count`.
 * @param {Count} count
 * @param {{ long: boolean, paths: ReadonlyArray<string>, path: string }} options `paths`: parts of the paths of test files, or empty for all; `path`: the PATH of the tests
 */
export const suites = async (count, { long, path, paths }) => {
  if (paths.length === 0) await ensurePrograms()
  const parent = process.platform !== "win32" && Buffer.byteLength(tmpdir()) > MAX_FOLDER_BYTES ? "/tmp" : tmpdir()
  const folder = mkdtempSync(join(parent, "tongs-test-"))
  const record = join(folder, "record")
  const temporary = join(folder, "tmp")
  mkdirSync(temporary, { mode: 0o711 })
  // As root, the tests run PostgreSQL as another user, who may open known files but not list the folders.
  if (process.getuid?.() === 0) chmodSync(folder, 0o711)
  const before = count.failed
  /** @param {ReadonlyArray<string>} args */
  const vitest = (args) =>
    run("running the suites", node, [join(root, "node_modules/vitest/vitest.mjs"), "run", ...reporters, ...args], {
      env: { PATH: path, TMPDIR: temporary, TONGS_TEST_RECORD: record },
      show: true,
      ...(long ? {} : { timeoutSeconds: LIMIT_SECONDS })
    })
  try {
    const { code, timedOut } = await vitest([...paths, ...(long ? [] : ["--project=!long*"])]).finally(() =>
      tally(count, record)
    )
    const unfinished = unfinishedFiles(read(record))
    if (timedOut) say(`✗ the suites did not end within ${LIMIT_SECONDS / 60} minutes`)
    if (timedOut || process.env["CI"] === undefined) fail(count, unfinished)
    else await retry(count, unfinished, record, vitest)
    if (!timedOut) await failForRunning(count, temporary)
    // vitest can fail without a failed test.
    if (code !== 0 && count.failed === before && unfinished.length === 0) count.failed += 1
  } finally {
    signalAll(withDescendants(processesIn(temporary).map(({ pid }) => pid)), "SIGKILL")
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const reporters = ["--reporter=default", `--reporter=${fileURLToPath(import.meta.url)}`]

/**
 * Counts each file as a failure.
 * @param {Count} count
 * @param {ReadonlyArray<string>} files
 */
const fail = (count, files) => {
  for (const file of files) say(`✗ did not end: ${file}`)
  count.failed += files.length
}

/**
 * Runs the files whose worker process died once more, as vitest does in CI with a test that fails.
 * @param {Count} count
 * @param {ReadonlyArray<string>} files
 * @param {string} record
 * @param {(args: ReadonlyArray<string>) => Promise<unknown>} vitest
 */
const retry = async (count, files, record, vitest) => {
  for (const file of files) {
    const [project = "", path = ""] = file.split(": ")
    rmSync(record)
    await vitest([`--project=${project}`, path])
    tally(count, record)
    const unfinished = unfinishedFiles(read(record))
    if (unfinished.length > 0) fail(count, unfinished)
    else say(`- ended when retried: ${file}`)
  }
}

/**
 * Adds up the record. Prints the skipped tests, the tests that passed only when retried, the time of all workers, and the slowest files.
 * @param {Count} count
 * @param {string} record
 */
const tally = (count, record) => {
  const entries = read(record)
  for (const { failed, passed, retried = [], skipped = [] } of entries) {
    if (passed === undefined || failed === undefined) continue
    count.passed += passed
    count.failed += failed
    count.skipped += skipped.length
    for (const name of skipped) say(`- skipped: ${name}`)
    for (const name of retried) say(`- passed when retried: ${name}`)
  }
  const slowest = entries
    .flatMap(({ file, seconds }) => (seconds === undefined ? [] : [{ file, seconds }]))
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST)
  /** @type {Map<string, number>} */
  const times = new Map()
  for (const { file, seconds = 0 } of entries) {
    const [project = ""] = file.split(":")
    times.set(project, (times.get(project) ?? 0) + seconds)
  }
  if (slowest.length > 0) {
    say(`- time of the workers: ${[...times].map(([project, seconds]) => `${project} ${seconds} s`).join(", ")}`)
    say(`- slowest files: ${slowest.map(({ file, seconds }) => `${file} ${seconds} s`).join(", ")}`)
  }
}

/** Returns the files that started and did not end. @param {ReadonlyArray<Entry>} entries */
const unfinishedFiles = (entries) => {
  const ended = new Set(entries.flatMap(({ file, passed }) => (passed === undefined ? [] : [file])))
  return [...new Set(entries.map(({ file }) => file).filter((file) => !ended.has(file)))]
}

/**
 * @param {string} record
 * @returns {Array<Entry>}
 */
const read = (record) => {
  try {
    return readFileSync(record, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
  } catch {
    say("✗ vitest wrote no results")
    return []
  }
}

/**
 * Counts each process that outlives the tests as a failure.
 * @param {Count} count
 * @param {string} folder
 */
const failForRunning = async (count, folder) => {
  for (let waited = 0; waited < EXIT_SECONDS && processesIn(folder).length > 0; waited++) await sleep(1000)
  for (const { command } of processesIn(folder)) {
    count.failed += 1
    say(`✗ still running: ${command}`)
  }
}

/** Processes with the folder in the command line. @param {string} folder */
const processesIn = (folder) => processes().filter(({ command }) => command.includes(folder))

/** @param {Entry} entry */
const write = (entry) => appendFileSync(process.env["TONGS_TEST_RECORD"] ?? "", `${JSON.stringify(entry)}\n`)

/** A file runs in more than one project. @param {import("vitest/node").TestModule} module */
const nameOf = ({ project, relativeModuleId }) => `${project.name}: ${relativeModuleId}`

/** The file that the worker ran is one that did not end. @param {unknown} error */
const isWorkerExit = (error) =>
  error instanceof Error && error.cause instanceof Error && error.cause.message.startsWith("Worker exited unexpectedly")

/** @implements {import("vitest/node").Reporter} */
export default class {
  /** @param {import("vitest/node").TestModule} module */
  onTestModuleStart(module) {
    write({ file: nameOf(module) })
  }

  /** @param {import("vitest/node").TestModule} module */
  onTestModuleEnd(module) {
    const tests = [...module.children.allTests()]
    const inState = (/** @type {string} */ state) => tests.filter((test) => test.result().state === state)
    const failed = inState("failed").length + inState("pending").length
    write({
      file: nameOf(module),
      passed: inState("passed").length,
      seconds: Math.round(module.diagnostic().duration / 1000),
      // A file that fails to load or to set up has no failed tests.
      failed: failed === 0 && !module.ok() ? 1 : failed,
      skipped: inState("skipped").map(({ fullName }) => fullName),
      retried: tests.filter((test) => test.diagnostic()?.flaky).map(({ fullName }) => fullName)
    })
  }

  /**
   * @param {ReadonlyArray<import("vitest/node").TestModule>} modules
   * @param {ReadonlyArray<unknown>} errors outside of all tests
   */
  onTestRunEnd(modules, errors) {
    // The start of a file is not reported if its worker dies at once.
    for (const module of modules.filter((module) => !module.diagnostic().duration)) write({ file: nameOf(module) })
    const failed = errors.filter((error) => !isWorkerExit(error)).length
    if (failed > 0) write({ file: "", passed: 0, failed })
  }
}
