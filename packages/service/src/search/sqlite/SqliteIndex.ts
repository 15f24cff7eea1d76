import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { CodeIndex, type IndexError, type SearchTarget } from "../CodeIndex.ts"
import * as IndexDatabase from "./IndexDatabase.ts"
import * as IdleWorker from "../workers/IdleWorker.ts"
import type { SearchWorker } from "../workers/SearchWorker.ts"

/** Code index in a SQLite file of the data folder, with one worker thread for writing and one for reading. */
export const layer = (data: string) =>
  Layer.effect(
    CodeIndex,
    Effect.gen(function* () {
      const filename = IndexDatabase.fileIn(data)
      const writer = yield* IdleWorker.make("writer", "10 seconds", { filename })
      const reader = yield* IdleWorker.make("reader", "30 seconds", { filename })

      const write = <A>(use: (thread: SearchWorker<"writer">) => Effect.Effect<A, IndexError>) =>
        Effect.scoped(Effect.flatMap(writer, use))
      // The writer creates the file if necessary. After a failure, the next call tries again.
      const prepared = yield* Effect.cachedWithTTL(
        write((thread) => thread.call("open", undefined)),
        (exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero)
      )
      const read = <A>(use: (thread: SearchWorker<"reader">) => Effect.Effect<A, IndexError>) =>
        Effect.andThen(prepared, Effect.scoped(Effect.flatMap(reader, use)))

      let cursors = 0

      return CodeIndex.of({
        apply: ({ commit, pinned, repository }, onProgress) =>
          write((thread) => thread.call("apply", { gitDir: repository.gitDir, commit, pinned }, onProgress)),
        refine: (millis) => write((thread) => thread.call("refine", { millis })),
        forget: (gitDir) => write((thread) => thread.call("forget", { gitDir })),
        candidates: (query, targets, order) =>
          Stream.unwrap(
            Effect.gen(function* () {
              yield* prepared
              const thread = yield* reader
              const cursor = ++cursors
              // Closes the cursor in the background, because a busy worker would delay the end of the search.
              yield* Effect.addFinalizer(() => Effect.forkDetach(Effect.ignore(thread.call("end", { cursor }))))
              const batch = yield* thread.call("begin", { cursor, query, targets: targets.map(messageOf), order })
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

/** Returns only the properties of a target, because a message to a worker cannot contain functions. */
const messageOf = ({ commit, fullName, gitDir, workTree }: SearchTarget): SearchTarget => ({
  commit,
  fullName,
  gitDir,
  workTree
})
