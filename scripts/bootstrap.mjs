/** Installs the dependencies and builds the program. Runs on Node 20 without dependencies, like all that it imports. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Failure, run, say } from "./run.mjs"
import { isBuilt, isInstalled, markBuilt, markInstalled, root, sources } from "./workspace.mjs"

/** Lines of a failed tool's output that are shown. */
const MAX_LINES = 40

const LOCK_POLL_MILLISECONDS = 100

const lockFile = join(root, ".bootstrap.lock")

/** Fails with `Failure` if Node is too old or git is missing. */
export const checkMachine = async () => {
  if (Number(process.versions.node.split(".")[0]) < 20) {
    throw new Failure(
      `Tongs needs Node 20 or newer; this is ${process.version}. Install a newer one from https://nodejs.org and run this again.`
    )
  }
  if ((await run("looking for git", "git", ["--version"])).code !== 0) {
    throw new Failure("No git on the PATH. Install it (https://git-scm.com/downloads) and run this again.")
  }
}

/**
 * Installs from the lockfile, unless that is done. Throws `Failure`.
 * @param {import("./workspace.mjs").Extent} extent
 */
export const install = (extent) =>
  locked(async () => {
    if (isInstalled(extent)) return
    const filter = extent === "program" ? ["--filter", "tongs-workspace", "--filter", "tongs..."] : []
    const args = [...filter, "install", "--frozen-lockfile", "--reporter", "append-only"]
    const result = await pnpm("installing dependencies", args)
    if (result.code !== 0) throw failureOf("Installing the dependencies failed", result)
    markInstalled(extent)
  })

/**
 * Builds the program or all packages. Skips the program if its sources have not changed since its last build.
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
 * Runs turbo tasks. pnpm puts turbo on the PATH.
 * @param {string} title
 * @param {ReadonlyArray<string>} args
 */
export const turbo = (title, args) =>
  pnpm(title, ["exec", "turbo", "run", ...args, "--output-logs=errors-only", "--log-order=grouped"])

/**
 * Runs the pnpm version of `package.json` with npx.
 * @param {string} title
 * @param {ReadonlyArray<string>} args
 */
const pnpm = (title, args) => {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  return run(title, "npx", ["--yes", packageManager, ...args], {
    env: {
      CI: "true",
      TURBO_TELEMETRY_DISABLED: "1",
      TURBO_NO_UPDATE_NOTIFIER: "1",
      // Overrides `npm --silent start`, which would hide the reason for a failure.
      npm_config_loglevel: "error",
      npm_config_update_notifier: "false",
      npm_config_fetch_retry_mintimeout: "1000",
      npm_config_fetch_retry_maxtimeout: "5000"
    }
  })
}

/** Advice by the output of the tool that failed. @type {ReadonlyArray<readonly [RegExp, string]>} */
const advice = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|dns error|error sending request/i,
    "Cannot reach the package registry. Connect to the network (or name a mirror: npm config set registry URL) and run this again; finished downloads are kept."
  ],
  [
    /ERR_PNPM_OUTDATED_LOCKFILE/,
    "pnpm-lock.yaml does not match the manifests. Run npx pnpm install and commit the lockfile."
  ],
  [/ENOSPC/, "The disk is full. Free about 1 GB and run this again."],
  [
    /EACCES|EROFS/,
    "npm cannot write to a folder, probably in your home. Set HOME to a writable folder and run this again."
  ]
]

/**
 * The end of a failed tool's output, and advice.
 * @param {string} message
 * @param {import("./run.mjs").Result} result
 */
export const failureOf = (message, { output }) => {
  const shown = output.trimEnd().split("\n").slice(-MAX_LINES).join("\n")
  const [, next = "See the output above."] = advice.find(([pattern]) => pattern.test(output)) ?? []
  return new Failure(`${shown}\n\n${message}. ${next}`)
}

/**
 * Runs `work` while no other process of this checkout installs or builds.
 * @template A
 * @param {() => Promise<A>} work
 */
const locked = async (work) => {
  for (let polls = 0; !acquire(); polls++) {
    if (polls === 10) say("tongs: waiting for another process that installs or builds here …")
    await sleep(LOCK_POLL_MILLISECONDS)
  }
  try {
    return await work()
  } finally {
    rmSync(lockFile, { force: true })
  }
}

/** Tries to take the lock. Removes the lock of a process that has died, for the next try. */
const acquire = () => {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: "wx" })
    return true
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
    const holder = holderOf(lockFile)
    if (holder > 0 && !isAlive(holder)) discard(holder)
    return false
  }
}

/**
 * Moves the lock aside before it is removed, and back if another process has taken it in the meantime.
 * @param {number} holder
 */
const discard = (holder) => {
  const aside = `${lockFile}.${process.pid}`
  try {
    renameSync(lockFile, aside)
    if (holderOf(aside) === holder) rmSync(aside, { force: true })
    else renameSync(aside, lockFile)
  } catch {
    // Another process has removed the lock.
  }
}

/** @param {string} file @returns {number} a process id, or 0 */
const holderOf = (file) => {
  try {
    return Number(readFileSync(file, "utf8"))
  } catch {
    return 0
  }
}

/** @param {number} pid */
const isAlive = (pid) => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}
