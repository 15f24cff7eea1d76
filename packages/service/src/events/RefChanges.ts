/**
 * Changes references and records the events.
 *
 * Git and the database cannot change in one transaction. First a row for the change is inserted, then the reference
 * moves, then one transaction records the event with all deliveries and effects, and deletes the row. If the process is killed in
 * between, `recover` compares the row with git: a moved reference gets an event, any other row is deleted.
 */
import { randomUUID } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { isRunning } from "../base/RunningProcess.ts"
import type { GitError } from "../git/values/GitError.ts"
import * as RefName from "../git/values/RefName.ts"
import { RepositoryOwnership } from "../repositories/RepositoryOwnership.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import * as Transaction from "../storage/Transaction.ts"
import { PublicUrl } from "../api/PublicUrl.ts"
import type { Urls } from "../api/Urls.ts"
import { type BegunRefChange, EventRows } from "./EventRows.ts"
import { Events } from "./Events.ts"
import type { EventContext } from "./NewEvent.ts"
import type { RefMove } from "./PushPayload.ts"
import { RefChangeEffects } from "./RefChangeEffects.ts"
import * as RefChangeOutcomes from "./RefChangeOutcomes.ts"

/** A reference change whose row is inserted. */
export interface BegunChange {
  readonly id: string
  readonly move: RefMove
  readonly urls: Urls
}

export class RefChanges extends Context.Service<
  RefChanges,
  {
    /** Runs `write`, which moves a reference, and records the event. Only branches and tags have events. */
    during<A, E>(at: EventContext, move: RefMove, write: Effect.Effect<A, E>): Effect.Effect<A, E>
    /** Records that the git process with the id `git` is about to move references. `settle` must follow. */
    begin(at: EventContext, moves: ReadonlyArray<RefMove>, git: number): Effect.Effect<ReadonlyArray<BegunChange>>
    /** Records the references of a repository that is added in the transaction of the caller. `settle` must follow. */
    beginNew(at: EventContext, moves: ReadonlyArray<RefMove>, git: number): Effect.Effect<ReadonlyArray<BegunChange>>
    /**
     * Records the events of changes after git has ended. `hasMoved` is the result that git reported, or `undefined` for
     * a reference without a result, which is then compared with git.
     */
    settle(
      at: EventContext,
      changes: ReadonlyArray<BegunChange>,
      hasMoved: (move: RefMove) => boolean | undefined
    ): Effect.Effect<void>
    /** Records the missing events of reference changes whose process has ended or was interrupted. */
    readonly recover: Effect.Effect<void>
    /**
     * Records the missing events of a repository that another process owned until now. Waits a few seconds for changes
     * that git may still make.
     */
    takeOver(repositoryId: number): Effect.Effect<void>
  }
>()("@tongs/service/events/RefChanges") {
  static readonly layer = Layer.effect(
    RefChanges,
    Effect.gen(function* () {
      const table = yield* EventRows
      const events = yield* Events
      const registry = yield* RepositoryRegistry
      const publicUrl = yield* PublicUrl
      const effects = yield* RefChangeEffects
      const ownership = yield* RepositoryOwnership
      const transaction = yield* Transaction.make

      const recordEvent = Effect.fnUntraced(function* (at: EventContext, { id, move, urls }: BegunChange) {
        yield* events.record({
          ...at,
          ...(yield* refEvent(at, move)),
          change: { id, move },
          effects: yield* effects.prepare(at, move),
          urls
        })
      })

      /** The events that could not be recorded, by repository, oldest first. Later events wait for them. */
      const unrecorded = new Map<number, Array<UnrecordedChange>>()

      /** Records the events of a repository that could not be recorded before. Gives up those that fail for too long. */
      const recordEarlier = Effect.fnUntraced(function* (repositoryId: number) {
        const waiting = unrecorded.get(repositoryId) ?? []
        const earlier = waiting.slice()
        for (const one of earlier) {
          const hasExpired = (yield* Clock.currentTimeMillis) - one.failedAt > WAIT_MILLIS
          const recorded = recordEvent(one.at, one.change)
          yield* hasExpired ? Effect.ignoreCause(recorded) : recorded
          const index = waiting.indexOf(one)
          if (index >= 0) waiting.splice(index, 1)
        }
        if (waiting.length === 0) unrecorded.delete(repositoryId)
      })

      /** Records the event of a change. Only logs a failure, because the event is recorded later. */
      const tryRecord = (at: EventContext, change: BegunChange) => {
        const repositoryId = at.repository.row.id
        const recorded = Effect.suspend(() =>
          unrecorded.has(repositoryId)
            ? Effect.andThen(recordEarlier(repositoryId), recordEvent(at, change))
            : recordEvent(at, change)
        )
        return Effect.catchCause(recorded, (cause) =>
          Effect.gen(function* () {
            // The events of a deleted repository are deleted as well. Without the database, the repository is not deleted.
            const rows = yield* Effect.catchCause(registry.list, () => Effect.undefined)
            if (rows !== undefined && !rows.some(({ id }) => id === repositoryId)) return
            const failedAt = yield* Clock.currentTimeMillis
            const waiting = unrecorded.get(repositoryId) ?? []
            waiting.push({ at, change, failedAt })
            unrecorded.set(repositoryId, waiting)
            yield* Effect.logError(
              `the event of the change ${change.id} could not be recorded now, but will be later`,
              cause
            )
          })
        )
      }

      const insert = Effect.fnUntraced(function* (
        at: EventContext,
        moves: ReadonlyArray<RefMove>,
        git: number | null
      ): Effect.fn.Return<ReadonlyArray<BegunChange>> {
        const urls = yield* publicUrl.urls
        const begun = moves.map((move) => ({ id: randomUUID(), move, urls }))
        const begun_at = yield* Clock.currentTimeMillis
        yield* table.begin(
          begun.map(({ id, move: { after, before, ref } }) => ({
            id,
            repository_id: at.repository.row.id,
            actor_id: at.actor.id,
            ref,
            before,
            after,
            ...urls,
            process: process.pid,
            begun_at,
            git,
            runner: ownership.runner,
            moved: 0
          }))
        )
        return begun
      })

      /** Inserts the rows while this process owns the repository. A change must follow at once. */
      const insertOwned = Effect.fnUntraced(function* (
        at: EventContext,
        moves: ReadonlyArray<RefMove>,
        git: number | null
      ) {
        const { id } = at.repository.row
        if (ownership.runner === null) return yield* insert(at, moves, git)
        const begun = yield* transaction(Effect.andThen(ownership.hold(id), insert(at, moves, git)))
        yield* Effect.onError(ownership.confirm(id), () => Effect.forEach(begun, (change) => table.end(change.id)))
        return begun
      })

      const during = <A, E>(at: EventContext, move: RefMove, write: Effect.Effect<A, E>) =>
        Effect.gen(function* () {
          const begun = yield* insertOwned(at, [move], null)
          const end = () => Effect.forEach(begun, ({ id }) => table.end(id))
          const written = yield* Effect.onError(write, end)
          yield* Effect.forEach(begun, (change) => tryRecord(at, change))
          return written
        }).pipe(Effect.uninterruptible)

      const settle = Effect.fnUntraced(function* (
        at: EventContext,
        changes: ReadonlyArray<BegunChange>,
        hasMoved: (move: RefMove) => boolean | undefined
      ) {
        const { git } = at.repository
        yield* git.noteRefWrites
        for (const change of changes) {
          const compared = RefChangeOutcomes.hasMoved(git, change.move)
          const moved = hasMoved(change.move) ?? (yield* Effect.orElseSucceed(compared, () => undefined))
          if (moved === true) yield* tryRecord(at, change)
          // If git does not answer, `recover` finds the row later.
          else if (moved === false) yield* table.end(change.id)
        }
      }, Effect.uninterruptible)

      /** The times at which this process tries changes again whose events `recover` could not record. */
      const retryAt = new Map<string, number>()

      /** Records the missing events of these changes, and returns the number of changes that are still in progress. */
      const record = Effect.fnUntraced(function* (changes: ReadonlyArray<BegunRefChange>) {
        const now = yield* Clock.currentTimeMillis
        const ready: Array<RefChangeOutcomes.PendingChange> = []
        let inProgress = 0
        for (const change of changes) {
          if ((retryAt.get(change.id) ?? 0) > now) continue
          if (isInProgress(change, now, ownership.runner)) {
            inProgress += 1
            continue
          }
          // Skips repositories that this process does not serve and therefore cannot read.
          const repository = yield* registry.find(change.owner, change.name)
          if (repository !== undefined) ready.push({ change, repository })
        }
        const moved = yield* RefChangeOutcomes.decide(ready)
        for (const { change, repository } of ready) {
          if (!moved.has(change.id)) {
            yield* table.end(change.id)
            continue
          }
          const { actor, api, html, id } = change
          retryAt.set(id, now + RETRY_MILLIS)
          yield* recordEvent({ actor, repository }, { id, move: change, urls: { api, html } })
          retryAt.delete(id)
        }
        return inProgress
      })

      const notRecorded = (error: unknown) =>
        Effect.logError("the events of interrupted changes could not be recorded", error)

      const recover = Effect.suspend(() =>
        Effect.forEach([...unrecorded.keys()], (id) => Effect.ignoreCause(recordEarlier(id)), { discard: true })
      ).pipe(
        Effect.andThen(table.begun),
        Effect.flatMap((begun) => record(begun.filter((change) => ownership.owns(change.repository_id)))),
        Effect.catch(notRecorded),
        Effect.asVoid
      )

      const takeOver = (repositoryId: number) =>
        Effect.flatMap(table.begun, (begun) =>
          record(begun.filter((change) => change.repository_id === repositoryId))
        ).pipe(
          Effect.repeat({ until: (inProgress) => inProgress === 0, times: TAKE_OVER_TRIES, schedule: takeOverPause }),
          Effect.catch(notRecorded),
          Effect.asVoid
        )

      return RefChanges.of({
        during: (at, move, write) =>
          hasEvent(move) ? during(at, move, write) : Effect.andThen(ownership.confirm(at.repository.row.id), write),
        begin: (at, moves, git) => insertOwned(at, moves.filter(hasEvent), git),
        beginNew: (at, moves, git) => insert(at, moves.filter(hasEvent), git),
        settle,
        recover,
        takeOver
      })
    })
  )
}

/** True for the moves of branches and tags. Deleting a missing reference is not a move. */
const hasEvent = ({ after, before, ref }: RefMove) => /^refs\/(heads|tags)\//.test(ref) && before !== after

/** Milliseconds after which a change counts as interrupted although the process is running. */
const GRACE_MILLIS = 60_000

/** Milliseconds that a git command without a known process id may outlive its parent process. */
const UNKNOWN_ORPHAN_MILLIS = 5_000

/**
 * Milliseconds that a git command with a known process id may outlive its parent process. Limited, because ids are
 * reused.
 */
const ORPHAN_MILLIS = 300_000

/** A change whose event could not be recorded, and the time of the first attempt. */
interface UnrecordedChange {
  readonly at: EventContext
  readonly change: BegunChange
  readonly failedAt: number
}

/** Milliseconds for which the later events of a repository wait for an event that cannot be recorded. */
const WAIT_MILLIS = 120_000

/** Milliseconds after which `recover` tries again to record an event. */
const RETRY_MILLIS = 30_000

/** Pauses of a process that takes a repository over, as long as git may outlive its parent process. */
const takeOverPause = Schedule.spaced("250 millis")
const TAKE_OVER_TRIES = 24

/** True while git may still make the change. `owner` is the owner of the repository in a cluster. */
const isInProgress = ({ begun_at, git, process, runner }: BegunRefChange, now: number, owner: string | null) => {
  // Uses the absolute age, because after the clock went back, the event must not wait until the clock has caught up.
  const age = Math.abs(now - begun_at)
  // The earlier owner has lost the repository, and its process ids may be of another machine.
  if (runner !== owner) return age < UNKNOWN_ORPHAN_MILLIS
  return (
    (git !== null && age < ORPHAN_MILLIS && isRunning(git)) ||
    age < (isRunning(process) ? GRACE_MILLIS : UNKNOWN_ORPHAN_MILLIS)
  )
}

/** Creates the event for the move of a reference. */
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
