/** From a fresh clone to a program that runs: pnpm through npx, the frozen lockfile, a build of what changed. */
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Failure, run, say } from "./run.mjs"
import { isBuilt, isInstalled, markBuilt, markInstalled, root, sources } from "./workspace.mjs"

/** Lines of a failed tool's output that are shown. */
const SHOWN_LINES = 40

/** How often a process that waits for another one's build looks again. */
const LOCK_POLL_MILLISECONDS = 100

const lockFile = join(root, ".bootstrap.lock")

/** Refuses, with what to do, a machine on which nothing that follows could work. */
export const checkMachine = async () => {
  if (Number(process.versions.node.split(".")[0]) < 20) {
    throw new Failure(
      `Tongs needs Node 20 or newer to start, and this is ${process.version}. Install one from https://nodejs.org and run this again.`
    )
  }
  if ((await run("looking for git", "git", ["--version"])).code !== 0) {
    throw new Failure(
      "Tongs needs git, and there is none on the PATH. Install it (https://git-scm.com/downloads) and run this again."
    )
  }
}

/**
 * Installs what the lockfile says, unless that is already so.
 * @param {import("./workspace.mjs").Extent} extent
 */
export const install = (extent) =>
  locked(async () => {
    if (isInstalled(extent)) return
    const filter = extent === "program" ? ["--filter", "tongs-workspace", "--filter", "tongs..."] : []
    const result = await pnpm("installing dependencies", [
      ...filter,
      "install",
      "--frozen-lockfile",
      "--reporter",
      "append-only"
    ])
    if (result.code !== 0) throw explain("The dependencies could not be installed", result)
    markInstalled(extent)
  })

/**
 * Builds the program, or every package, unless the program is already built from these sources.
 * @param {import("./workspace.mjs").Extent} extent
 */
export const build = (extent) =>
  locked(async () => {
    const digest = sources()
    if (extent === "program" && isBuilt(digest)) return { code: 0, output: "" }
    const result = await turbo("building", extent === "program" ? ["build", "--filter=tongs"] : ["build"])
    if (result.code === 0) markBuilt(digest)
    return result
  })

/**
 * Runs turbo tasks, with pnpm where turbo looks for it.
 * @param {string} title
 * @param {ReadonlyArray<string>} args
 */
export const turbo = (title, args) =>
  pnpm(title, ["exec", "turbo", "run", ...args, "--output-logs=errors-only", "--log-order=grouped"])

/**
 * Runs pnpm, at the version that `package.json` names, from npm's own cache.
 * @param {string} title
 * @param {ReadonlyArray<string>} args
 */
export const pnpm = (title, args) => {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  return run(title, "npx", ["--yes", packageManager, ...args], {
    env: {
      CI: "true",
      TURBO_TELEMETRY_DISABLED: "1",
      TURBO_NO_UPDATE_NOTIFIER: "1",
      // `npm --silent start` silences the program's surroundings, not the reasons for a failure.
      npm_config_loglevel: "error",
      npm_config_update_notifier: "false",
      npm_config_fetch_retry_mintimeout: "1000",
      npm_config_fetch_retry_maxtimeout: "5000"
    }
  })
}

/**
 * The failure to show for a step that failed: its output and what to do next.
 * @param {string} what
 * @param {import("./run.mjs").Result} result
 */
export const explain = (what, { output }) => {
  const shown = output.trimEnd().split("\n").slice(-SHOWN_LINES).join("\n")
  const advice =
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|dns error|error sending request/i.test(output)
      ? "The package registry could not be reached. Connect to the network (or name a mirror: npm config set registry URL) and run this again; what is already downloaded is kept."
      : /ERR_PNPM_OUTDATED_LOCKFILE/.test(output)
        ? "pnpm-lock.yaml does not fit the manifests. Run npx pnpm install, and commit the lockfile."
        : /ENOSPC/.test(output)
          ? "The disk is full. Free about 1 GB and run this again."
          : /EACCES|EROFS/.test(output)
            ? "A folder that npm needs cannot be written, most likely in your home: set HOME to one that can, and run this again."
            : "What the tool said is above."
  return new Failure(`${shown}\n\n${what}. ${advice}`)
}

/**
 * Runs `work` while no other process of this checkout installs or builds; work checks afresh what is left to do.
 * A lock whose holder has died is taken over.
 * @template A
 * @param {() => Promise<A>} work
 */
const locked = async (work) => {
  for (let waited = 0; !acquire(); waited += LOCK_POLL_MILLISECONDS) {
    if (waited === 10 * LOCK_POLL_MILLISECONDS)
      say("tongs: another process is installing or building here; waiting for it …")
    await setTimeout(LOCK_POLL_MILLISECONDS)
  }
  try {
    return await work()
  } finally {
    rmSync(lockFile, { force: true })
  }
}

const acquire = () => {
  try {
    const descriptor = openSync(lockFile, "wx")
    writeSync(descriptor, String(process.pid))
    closeSync(descriptor)
    return true
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
    const holder = holderOf(lockFile)
    if (holder !== undefined && !isAlive(holder)) discard(holder)
    return false
  }
}

/**
 * Removes a dead holder's lock: moved aside first, and put back if another process took the lock in between.
 * @param {number} holder
 */
const discard = (holder) => {
  const aside = `${lockFile}.${process.pid}`
  try {
    renameSync(lockFile, aside)
    if (holderOf(aside) === holder) rmSync(aside, { force: true })
    else renameSync(aside, lockFile)
  } catch {
    // Another process was faster; the next look decides.
  }
}

/** @param {string} file */
const holderOf = (file) => {
  try {
    const pid = Number(readFileSync(file, "utf8"))
    return pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

/** @param {number} pid */
const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}
