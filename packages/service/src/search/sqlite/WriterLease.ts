import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import type { DatabaseSync } from "node:sqlite"

const LEASE_MILLIS = 15_000

/** Start of the names of holders: the machine. Containers that share a folder have different host names. */
const machine = `${hostname()} `

/**
 * A lease in the database, so that only one process writes at a time. Expires when the process has ended on this
 * machine, or after 15 seconds without renewal, for example if the process is suspended; later transactions of this
 * process then fail.
 */
export class WriterLease {
  readonly #database: DatabaseSync
  readonly #process = `${machine}${process.pid} ${randomUUID()}`
  #until = 0

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** Acquires or extends the lease. Returns false while another process holds the lease. */
  acquire(): boolean {
    const now = Date.now()
    const until = now + LEASE_MILLIS
    const holder = this.#database.prepare("SELECT process FROM writer").get()?.process
    const ended = hasEnded(holder) ? String(holder) : null
    const { changes } = this.#database
      .prepare(
        `INSERT INTO writer (id, process, until) VALUES (1, ?, ?)
        ON CONFLICT (id) DO UPDATE SET process = excluded.process, until = excluded.until
        WHERE process = excluded.process OR process = ? OR until < ?`
      )
      .run(this.#process, until, ended, now)
    this.#until = until
    return changes > 0
  }

  /** Extends the lease after half of its time. Cheap enough to call often. Throws if the lease is lost. */
  renew(): void {
    if (this.#until - Date.now() > LEASE_MILLIS / 2) return
    if (!this.acquire()) throw lost()
  }

  release(): void {
    this.#database.prepare("DELETE FROM writer WHERE process = ?").run(this.#process)
  }

  /** Runs the work in a transaction. Rolls back and throws if the work throws or another process holds the lease. */
  transaction(work: () => void): void {
    const database = this.#database
    database.exec("BEGIN IMMEDIATE")
    try {
      const holder = database.prepare("SELECT process FROM writer").get()?.process
      if (holder !== this.#process) throw lost()
      work()
      database.exec("COMMIT")
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK")
      throw error
    }
  }
}

/** True if the holder of the lease was a process of this machine that no longer exists. */
const hasEnded = (holder: unknown): boolean => {
  if (typeof holder !== "string" || !holder.startsWith(machine)) return false
  try {
    process.kill(Number.parseInt(holder.slice(machine.length), 10), 0)
    return false
  } catch (error) {
    // The system denies the signal (EPERM) to a process of another user, which exists.
    return error instanceof Error && "code" in error && error.code === "ESRCH"
  }
}

const lost = () =>
  new Error("lost the write lease of the index to another process after a pause of more than 15 seconds")
