/**
 * What starts first: it turns on the compile cache, and only then loads the program, so that a second start reads
 * compiled code instead of compiling it again.
 */
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

// Where the folder cannot be written, Node says so in its result and goes on without a cache.
if (process.env.NODE_COMPILE_CACHE === undefined)
  Module.enableCompileCache(Path.join(cacheFolder(), "tongs", "compile"))

await import("../src/main.ts")
