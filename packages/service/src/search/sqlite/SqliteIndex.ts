/** The index in one SQLite file, which one thread writes and another reads. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { CodeIndex } from "../CodeIndex.ts"
import { Thread } from "../threads/Thread.ts"

/** In the data folder. */
export const layer = (data: string) =>
  Layer.effect(
    CodeIndex,
    Effect.gen(function* () {
      const filename = join(data, "index.sqlite")
      const start = <Role extends "reader" | "writer">(role: Role) =>
        Effect.acquireRelease(
          Effect.sync(() => new Thread(role)),
          (thread) => thread.kill
        )
      const scope = yield* Effect.scope
      // Not before they are needed: most commands search nothing.
      const writer = yield* Effect.cached(
        Effect.gen(function* () {
          mkdirSync(data, { recursive: true })
          const thread = yield* start("writer")
          yield* thread.call("open", { filename })
          return thread
        }).pipe(Effect.provideService(Scope.Scope, scope))
      )
      const reader = yield* Effect.cached(
        Effect.gen(function* () {
          // It makes the file that this one opens.
          yield* writer
          const thread = yield* start("reader")
          yield* thread.call("open", { filename })
          return thread
        }).pipe(Effect.provideService(Scope.Scope, scope))
      )

      return CodeIndex.of({
        apply: ({ commit, repository }, tell) =>
          Effect.flatMap(writer, (thread) => thread.call("apply", { gitDir: repository.gitDir, commit }, tell)),
        candidates: (query, scope, order) =>
          Stream.unwrap(
            Effect.gen(function* () {
              const thread = yield* reader
              const { batch, cursor } = yield* Effect.acquireRelease(
                thread.call("begin", { query, scope, order }),
                (begun) =>
                  begun.batch.left > 0 ? Effect.ignore(thread.call("end", { cursor: begun.cursor })) : Effect.void
              )
              const rest = Stream.paginate(batch.left, (left) =>
                left === 0
                  ? Effect.succeed([[], Option.none()] as const)
                  : Effect.map(
                      thread.call("next", { cursor }),
                      (next) => [[next], next.left === 0 ? Option.none() : Option.some(next.left)] as const
                    )
              )
              return Stream.concat(Stream.make(batch), rest)
            })
          ),
        states: (repositories) => Effect.flatMap(reader, (thread) => thread.call("states", { repositories })),
        leftOut: (repository, limit) =>
          Effect.flatMap(reader, (thread) => thread.call("leftOut", { repository, limit }))
      })
    })
  )
