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
const SLOWEST = 10

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
  const args = ["--reporter=default", `--reporter=${fileURLToPath(import.meta.url)}`, ...paths]
  if (!long) args.push("--project=!long*")
  try {
    const { code, timedOut } = await run(
      "running the suites",
      node,
      [join(root, "node_modules/vitest/vitest.mjs"), "run", ...args],
      {
        env: { PATH: path, TMPDIR: temporary, TONGS_TEST_RECORD: record },
        show: true,
        ...(long ? {} : { timeoutSeconds: LIMIT_SECONDS })
      }
    ).finally(() => tally(count, record))
    if (timedOut) say(`✗ the suites did not end within ${LIMIT_SECONDS / 60} minutes`)
    else await failForRunning(count, temporary)
    // vitest can fail without a failed test.
    if (code !== 0 && count.failed === before) count.failed += 1
  } finally {
    signalAll(withDescendants(processesIn(temporary).map(({ pid }) => pid)), "SIGKILL")
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/**
 * Adds up the record. Prints the skipped tests, the tests that passed only when retried, the unfinished files, and the
 * slowest files.
 * @param {Count} count
 * @param {string} record
 */
const tally = (count, record) => {
  const unfinished = new Set()
  const entries = read(record)
  for (const { failed, file, passed, retried = [], skipped = [] } of entries) {
    if (passed === undefined || failed === undefined) {
      unfinished.add(file)
      continue
    }
    unfinished.delete(file)
    count.passed += passed
    count.failed += failed
    count.skipped += skipped.length
    for (const name of skipped) say(`- skipped: ${name}`)
    for (const name of retried) say(`- passed when retried: ${name}`)
  }
  for (const file of unfinished) say(`✗ did not end: ${file}`)
  count.failed += unfinished.size
  const slowest = entries
    .flatMap(({ file, seconds }) => (seconds === undefined ? [] : [{ file, seconds }]))
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST)
  if (slowest.length > 0)
    say(`- slowest files: ${slowest.map(({ file, seconds }) => `${file} ${seconds} s`).join(", ")}`)
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
   * @param {unknown} _
   * @param {ReadonlyArray<unknown>} errors outside of all tests
   */
  onTestRunEnd(_, errors) {
    if (errors.length > 0) write({ file: "", passed: 0, failed: errors.length })
  }
}
