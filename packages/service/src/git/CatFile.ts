import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Stream from "effect/Stream"
import { defaults, type CatFileLimits, CatFilePool } from "./CatFilePool.ts"
import type { ObjectResponse, ObjectInfo, ObjectRequest } from "./CatFileProcess.ts"
import { Git } from "./Git.ts"
import { commandFailed, type GitError, gitError } from "./GitError.ts"

export interface ObjectContents extends ObjectInfo {
  readonly bytes: Buffer
}

/**
 * Objects by their name, through a bounded pool of `git cat-file` processes.
 *
 * **Details**
 *
 * Names are hexadecimal, whole or abbreviated, optionally with `^{commit}`; any other name is not found, without asking
 * git. Objects that other programs add are seen at once. A process that hangs is killed. When a process dies, its
 * unanswered requests are sent again, one by one; an object that kills a process again fails alone.
 */
export class CatFile extends Context.Service<
  CatFile,
  {
    /** Type and size; `undefined` when there is no such object, or the abbreviation is ambiguous. */
    info(gitDir: string, name: string): Effect.Effect<ObjectInfo | undefined, GitError>
    /** With its bytes. `TooLarge` when there are more than `limit` of them. */
    contents(gitDir: string, name: string, limit: number): Effect.Effect<ObjectContents | undefined, GitError>
    /** The bytes of a blob, by a process of its own that waits for the reader. */
    stream(gitDir: string, oid: string): Stream.Stream<Uint8Array, GitError>
    /** Ids of the running processes of the pool. */
    readonly processes: Effect.Effect<ReadonlyArray<number>>
  }
>()("@tongs/service/git/CatFile") {
  static readonly layerWith = (limits: Partial<CatFileLimits> = {}): Layer.Layer<CatFile, never, Git> =>
    Layer.effect(
      CatFile,
      Effect.suspend(() => make({ ...defaults, ...limits }))
    )

  static readonly layer: Layer.Layer<CatFile, never, Git> = CatFile.layerWith()
}

/** Above this size git inflates an undeltified blob piece by piece, instead of holding it in memory. */
const bigFileThreshold = "core.bigFileThreshold=512k"

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
        fail: ({ stderr, timedOut }) =>
          resume(
            Effect.fail(
              timedOut === true ? timedOutSince(request) : commandFailed(["cat-file", name], null, stderr, gitDir)
            )
          )
      }
      pool.add(gitDir, request)
      return Effect.sync(() => {
        request.abandoned = true
      })
    })

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
    stream: (gitDir, oid) => git.stream(["cat-file", "blob", oid], { gitDir, settings: [bigFileThreshold] }),
    processes: Effect.sync(() => pool.pids())
  })
})
