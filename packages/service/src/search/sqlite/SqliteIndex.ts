/** The index in one SQLite file, which one thread writes and another reads. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as RcRef from "effect/RcRef"
import * as Stream from "effect/Stream"
import { CodeIndex, type IndexError } from "../CodeIndex.ts"
import { Thread } from "../threads/Thread.ts"

/** In the data folder. */
export const layer = (data: string) =>
  Layer.effect(
    CodeIndex,
    Effect.gen(function* () {
      const filename = join(data, "index.sqlite")
      const start = <Role extends "reader" | "writer">(role: Role) =>
        Effect.acquireRelease(
          Effect.sync(() => new Thread(role, { filename })),
          (thread) => thread.kill
        )
      // Not before they are needed: most commands search nothing.
      const writer = yield* RcRef.make({
        acquire: Effect.suspend(() => {
          mkdirSync(data, { recursive: true })
          return start("writer")
        }),
        idleTimeToLive: "10 seconds"
      })
      const reader = yield* RcRef.make({ acquire: start("reader"), idleTimeToLive: "30 seconds" })

      /** A thread that has ended by itself is not asked again. */
      const borrow = <Role extends "reader" | "writer">(ref: RcRef.RcRef<Thread<Role>>) =>
        Effect.tap(RcRef.get(ref), (thread) =>
          Effect.addFinalizer(() => (thread.isAlive ? Effect.void : RcRef.invalidate(ref)))
        )
      const write = <A>(use: (thread: Thread<"writer">) => Effect.Effect<A, IndexError>) =>
        Effect.scoped(Effect.flatMap(borrow(writer), use))
      // The writer makes the file where there is none.
      const prepared = yield* Effect.cached(write((thread) => thread.call("open", undefined)))
      const read = <A>(use: (thread: Thread<"reader">) => Effect.Effect<A, IndexError>) =>
        Effect.andThen(prepared, Effect.scoped(Effect.flatMap(borrow(reader), use)))

      return CodeIndex.of({
        apply: ({ commit, repository }, tell) =>
          write((thread) => thread.call("apply", { gitDir: repository.gitDir, commit }, tell)),
        candidates: (query, scope, order) =>
          Stream.unwrap(
            Effect.gen(function* () {
              yield* prepared
              const thread = yield* borrow(reader)
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
        states: (repositories) => read((thread) => thread.call("states", { repositories })),
        leftOut: (repository, limit) => read((thread) => thread.call("leftOut", { repository, limit }))
      })
    })
  )
