import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Stream from "effect/Stream"
import { defaults, type CatFileLimits, CatFilePool } from "./CatFilePool.ts"
import type { ObjectResponse, ObjectInfo, ObjectRequest, RequestFailure } from "./CatFileProcess.ts"
import { Git } from "./Git.ts"
import { commandFailed, type GitError, gitError } from "../values/GitError.ts"

/** A git object with the uncompressed content. */
export interface ObjectContents extends ObjectInfo {
  readonly bytes: Buffer
}

/**
 * Reads git objects through a bounded pool of `git cat-file` processes.
 *
 * **Details**
 *
 * A name is a full or abbreviated hexadecimal id, optionally followed by `^{commit}`. Any other name gives `undefined`
 * without running git. Objects that other programs add are visible at once. A hanging process is killed. The pending
 * requests of a dead process are retried one at a time, so only an object that crashes git again fails.
 */
export class CatFile extends Context.Service<
  CatFile,
  {
    /** Type and size. `undefined` if the object does not exist or the abbreviation is ambiguous. */
    info(gitDir: string, name: string): Effect.Effect<ObjectInfo | undefined, GitError>
    /** The whole content. Fails with `TooLarge` above `limit` bytes. */
    contents(gitDir: string, name: string, limit: number): Effect.Effect<ObjectContents | undefined, GitError>
    /** The content of a blob, from a separate process with back-pressure. */
    stream(gitDir: string, oid: string): Stream.Stream<Uint8Array, GitError>
    /** Ends the processes of a git directory that is about to be removed. */
    release(gitDir: string): Effect.Effect<void>
    /** Process ids of the pool. */
    readonly processes: Effect.Effect<ReadonlyArray<number>>
  }
>()("@tongs/service/git/process/CatFile") {
  static readonly layerWith = (limits: Partial<CatFileLimits> = {}): Layer.Layer<CatFile, never, Git> =>
    Layer.effect(
      CatFile,
      Effect.suspend(() => make({ ...defaults, ...limits }))
    )

  static readonly layer: Layer.Layer<CatFile, never, Git> = CatFile.layerWith()
}

/** Above this size git streams an undeltified blob instead of reading the whole blob into memory. */
const BIG_FILE_THRESHOLD = "core.bigFileThreshold=512k"

const objectName = /^[0-9a-f]{4,64}(?:\^\{commit\})?$/

const make = Effect.fnUntraced(function* (limits: CatFileLimits) {
  const git = yield* Git
  const pool = yield* Effect.acquireRelease(
    Effect.sync(
      () => new CatFilePool(limits, (gitDir) => git.start(["cat-file", "--batch-command", "--buffer"], gitDir))
    ),
    (pool) => Effect.promise(() => pool.close())
  )

  const query = (command: ObjectRequest["command"], gitDir: string, name: string, limit: number) =>
    Effect.callback<ObjectResponse | undefined, GitError>((resume) => {
      if (!objectName.test(name)) return resume(Effect.undefined)
      const request: ObjectRequest = {
        command,
        name,
        limit,
        startedAt: performance.now(),
        abandoned: false,
        succeed: (answer) => resume(Effect.succeed(answer)),
        fail: (failure) => resume(Effect.fail(errorOf(failure, request, gitDir)))
      }
      pool.add(gitDir, request)
      return Effect.sync(() => {
        request.abandoned = true
      })
    })

  const errorOf = ({ irregular, stderr, timedOut }: RequestFailure, request: ObjectRequest, gitDir: string) => {
    if (irregular !== undefined) {
      return gitError({ _tag: "Unreadable", path: irregular, detail: "it is not a regular file" })
    }
    return timedOut === true ? timedOutSince(request) : commandFailed(["cat-file", request.name], null, stderr, gitDir)
  }

  const timedOutSince = ({ name, startedAt }: ObjectRequest) =>
    gitError({
      _tag: "TimedOut",
      operation: `git cat-file ${name}`,
      seconds: Math.round((performance.now() - startedAt) / 1000)
    })

  return CatFile.of({
    info: (gitDir, name) => query("info", gitDir, name, 0),
    contents: (gitDir, name, limit) =>
      Effect.flatMap(query("contents", gitDir, name, limit), (answer) =>
        answer === undefined
          ? Effect.undefined
          : answer.bytes === undefined
            ? Effect.fail(gitError({ _tag: "TooLarge", subject: answer.oid, size: answer.size, limit }))
            : Effect.succeed({ ...answer, bytes: answer.bytes })
      ),
    stream: (gitDir, oid) => git.stream(["cat-file", "blob", oid], { gitDir, settings: [BIG_FILE_THRESHOLD] }),
    release: (gitDir) => Effect.sync(() => pool.release(gitDir)),
    processes: Effect.sync(() => pool.pids())
  })
})
