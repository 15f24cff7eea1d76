/** Logs of jobs: files in the data folder, in a folder for each repository and run. */
import { mkdir, open, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as KeyedSemaphore from "../base/KeyedSemaphore.ts"
import type { Removal } from "../repositories/Removals.ts"
import type { WorkflowJobRow } from "./WorkflowJobRows.ts"

/** Maximum size of a log in bytes: 10 GiB. */
const MAX_SIZE = 10 * 1024 * 1024 * 1024

/** Maximum time without any bytes of an upload. */
const MAX_SILENCE = "5 minutes"

/** An upload begins after the end of the log. */
export class LogGap extends Schema.TaggedError<LogGap>()("LogGap", { size: Schema.Int }) {}

/** The log would exceed the maximum size. */
export class LogTooLarge extends Schema.TaggedError<LogTooLarge>()("LogTooLarge", { limit: Schema.Int }) {}

/** The client ended the upload early. The log keeps the bytes so far. */
export class LogIncomplete extends Schema.TaggedError<LogIncomplete>()("LogIncomplete", { size: Schema.Int }) {}

/** The job of a log. */
export type LogOwner = Pick<WorkflowJobRow, "repository_id" | "run_id" | "id">

export class JobLogs extends Context.Service<
  JobLogs,
  {
    path(owner: LogOwner): string
    /** Size in bytes. Undefined without a log. */
    size(owner: LogOwner): Effect.Effect<number | undefined>
    /** Replaces the bytes after `offset`, and returns the new size. Uploads of one log wait for each other. */
    write<E>(
      owner: LogOwner,
      offset: number,
      bytes: Stream.Stream<Uint8Array, E>
    ): Effect.Effect<number, LogGap | LogTooLarge | LogIncomplete>
    removeRun(repositoryId: number, runId: number): Effect.Effect<void>
    /** The logs of a repository, to remove with the repository. */
    removal(repositoryId: number): Removal
  }
>()("@tongs/service/runs/JobLogs") {
  static readonly layer = (data: string) =>
    Layer.sync(JobLogs, () => {
      const folderOf = (repositoryId: number) => join(data, "run-logs", String(repositoryId))
      const pathOf = ({ id, repository_id, run_id }: LogOwner) =>
        join(folderOf(repository_id), String(run_id), `${id}.log`)
      const uploads = KeyedSemaphore.make(1)

      const size = (owner: LogOwner) =>
        Effect.promise(() =>
          stat(pathOf(owner)).then(
            (facts) => facts.size,
            () => undefined
          )
        )

      /** Appends the stream. After a failure of the disk the log has its previous size. */
      const append = Effect.fnUntraced(function* <E>(
        path: string,
        offset: number,
        bytes: Stream.Stream<Uint8Array, E>
      ): Effect.fn.Return<number, LogTooLarge | LogIncomplete> {
        const opening = Effect.promise(async () => {
          await mkdir(dirname(path), { recursive: true, mode: 0o700 })
          return open(path, offset === 0 ? "w" : "r+", 0o600)
        })
        return yield* Effect.acquireUseRelease(
          opening,
          (file) => {
            let end = offset
            const write = (chunk: Uint8Array) =>
              end + chunk.length > MAX_SIZE
                ? Effect.fail(new LogTooLarge({ limit: MAX_SIZE }))
                : Effect.promise(async () => {
                    for (let at = 0; at < chunk.length;) {
                      const { bytesWritten } = await file.write(chunk, at, chunk.length - at, end)
                      at += bytesWritten
                      end += bytesWritten
                    }
                  })
            const restore = Effect.promise(() => (offset === 0 ? rm(path, { force: true }) : file.truncate(offset)))
            return Effect.promise(() => file.truncate(offset)).pipe(
              Effect.andThen(
                bytes.pipe(
                  Stream.mapError(() => new LogIncomplete({ size: end })),
                  Stream.timeoutOrElse({
                    duration: MAX_SILENCE,
                    orElse: () => Stream.fail(new LogIncomplete({ size: end }))
                  }),
                  Stream.runForEach(write)
                )
              ),
              Effect.mapError((error) => (error._tag === "LogIncomplete" ? new LogIncomplete({ size: end }) : error)),
              Effect.onError((cause) => (cause.reasons.some(({ _tag }) => _tag === "Die") ? restore : Effect.void)),
              Effect.map(() => end)
            )
          },
          (file) => Effect.promise(() => file.close())
        )
      })

      return JobLogs.of({
        path: pathOf,
        size,
        write: (owner, offset, bytes) =>
          uploads.withPermit(pathOf(owner))(
            Effect.gen(function* () {
              const before = (yield* size(owner)) ?? 0
              if (offset > before) return yield* new LogGap({ size: before })
              return yield* append(pathOf(owner), offset, bytes)
            })
          ),
        removeRun: (repositoryId, runId) =>
          Effect.promise(() => rm(join(folderOf(repositoryId), String(runId)), { recursive: true, force: true })),
        removal: (repositoryId) => ({ path: folderOf(repositoryId), digest: null })
      })
    })
}
