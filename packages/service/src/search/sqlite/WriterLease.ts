import { randomUUID } from "node:crypto"
import type { DatabaseSync } from "node:sqlite"

const leaseMillis = 15_000

/**
 * A lease in the database, so that only one process writes at a time. It expires after 15 seconds without renewal, for
 * example if its process is killed or suspended; later transactions of this process then fail.
 */
export class WriterLease {
  readonly #database: DatabaseSync
  readonly #process = randomUUID()
  #until = 0

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** Acquires or extends the lease. Returns false while another process holds it. */
  acquire(): boolean {
    const now = Date.now()
    const until = now + leaseMillis
    const { changes } = this.#database
      .prepare(
        `INSERT INTO writer (id, process, until) VALUES (1, ?, ?)
        ON CONFLICT (id) DO UPDATE SET process = excluded.process, until = excluded.until
        WHERE process = excluded.process OR until < ?`
      )
      .run(this.#process, until, now)
    this.#until = until
    return changes > 0
  }

  /** Extends the lease once half of its time has passed. Cheap enough to call often. Throws if the lease is lost. */
  renew(): void {
    if (this.#until - Date.now() > leaseMillis / 2) return
    if (!this.acquire()) throw lost()
  }

  /** Releases the lease. */
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

const lost = () =>
  new Error("lost the write lease of the index to another process after a pause of more than 15 seconds")
