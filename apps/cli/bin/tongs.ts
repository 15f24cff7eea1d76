/**
 * The entry of `tongs`. Enables the compile cache before loading the program, so that a second start reads compiled
 * code. Must also load on old versions of Node, to report them: no `import.meta.dirname`, which Node 18 lacks.
 */
import { existsSync, mkdirSync } from "node:fs"
import * as Module from "node:module"
import * as Os from "node:os"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { oldNodeError } from "../src/OldNode.ts"

/** The system's folder for what may be deleted at any time. */
const cacheFolder = (): string => {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env
  if (XDG_CACHE_HOME !== undefined && Path.isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME
  if (process.platform === "win32") return LOCALAPPDATA ?? Os.tmpdir()
  return Path.join(Os.homedir(), process.platform === "darwin" ? "Library/Caches" : ".cache")
}

/** Makes a folder with its parents. Node's own `recursive`, also of the cache, never ends in `/proc`. */
const isMade = (folder: string): boolean => {
  if (existsSync(folder)) return true
  const parent = Path.dirname(folder)
  if (parent === folder || !isMade(parent)) return false
  try {
    mkdirSync(folder, { mode: 0o700 })
    return true
  } catch {
    return existsSync(folder) // another process was faster
  }
}

const load = async () => {
  const cache = Path.join(cacheFolder(), "tongs", "compile")
  // If the folder is not writable, Node goes on without a cache.
  if (process.env.NODE_COMPILE_CACHE === undefined && isMade(cache)) Module.enableCompileCache(cache)
  const { main } = await import("../src/main.ts")
  await main(process.argv.slice(2))
}

/** The oldest major version of Node with all that the program uses. */
const OLDEST = 24

/** The root of the workspace, if this file is in the `apps/cli/dist` of a clone. */
const workspace = Path.join(Path.dirname(fileURLToPath(import.meta.url)), "../../..")

/** The Node 24 that a clone installs. */
const installed = Path.join(workspace, "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node")

/** Runs the program on the Node of the clone. */
const handOver = async () => {
  // Not imported at the top, because the import takes 2 ms, and Node 24 does not need the module.
  const { spawn } = await import("node:child_process")
  const child = spawn(installed, process.argv.slice(1), { stdio: "inherit" })
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    // At a terminal Ctrl-C reaches both by itself.
    process.on(signal, () => void (signal === "SIGINT" && process.stdin.isTTY ? undefined : child.kill(signal)))
  }
  child.on("error", (error) => fail(`tongs: cannot start ${installed}: ${error.message}`))
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128 + Os.constants.signals[signal])
  })
}

const fail = (message: string) => {
  console.error(message)
  process.exitCode = 1
}

if (Number.parseInt(process.versions.node, 10) >= OLDEST) await load()
else if (!existsSync(Path.join(workspace, "pnpm-workspace.yaml"))) {
  fail(oldNodeError(process.versions.node, process.argv.slice(2), process.platform))
} else if (existsSync(installed)) await handOver()
else fail(`tongs: this clone has no Node ${OLDEST}. Run npm start in ${workspace}, which installs it.`)
