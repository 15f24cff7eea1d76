import type { ObjectRequest, ObjectResponse } from "../git/process/CatFileProcess.ts"
import { type CatFileLimits, defaults, CatFilePool } from "../git/process/CatFilePool.ts"
import * as GitCommand from "../git/process/GitCommand.ts"
import * as GitObject from "../git/values/GitObject.ts"

/** Limits of the git processes: one per repository, which ends after 60 seconds without reads. */
const limits = { ...defaults, perRepository: 1, idleMillis: 60_000 }

/** Limits the cache of git, which is 96 MB by default. */
const settings = ["core.deltaBaseCacheLimit=24m"]

/** Size and content of a file. */
export interface Blob {
  /** Size of the file in bytes. */
  readonly size: number
  /** Content of the file. Undefined if the size exceeds the limit of the read. */
  readonly bytes: Buffer | undefined
}

/** Error for a git object that is damaged, or that a partial clone lacks. */
export class UnreadableObject extends Error {}

/** Reads git blobs through separate `git cat-file` processes. For workers, which do not use Effect. */
export class BlobReader {
  readonly #env = GitCommand.isolatedEnvironment()
  readonly #pool: CatFilePool

  constructor(times: Partial<Pick<CatFileLimits, "hungMillis" | "requestMillis">> = {}) {
    this.#pool = new CatFilePool({ ...limits, ...times }, (gitDir) =>
      GitCommand.start("git", this.#env, ["cat-file", "--batch-command", "--buffer"], { gitDir, settings })
    )
  }

  /**
   * Reads a blob of up to `limit` bytes. Returns undefined if the repository has no blob with the id. Rejects with
   * `UnreadableObject` for an unreadable object, or with another error if git fails.
   */
  async read(gitDir: string, oid: string, limit: number): Promise<Blob | undefined> {
    const answer = await this.#request("contents", gitDir, oid, limit)
    return answer?.type === "blob" ? { size: answer.size, bytes: answer.bytes } : undefined
  }

  /** Reads the names of the files in a tree of up to `limit` bytes. Returns and rejects like `read`. */
  async files(gitDir: string, oid: string, limit: number): Promise<ReadonlyArray<string> | undefined> {
    const answer = await this.#request("contents", gitDir, oid, limit)
    if (answer?.type !== "tree" || answer.bytes === undefined) return undefined
    const entries = GitObject.parseTree(answer.bytes, answer.oid.length === 40 ? "sha1" : "sha256")
    return entries.filter(({ type }) => type === "blob").map(({ name }) => name)
  }

  /** Reads the size of an object in bytes, without its content. Returns and rejects like `read`. */
  async size(gitDir: string, oid: string): Promise<number | undefined> {
    return (await this.#request("info", gitDir, oid, 0))?.size
  }

  #request(
    command: ObjectRequest["command"],
    gitDir: string,
    oid: string,
    limit: number
  ): Promise<ObjectResponse | undefined> {
    return new Promise((resolve, reject) => {
      this.#pool.add(gitDir, {
        command,
        name: oid,
        limit,
        startedAt: performance.now(),
        abandoned: false,
        succeed: resolve,
        fail: ({ isUnreadable, stderr, timedOut }) => {
          const detail = timedOut === true ? "git timed out" : stderr.trim() || "git exited"
          const problem = `git cannot read object ${oid} of ${gitDir}: ${detail}`
          reject(isUnreadable ? new UnreadableObject(problem) : new Error(problem))
        }
      })
    })
  }

  /** Ends the git processes and waits for the exits. */
  close(): Promise<void> {
    return this.#pool.close()
  }
}
