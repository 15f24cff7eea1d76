/**
 * What starts first: it turns on the compile cache, and only then loads the program, so that a second start reads
 * compiled code instead of compiling it again. Where the machine's Node is too old, it hands over to the one that was
 * installed with the program.
 */
import { existsSync, mkdirSync } from "node:fs"
import * as Module from "node:module"
import * as Os from "node:os"
import * as Path from "node:path"

/** The system's folder for what may be deleted at any time. */
const cacheFolder = (): string => {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env
  if (XDG_CACHE_HOME !== undefined && Path.isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME
  if (process.platform === "win32") return LOCALAPPDATA ?? Os.tmpdir()
  return Path.join(Os.homedir(), process.platform === "darwin" ? "Library/Caches" : ".cache")
}

/** Makes a folder and those above it. Node's own `recursive`, also of the cache, never ends in `/proc`. */
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

/** The major version that the program is made for. */
const wanted = 24

/** From `apps/cli/dist` to what is installed for the whole workspace. */
const installed = Path.join(
  import.meta.dirname,
  "../../../node_modules/node/bin",
  process.platform === "win32" ? "node.exe" : "node"
)

const handOver = async () => {
  // Not imported at the top: it takes 2 ms, and the wanted Node does not need it.
  const { spawn } = await import("node:child_process")
  const child = spawn(installed, process.argv.slice(1), { stdio: "inherit" })
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    // At a terminal Ctrl-C reaches both by itself.
    process.on(signal, () => void (signal === "SIGINT" && process.stdin.isTTY ? undefined : child.kill(signal)))
  }
  child.on("error", (error) => give(`${installed} cannot be started: ${error.message}`))
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128 + Os.constants.signals[signal])
  })
}

const give = (reason: string) => {
  console.error(`tongs: ${reason}`)
  process.exitCode = 1
}

if (Number.parseInt(process.versions.node, 10) >= wanted) await load()
else if (existsSync(installed)) await handOver()
else give(`this is Node ${process.versions.node}, and tongs needs Node ${wanted} or newer`)
