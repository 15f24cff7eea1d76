/** `npm start [-- ARGS]`: installs and builds changes, then runs `tongs ARGS`. Only `tongs` writes to stdout. */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { failureOf } from "./advice.mjs"
import { build, checkMachine, install } from "./bootstrap.mjs"
import { endWithNpm, Failure, Interrupted, say, signals } from "./run.mjs"
import { isBuilt, isInstalled, node, program, root, sources } from "./workspace.mjs"

/** The caller's folder: npm changes into the workspace. INIT_CWD counts only if npm started this script. */
const folder = () => {
  const { INIT_CWD, npm_package_json } = process.env
  return INIT_CWD !== undefined && npm_package_json === join(root, "package.json") && existsSync(INIT_CWD)
    ? INIT_CWD
    : process.cwd()
}

const launch = () => {
  const child = spawn(node, [program, ...process.argv.slice(2)], { cwd: folder(), stdio: "inherit" })
  for (const signal of signals.keys()) {
    // A terminal sends Ctrl-C to the child too; a second SIGINT would interrupt the child's cleanup.
    process.on(signal, () => (signal === "SIGINT" && process.stdin.isTTY ? undefined : child.kill(signal)))
  }
  child.on("error", (error) => {
    say(`tongs: cannot start ${node}: ${error.message}. Delete node_modules and run this again.`)
    process.exitCode = 1
  })
  child.on("exit", (code, signal) => {
    if (signal === null) return void (process.exitCode = code ?? 1)
    for (const name of signals.keys()) process.removeAllListeners(name)
    process.kill(process.pid, signal)
  })
}

endWithNpm()
try {
  if (!(isInstalled("program") && isBuilt(sources()))) {
    await checkMachine()
    await install("program")
    const built = await build("program")
    if (built.code !== 0) throw failureOf("The build failed", built.output)
  }
  launch()
} catch (error) {
  if (!(error instanceof Failure)) throw error
  say(error.message)
  process.exitCode = error instanceof Interrupted ? error.exitCode : 1
}
