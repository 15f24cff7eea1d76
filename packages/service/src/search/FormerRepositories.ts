/** Removes repositories from the indexes of this process after another process has taken them over. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { RepositoryOwnership } from "../repositories/RepositoryOwnership.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { CodeIndex } from "./CodeIndex.ts"
import { HistoryIndex } from "./history/HistoryIndex.ts"
import { Indexer } from "./Indexer.ts"

/**
 * Time for which the indexes keep a repository of another process. A process that was restarted gets most of its
 * repositories back within minutes, and then needs to index only what has changed.
 */
const keptFor = Duration.hours(6)

/** Interval between two checks, and pause between two removals, which write to the index. */
const checkInterval = Duration.minutes(5)
const removalPause = Duration.millis(100)

/** Removes repositories that this process has not owned for `keptFor`, until interrupted. */
export const remove = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const ownership = yield* RepositoryOwnership
  const index = yield* CodeIndex
  const indexer = yield* Indexer
  const history = yield* HistoryIndex
  /** When each repository of another process is removed, by its id. Infinite after the removal. */
  const due = new Map<number, number>()

  const check = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const foreign = new Map(
      (yield* registry.list).flatMap((row) => (ownership.owns(row.id) ? [] : [[row.id, row] as const]))
    )
    for (const id of due.keys()) if (!foreign.has(id)) due.delete(id)
    for (const [id, row] of foreign) {
      const at = due.get(id)
      if (at === undefined) due.set(id, now + Duration.toMillis(keptFor))
      if (at === undefined || at > now) continue
      due.set(id, Number.POSITIVE_INFINITY)
      for (const served of yield* registry.open([row])) {
        if (ownership.owns(id)) continue
        if (!index.isShared) yield* indexer.forget(served)
        yield* history.forget(served)
        yield* Effect.sleep(removalPause)
      }
    }
  })

  return yield* check.pipe(
    Effect.catchCause((cause) => Effect.logWarning("Former repositories remain in the index for now", cause)),
    Effect.andThen(Effect.sleep(checkInterval)),
    Effect.forever
  )
})
