/** Every suite in one run of vitest, counted as it goes, and nothing of it left behind: no file, no process. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { families, processes, signalAll } from "./processes.mjs"
import { ensurePrograms } from "./programs.mjs"
import { run, say } from "./run.mjs"
import { node, root } from "./workspace.mjs"

/** How long every suite together may take; the long ones have no bound but their own. */
const LIMIT_SECONDS = 14 * 60

/** Bytes that the path of the temporary folder may have: a socket's has 104 at most, and those of the tests are below it. */
const LONGEST_FOLDER = 50

/** How long what a test ends as its last act may take to be gone. */
const LEAVING_SECONDS = 5

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Count
 */

/**
 * Runs the suites and adds them to the count, as far as they came.
 * @param {Count} count
 * @param {{ long: boolean, part: ReadonlyArray<string>, path: string }} options `part`: of paths of test files, or nothing for all; `path`: where tools are looked for
 */
export const suites = async (count, { long, part, path }) => {
  if (part.length === 0) await ensurePrograms()
  const folder = mkdtempSync(join(temporaryFolder(), "tongs-test-"))
  const record = join(folder, "record")
  const temporary = join(folder, "tmp")
  mkdirSync(temporary)
  const vitest = join(root, "node_modules/vitest/vitest.mjs")
  const reporters = ["--reporter=default", `--reporter=${join(root, "scripts/record.mjs")}`]
  const before = count.failed
  try {
    const { code, late } = await run(
      "running the suites",
      node,
      [vitest, "run", ...reporters, ...(long ? [] : ["--project=!long"]), ...part],
      {
        env: { PATH: path, TMPDIR: temporary, TONGS_TEST_RECORD: record },
        show: true,
        ...(long ? {} : { timeoutSeconds: LIMIT_SECONDS })
      }
    ).finally(() => tally(count, record))
    if (late) say(`✗ the suites did not end within ${LIMIT_SECONDS / 60} minutes`)
    else await expectNothingLeft(count, temporary)
    // A run can fail though every test that ended has passed.
    if (code !== 0 && count.failed === before) count.failed += 1
  } finally {
    signalAll(families(processesOf(temporary).map(({ pid }) => pid)), "SIGKILL")
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const temporaryFolder = () =>
  process.platform !== "win32" && Buffer.byteLength(tmpdir()) > LONGEST_FOLDER ? "/tmp" : tmpdir()

/**
 * Adds up what was recorded, naming what was skipped, what had to be tried again, and what did not come to its end.
 * @param {Count} count
 * @param {string} record
 */
const tally = (count, record) => {
  const begun = new Set()
  for (const line of linesOf(record)) {
    /** @type {import("./record.mjs").Event} */
    const event = JSON.parse(line)
    if (event.at === "begin") begun.add(event.file)
    if (event.at !== "end") continue
    begun.delete(event.file)
    count.passed += event.passed
    count.failed += event.failed
    count.skipped += event.skipped.length
    for (const name of event.skipped) say(`- skipped: ${name}`)
    for (const name of event.again ?? []) say(`- passed when tried again: ${name}`)
  }
  for (const file of begun) say(`✗ did not end: ${file}`)
  count.failed += begun.size
}

/** @param {string} file */
const linesOf = (file) => {
  try {
    return readFileSync(file, "utf8").trimEnd().split("\n")
  } catch {
    say("✗ the suites left no record")
    return []
  }
}

/**
 * A process that outlives the tests is a failure: nobody would end it.
 * @param {Count} count
 * @param {string} folder
 */
const expectNothingLeft = async (count, folder) => {
  for (let waited = 0; waited < LEAVING_SECONDS && processesOf(folder).length > 0; waited++) await sleep(1000)
  for (const { command } of processesOf(folder)) {
    count.failed += 1
    say(`✗ left running: ${command}`)
  }
}

/**
 * Processes that name the folder in which all tests have theirs.
 * @param {string} folder
 */
const processesOf = (folder) => processes().filter(({ command }) => command.includes(folder))
