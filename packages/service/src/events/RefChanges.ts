/**
 * Changes references and records their events.
 *
 * Git and the database cannot change in one transaction. First a row for the change is inserted, then the reference
 * moves, then one transaction records the event with its deliveries and deletes the row. If the process is killed in
 * between, `recover` compares the row with git: it records the event if the reference moved, else it deletes the row.
 */
import { randomUUID } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { GitError } from "../git/GitError.ts"
import * as RefName from "../git/RefName.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { PublicUrl } from "../api/PublicUrl.ts"
import type { Urls } from "../api/Urls.ts"
import { EventRows } from "./EventRows.ts"
import { Events } from "./Events.ts"
import type { EventContext } from "./NewEvent.ts"
import type { RefMove } from "./PushPayload.ts"

export class RefChanges extends Context.Service<
  RefChanges,
  {
    /** Runs `write`, which moves a reference, and records the event. Only branches and tags have events. */
    during<A, E>(at: EventContext, move: RefMove, write: Effect.Effect<A, E>): Effect.Effect<A, E>
    /** Records the missing events of reference changes whose process has ended or was interrupted. */
    readonly recover: Effect.Effect<void>
  }
>()("@tongs/service/events/RefChanges") {
  static readonly layer = Layer.effect(
    RefChanges,
    Effect.gen(function* () {
      const table = yield* EventRows
      const events = yield* Events
      const registry = yield* RepositoryRegistry
      const publicUrl = yield* PublicUrl

      const recordEvent = Effect.fnUntraced(function* (at: EventContext, urls: Urls, move: RefMove, id: string) {
        yield* events.record({ ...at, ...(yield* refEvent(at, move)), change: { id, move }, urls })
      })

      /** Logs that an event could not be recorded. The reference has moved, so `recover` will record the event. */
      const owed = (id: string) => (cause: unknown) => Effect.logError(`the event of the change ${id} is owed`, cause)

      const during = <A, E>(at: EventContext, move: RefMove, write: Effect.Effect<A, E>) =>
        Effect.gen(function* () {
          const id = randomUUID()
          const urls = yield* publicUrl.urls
          yield* table.begin({
            id,
            repository_id: at.repository.row.id,
            actor_id: at.actor.id,
            ...move,
            ...urls,
            process: process.pid,
            begun_at: yield* Clock.currentTimeMillis
          })
          const written = yield* Effect.onError(write, () => table.end(id))
          yield* Effect.catchCause(recordEvent(at, urls, move, id), owed(id))
          return written
        }).pipe(Effect.uninterruptible)

      /** Ids of changes whose events `recover` could not record. This process does not retry them. */
      const hopeless = new Set<string>()

      const recover = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        for (const change of yield* table.begun) {
          if (hopeless.has(change.id)) continue
          if (now - change.begun_at < (isRunning(change.process) ? graceMillis : afterlife)) continue
          // Skips repositories that this process does not serve, because it cannot read their references.
          const repository = Option.getOrUndefined(yield* registry.find(change.owner, change.name))
          if (repository === undefined) continue
          const current = (yield* repository.git.ref(change.ref))?.oid ?? null
          if (current !== change.after) {
            // The reference did not move, or another change moved it later.
            yield* table.end(change.id)
            continue
          }
          const { actor, api, html } = change
          hopeless.add(change.id)
          yield* recordEvent({ actor, repository }, { api, html }, change, change.id)
          hopeless.delete(change.id)
        }
      }).pipe(Effect.catch((error) => Effect.logError("events that are owed could not be recorded", error)))

      return RefChanges.of({
        during: (at, move, write) => (/^refs\/(heads|tags)\//.test(move.ref) ? during(at, move, write) : write),
        recover
      })
    })
  )
}

/** Milliseconds after which a change counts as interrupted although its process is running. */
const graceMillis = 60_000

/** Milliseconds that git may continue after the process that started it was killed. */
const afterlife = 5_000

/** True if a process with this id exists, even if it belongs to another user. */
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** Creates the event for the move of a reference (spec part 1 §6.2). */
const refEvent = Effect.fnUntraced(function* (
  { repository }: EventContext,
  { after, before, ref }: RefMove
): Effect.fn.Return<{ type: string; payload: Record<string, unknown> }, GitError> {
  const { git, row } = repository
  const named = {
    ref: RefName.short(ref),
    ref_type: ref.startsWith("refs/tags/") ? "tag" : "branch",
    full_ref: ref,
    pusher_type: "user"
  }
  if (before === null) {
    const payload = { ...named, master_branch: yield* git.head, description: row.description }
    return { type: "CreateEvent", payload }
  }
  if (after === null) return { type: "DeleteEvent", payload: named }
  return { type: "PushEvent", payload: { ref, head: after, before, repository_id: row.id } }
})
