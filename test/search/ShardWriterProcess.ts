/**
 * Indexes repositories until it is killed: `node ShardWriterProcess.ts DATA`, with the updates as JSON on stdin. Prints a
 * line when it begins, and one when all updates and the maintenance after them are complete.
 */
import { text } from "node:stream/consumers"
import * as Effect from "effect/Effect"
import { CodeIndex, type IndexedRepository } from "@tongs/service/search/CodeIndex"
import * as SqliteIndex from "@tongs/service/search/sqlite/SqliteIndex"

/** Milliseconds from the last update to the end of its maintenance. */
const MAINTENANCE_MILLIS = 1_500

export interface Update extends IndexedRepository {
  readonly commit: string
}

const program = Effect.gen(function* () {
  const index = yield* CodeIndex
  const updates: ReadonlyArray<Update> = JSON.parse(yield* Effect.promise(() => text(process.stdin)))
  process.stdout.write("begun\n")
  const apply = (update: Update) => index.apply({ repository: update, commit: update.commit, pinned: [] }, () => {})
  yield* Effect.forEach(updates, apply, { concurrency: 4, discard: true })
  yield* Effect.sleep(MAINTENANCE_MILLIS)
  process.stdout.write("complete\n")
})

await Effect.runPromise(Effect.provide(program, SqliteIndex.layer(process.argv[2] ?? "")))
