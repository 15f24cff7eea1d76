/**
 * One process writes at a time. One that was killed loses its turn after some seconds, and so does one that was
 * suspended: what it writes afterwards is refused. It runs in a thread without Effect, hence the clock of the system.
 */
import { randomUUID } from "node:crypto"
import type { DatabaseSync } from "node:sqlite"

const leaseMillis = 15_000

export class WriterLease {
  readonly #database: DatabaseSync
  readonly #process = randomUUID()
  #until = 0

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** Whether this process may write now. */
  take(): boolean {
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

  /** Goes on writing. To be called often; mostly it does nothing. */
  renew(): void {
    if (this.#until - Date.now() > leaseMillis / 2) return
    if (!this.take()) throw lost()
  }

  give(): void {
    this.#database.prepare("DELETE FROM writer WHERE process = ?").run(this.#process)
  }

  /** All of the work or nothing of it, and nothing once another process may write. */
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

const lost = () => new Error("another process writes the index: this one was away for too long")
