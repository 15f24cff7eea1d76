/**
 * `npm test`: installs, builds, then every static check and every suite, all of them even if one fails. `--long` adds
 * the suites that take longer than a person waits. The last line counts; each check is one test.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { build, checkMachine, install, turbo } from "./bootstrap.mjs"
import { ensurePrograms } from "./programs.mjs"
import { Failure, run, say } from "./run.mjs"
import { node, root } from "./workspace.mjs"

/** How long every suite together may take; the long ones have no bound but their own. */
const VITEST_SECONDS = 14 * 60

const long = process.argv.includes("--long")

/** The tools call each other by name, and expect Node 24 under its own. */
const toolsPath = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter)

const count = { passed: 0, failed: 0, skipped: 0 }

/**
 * @param {string} title
 * @param {Promise<import("./run.mjs").Result>} result
 */
const check = async (title, result) => {
  const { code, output } = await result
  if (code === 0) {
    count.passed += 1
    say(`✓ ${title}`)
  } else {
    count.failed += 1
    say(`${output.trimEnd()}\n✗ ${title}`)
  }
}

/**
 * A tool of this workspace, on Node 24.
 * @param {string} title
 * @param {ReadonlyArray<string>} args
 */
const tool = (title, [file = "", ...args]) =>
  run(title, node, [join(root, file), ...args], { env: { PATH: toolsPath } })

const suites = async () => {
  const programs = await ensurePrograms()
  const folder = mkdtempSync(join(tmpdir(), "tongs-test-"))
  const report = join(folder, "report.json")
  try {
    const projects = long ? [] : ["--project=!long"]
    const { code } = await run(
      "running the suites",
      node,
      [
        join(root, "node_modules/vitest/vitest.mjs"),
        "run",
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${report}`,
        ...projects
      ],
      {
        env: { PATH: toolsPath, TONGS_TEST_PROGRAMS: programs.join(",") },
        show: true,
        ...(long ? {} : { timeoutSeconds: VITEST_SECONDS })
      }
    )
    const failed = count.failed
    tally(report)
    // A run can fail though every test passed: an error outside of a test, or a run that did not end.
    if (code !== 0 && count.failed === failed) count.failed += 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Adds up vitest's report; a file that could not even be loaded is one failure. Skipped tests are named.
 * @param {string} report
 */
const tally = (report) => {
  let files
  try {
    files = JSON.parse(readFileSync(report, "utf8")).testResults
  } catch {
    say("✗ vitest left no report")
    return
  }
  for (const file of files) {
    if (file.status === "failed" && file.assertionResults.length === 0) count.failed += 1
    for (const test of file.assertionResults) {
      if (test.status === "passed") count.passed += 1
      else if (test.status === "failed") count.failed += 1
      else {
        count.skipped += 1
        say(`- skipped: ${test.fullName}`)
      }
    }
  }
}

try {
  await checkMachine()
  await install("everything")
  await check("build", build("everything"))
  await check("format", tool("checking the format", ["node_modules/oxfmt/bin/oxfmt", "--check"]))
  await check("lint", tool("linting", ["node_modules/oxlint/bin/oxlint", "--type-aware", "--deny-warnings"]))
  await check("unused code (knip)", tool("looking for unused code", ["node_modules/knip/bin/knip.js", "--no-progress"]))
  await check("arrows between packages", tool("checking the arrows", ["scripts/arrows.mjs"]))
  await check(
    "every operation is everywhere (docs/coverage.md)",
    run("looking at every operation", node, [
      "--conditions=@tongs/source",
      join(root, "test/coverage/main.ts"),
      "--check"
    ])
  )
  await check("types", turbo("checking types", ["check", "--continue"]))
  await suites()
} catch (error) {
  if (!(error instanceof Failure)) throw error
  say(error.message)
  count.failed += 1
}
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
process.exitCode = count.failed > 0 ? 1 : 0
