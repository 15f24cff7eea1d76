import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Limits, Pool } from "./CatFilePool.ts"
import type { Answer, ObjectInfo, Request } from "./CatFileProcess.ts"
import { Git } from "./Git.ts"
import { commandFailed, type GitError, gitError } from "./GitError.ts"

export interface ObjectContents extends ObjectInfo {
  readonly bytes: Buffer
}

const defaults: Limits = { processes: 8, perRepository: 2, idleMillis: 15_000 }

/**
 * Objects by their name, through a bounded pool of `git cat-file` processes.
 *
 * **Details**
 *
 * Names are hexadecimal, whole or abbreviated, optionally with `^{commit}`; nothing else reaches git, and is simply not
 * found. Objects that other programs add are seen at once. When a process dies, what it left unanswered is asked once
 * more, one by one; an object that kills a process again fails alone.
 */
export class CatFile extends Context.Service<
  CatFile,
  {
    /** Type and size; `undefined` when there is no such object, or the abbreviation is ambiguous. */
    info(gitDir: string, name: string): Effect.Effect<ObjectInfo | undefined, GitError>
    /** With its bytes. `TooLarge` when there are more than `limit` of them. */
    contents(gitDir: string, name: string, limit: number): Effect.Effect<ObjectContents | undefined, GitError>
    /** Process ids that serve now. */
    readonly processes: Effect.Effect<ReadonlyArray<number>>
  }
>()("@tongs/service/git/CatFile") {
  static readonly layerWith = (limits: Partial<Limits> = {}): Layer.Layer<CatFile, never, Git> =>
    Layer.effect(
      CatFile,
      Effect.suspend(() => make({ ...defaults, ...limits }))
    )

  static readonly layer: Layer.Layer<CatFile, never, Git> = CatFile.layerWith()
}

const names = /^[0-9a-f]{4,64}(?:\^\{commit\})?$/

const make = Effect.fnUntraced(function* (limits: Limits) {
  const git = yield* Git
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => new Pool(limits, (gitDir) => git.start(["cat-file", "--batch-command", "--buffer"], gitDir))),
    (pool) => Effect.promise(() => pool.close())
  )

  const ask = (command: Request["command"], gitDir: string, name: string, limit: number) =>
    Effect.callback<Answer | undefined, GitError>((resume) => {
      if (!names.test(name)) return resume(Effect.undefined)
      const request: Request = {
        command,
        name,
        limit,
        abandoned: false,
        answer: (answer) => resume(Effect.succeed(answer)),
        fail: (stderr) => resume(Effect.fail(commandFailed(["cat-file", name], null, stderr, gitDir)))
      }
      pool.add(gitDir, request)
      return Effect.sync(() => {
        request.abandoned = true
      })
    })

  return CatFile.of({
    info: (gitDir, name) => ask("info", gitDir, name, 0),
    contents: (gitDir, name, limit) =>
      Effect.flatMap(ask("contents", gitDir, name, limit), (answer) =>
        answer === undefined
          ? Effect.undefined
          : answer.bytes === undefined
            ? Effect.fail(gitError({ _tag: "TooLarge", what: answer.oid, size: answer.size, limit }))
            : Effect.succeed({ ...answer, bytes: answer.bytes })
      ),
    processes: Effect.sync(() => pool.pids())
  })
})
