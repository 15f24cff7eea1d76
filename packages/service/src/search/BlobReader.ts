/** The contents of files, for a thread: through `git cat-file` processes of its own. */
import { defaults, CatFilePool } from "../git/CatFilePool.ts"
import * as GitCommand from "../git/GitCommand.ts"

/** One process for each repository. */
const limits = { ...defaults, perRepository: 1, idleMillis: 60_000 }

export interface Blob {
  readonly size: number
  /** Absent where they are more than the limit. */
  readonly bytes: Buffer | undefined
}

/** Git has the object, and cannot read it; or is a partial clone, and has it elsewhere. */
export class UnreadableObject extends Error {}

export class BlobReader {
  readonly #env = GitCommand.isolatedEnvironment()
  readonly #pool = new CatFilePool(limits, (gitDir) =>
    GitCommand.start("git", this.#env, ["cat-file", "--batch-command", "--buffer"], { gitDir })
  )

  /** Undefined where the repository does not have it. */
  read(gitDir: string, oid: string, limit: number): Promise<Blob | undefined> {
    return new Promise((resolve, reject) => {
      this.#pool.add(gitDir, {
        command: "contents",
        name: oid,
        limit,
        startedAt: performance.now(),
        abandoned: false,
        succeed: (answer) => resolve(answer?.type === "blob" ? { size: answer.size, bytes: answer.bytes } : undefined),
        fail: ({ isUnreadable, stderr, timedOut }) => {
          const detail = timedOut === true ? "it gave no answer in time" : stderr.trim() || "it was ended"
          const problem = `git cannot read ${oid} of ${gitDir}: ${detail}`
          reject(isUnreadable ? new UnreadableObject(problem) : new Error(problem))
        }
      })
    })
  }

  /** Ends the processes, and waits until they are gone. */
  close(): Promise<void> {
    return this.#pool.close()
  }
}
