/**
 * `npm test`: installs, builds, then runs all static checks and all suites, also after a failure. `--long` adds the
 * suites that take minutes each. The last line counts; each check counts as one test.
 *
 * `npm test -- PART…`: after the build, only the test files whose paths contain one of the parts.
 */
import { delimiter, join } from "node:path"
import { build, checkMachine, install } from "./bootstrap.mjs"
import { endWithNpm, Failure, Interrupted, run, say } from "./run.mjs"
import { suites } from "./suites.mjs"
import { node, root } from "./workspace.mjs"

/** The tools call each other, and Node 24, by name. */
const path = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter)

const long = process.argv.includes("--long")
const paths = process.argv.slice(2).filter((word) => word !== "--long")

const count = { passed: 0, failed: 0, skipped: 0 }

/**
 * @param {string} title
 * @param {Promise<{ code: number, output: string }>} result
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
 * Runs a script or tool of this workspace on Node 24.
 * @param {string} title
 * @param {ReadonlyArray<string>} args
 */
const tool = (title, args) => run(title, node, args, { env: { PATH: path } })

/** Checks of one file at a time, which take as long as the check of types. */
const fileChecks = async () => {
  await check("format", tool("checking the format", ["node_modules/oxfmt/bin/oxfmt", "--check"]))
  await check("lint", tool("linting", ["node_modules/oxlint/bin/oxlint", "--type-aware", "--deny-warnings"]))
}

/** Checks of all packages together. */
const packageChecks = async () => {
  await check("unused code (knip)", tool("looking for unused code", ["node_modules/knip/bin/knip.js", "--no-progress"]))
  await check("imports between packages and layers", tool("checking imports", ["scripts/arrows.mjs"]))
  await check(
    "every operation in every program (docs/coverage.md)",
    tool("checking the coverage of operations", ["--conditions=@tongs/source", "test/coverage/main.ts", "--check"])
  )
}

/** Runs two checks at a time, because most use one core. No check needs the build. */
const buildAndCheck = () =>
  Promise.all([
    check("build", build("everything")).then(fileChecks),
    check("types", tool("checking types", ["scripts/tsc.mjs", "--build"])).then(packageChecks)
  ])

endWithNpm()
try {
  await checkMachine()
  await install("everything")
  await (paths.length === 0 ? buildAndCheck() : check("build", build("everything")))
  await suites(count, { long, path, paths })
} catch (error) {
  say(error instanceof Failure ? error.message : String(error instanceof Error ? error.stack : error))
  count.failed += 1
  if (error instanceof Interrupted) process.exitCode = error.exitCode
}
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
if (count.failed > 0) process.exitCode ??= 1
