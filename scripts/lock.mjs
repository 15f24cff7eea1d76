/** One process at a time installs or builds in this checkout. */
import { renameSync, rmSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { failureOf } from "./advice.mjs"
import { say } from "./run.mjs"
import { root } from "./workspace.mjs"

const POLL_MILLISECONDS = 100

const lockFile = join(root, ".bootstrap.lock")

/**
 * Runs `work` while no other process of this checkout installs or builds. Throws `Failure` if the checkout is not
 * writable.
 * @template A
 * @param {() => Promise<A>} work
 */
export const locked = async (work) => {
  for (let polls = 0; !acquire(); polls++) {
    if (polls === 10) say("tongs: waiting for another process that installs or builds here …")
    await sleep(POLL_MILLISECONDS)
  }
  try {
    return await work()
  } finally {
    rmSync(lockFile, { force: true })
  }
}

/** Tries to take the lock. Removes the lock of an ended process, for the next try. */
const acquire = () => {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: "wx" })
    return true
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) {
      throw failureOf(`Cannot install or build in ${root}`, String(error))
    }
    const holder = holderOf(lockFile)
    if (holder > 0 && !isAlive(holder)) discard(holder)
    return false
  }
}

/**
 * Moves the lock aside before removal, and back if another process has taken the lock in the meantime.
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
