/**
 * `npm start [-- ARGS]`: installs and builds what changed, then runs `tongs ARGS` in the folder that the person stands
 * in. Nothing is written to stdout before the program writes to it.
 */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { build, checkMachine, explain, install } from "./bootstrap.mjs"
import { endWithLauncher, Failure, Interrupted, say, SIGNALS } from "./run.mjs"
import { isBuilt, isInstalled, node, program, root, sources } from "./workspace.mjs"

/** npm changes into the workspace before it runs this; only what npm started may trust what npm left in the environment. */
const folder = () => {
  const { INIT_CWD, npm_package_json } = process.env
  return INIT_CWD !== undefined && npm_package_json === join(root, "package.json") && existsSync(INIT_CWD)
    ? INIT_CWD
    : process.cwd()
}

const launch = () => {
  const child = spawn(node, [program, ...process.argv.slice(2)], { cwd: folder(), stdio: "inherit" })
  for (const [signal] of SIGNALS) {
    // At a terminal Ctrl-C reaches the whole group by itself; a second one would cut the program's own ending short.
    process.on(signal, () => (signal === "SIGINT" && process.stdin.isTTY ? undefined : child.kill(signal)))
  }
  child.on("error", (error) => {
    say(`tongs: ${node} could not be started: ${error.message}. Delete node_modules and run this again.`)
    process.exitCode = 1
  })
  child.on("exit", (code, signal) => {
    if (signal === null) return void (process.exitCode = code ?? 1)
    for (const name of SIGNALS.keys()) process.removeAllListeners(name)
    process.kill(process.pid, signal)
  })
}

endWithLauncher()
try {
  if (!(isInstalled("program") && isBuilt(sources()))) {
    await checkMachine()
    await install("program")
    const built = await build("program")
    if (built.code !== 0) throw explain("The build failed", built)
  }
  launch()
} catch (error) {
  if (!(error instanceof Failure)) throw error
  say(error.message)
  process.exitCode = error instanceof Interrupted ? error.exitCode : 1
}
