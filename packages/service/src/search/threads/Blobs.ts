/** The contents of files, for a thread: through `git cat-file` processes of its own. */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { CatFileProcess } from "../../git/CatFileProcess.ts"
import * as GitCommand from "../../git/GitCommand.ts"

/** Processes at most, each for one repository, and how long one may have nothing to do. */
const maxProcesses = 8
const idleMillis = 60_000

export interface Blob {
  readonly size: number
  /** Absent where they are more than the limit. */
  readonly bytes: Buffer | undefined
}

export class Blobs {
  /** The least recently used first. */
  readonly #processes = new Map<string, CatFileProcess>()
  /** Those that have not ended yet. */
  readonly #children = new Set<ChildProcess>()
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #env = GitCommand.environment()

  /** Undefined where the repository does not have it. */
  read(gitDir: string, oid: string, limit: number): Promise<Blob | undefined> {
    return new Promise((resolve, reject) => {
      this.#process(gitDir).send({
        command: "contents",
        name: oid,
        limit,
        abandoned: false,
        answer: (answer) => resolve(answer?.type === "blob" ? { size: answer.size, bytes: answer.bytes } : undefined),
        fail: (stderr) => reject(new Error(`git cat-file failed: ${stderr.trim() || "it was ended"}`))
      })
    })
  }

  /**
   * Ends the processes, and waits until they are gone: what a thread leaves that is ended from outside, nobody collects.
   */
  async close(): Promise<void> {
    const gone = [...this.#children].map((child) => once(child, "close"))
    for (const gitDir of this.#processes.keys()) this.#end(gitDir)
    await Promise.all(gone)
  }

  #process(gitDir: string): CatFileProcess {
    clearTimeout(this.#timers.get(gitDir))
    const known = this.#processes.get(gitDir)
    this.#processes.delete(gitDir)
    const process = known ?? this.#start(gitDir)
    this.#processes.set(gitDir, process)
    return process
  }

  #start(gitDir: string): CatFileProcess {
    if (this.#processes.size >= maxProcesses) {
      const idle = [...this.#processes].find(([, process]) => process.load === 0)
      if (idle !== undefined) this.#end(idle[0])
    }
    const child = GitCommand.start("git", this.#env, ["cat-file", "--batch-command", "--buffer"], { gitDir })
    child.unref()
    this.#children.add(child)
    child.once("close", () => this.#children.delete(child))
    return new CatFileProcess(child, gitDir, false, {
      idle: () => {
        clearTimeout(this.#timers.get(gitDir))
        this.#timers.set(gitDir, setTimeout(() => this.#end(gitDir), idleMillis).unref())
      },
      died: (dead, left, stderr) => {
        if (this.#processes.get(gitDir) === dead) this.#processes.delete(gitDir)
        for (const request of left) request.fail(stderr)
      }
    })
  }

  #end(gitDir: string): void {
    clearTimeout(this.#timers.get(gitDir))
    this.#timers.delete(gitDir)
    this.#processes.get(gitDir)?.kill()
    this.#processes.delete(gitDir)
  }
}
