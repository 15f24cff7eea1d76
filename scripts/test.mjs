/**
 * `npm test`: installs, builds, then every static check and every suite, all of them even if one fails. `--long` adds
 * the suites that take longer than a person waits. The last line counts; each check is one test.
 *
 * `npm test -- PART…`: only the test files whose paths hold one of these, after the build.
 */
import { delimiter, join } from "node:path"
import { build, checkMachine, install, turbo } from "./bootstrap.mjs"
import { endWithLauncher, Failure, Interrupted, run, say } from "./run.mjs"
import { suites } from "./suites.mjs"
import { node, root } from "./workspace.mjs"

/** The tools call each other by name, and expect Node 24 under its own. */
const toolsPath = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter)

const [long, part] = [process.argv.includes("--long"), process.argv.slice(2).filter((word) => word !== "--long")]

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

/** What must hold of the sources, whatever they do. */
const checks = async () => {
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
}

endWithLauncher()
try {
  await checkMachine()
  await install("everything")
  await check("build", build("everything"))
  if (part.length === 0) await checks()
  await suites(count, { long, part, path: toolsPath })
} catch (error) {
  say(error instanceof Failure ? error.message : String(error instanceof Error ? error.stack : error))
  count.failed += 1
  if (error instanceof Interrupted) process.exitCode = error.exitCode
}
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
if (count.failed > 0) process.exitCode ??= 1
