/** The processes of a cluster, as their rows in PostgreSQL tell. */
import { text } from "node:stream/consumers"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type * as RunnerStorage from "effect/cluster/RunnerStorage"
import type * as SqlClient from "effect/sql/SqlClient"
import * as WriteLock from "../storage/postgres/WriteLock.ts"
import { CannotJoin } from "./ClusterMembership.ts"
import {
  interval,
  lockExpiration,
  membersInterval,
  OWNER_PATH,
  PING_PATH,
  questionLimit,
  runnerName
} from "./ClusterSettings.ts"
import * as Forwarder from "./Forwarder.ts"
import type { InternalClient } from "./InternalClient.ts"

/** Pause of a process that has crashed, before it joins again. */
const settleTime = Duration.seconds(5)

/** Maximum time of the question for an owner to one process. */
const peerLimit = Duration.seconds(5)

interface Options {
  /** Name of this process. */
  readonly runner: string
  readonly client: InternalClient
  readonly sql: SqlClient.SqlClient
}

export class ClusterMembers {
  readonly #runner: string
  readonly #client: InternalClient
  readonly #sql: SqlClient.SqlClient
  /** The names of the processes that refresh their rows, with this one. */
  #names: ReadonlySet<string> = new Set()
  /** The processes whose rows are too old. */
  #lost: ReadonlySet<string> = new Set()

  constructor({ client, runner, sql }: Options) {
    this.#runner = runner
    this.#client = client
    this.#sql = sql
  }

  /** Returns the names of the other processes that refresh their rows. */
  others(): ReadonlyArray<string> {
    return [...this.#names].filter((name) => name !== this.#runner).toSorted()
  }

  /**
   * Waits until the locks of an earlier process with this name have expired. Fails if the name is of a running process,
   * or if another process has another data folder.
   */
  admit(storage: RunnerStorage.RunnerStorage["Service"]): Effect.Effect<void, CannotJoin> {
    const refuse = (detail: string) => new CannotJoin({ runner: this.#runner, detail })
    const registered = storage.getRunners.pipe(
      Effect.map((runners) => runners.map(([{ address }]) => runnerName(address))),
      Effect.mapError(({ message }) => refuse(`The database does not answer: ${message}`))
    )
    return Effect.gen({ self: this }, function* () {
      this.#names = new Set(yield* registered)
      for (const peer of this.others()) {
        const answer = yield* Effect.option(this.#client.send(peer, { method: "GET", path: PING_PATH, headers: {} }))
        if (Option.isSome(answer) && answer.value.statusCode === 401) {
          return yield* refuse(
            `The process ${peer} has another key in its data folder. ` +
              "All processes need the same data folder, on a shared file system: check --data"
          )
        }
      }
      const isFree = Effect.map(registered, (names) => !names.includes(this.#runner))
      if (yield* isFree) return
      const waited = yield* isFree.pipe(
        Effect.repeat({ until: (free) => free, schedule: Schedule.spaced(membersInterval) }),
        Effect.timeoutOption(Duration.sum(lockExpiration, Duration.seconds(5)))
      )
      if (Option.isNone(waited)) {
        return yield* refuse(
          "A running process has the same address. Give each process another one with --cluster HOST:PORT"
        )
      }
      // The others own its repositories now. To take them back at once would make the same requests wait again.
      yield* Effect.sleep(settleTime)
    })
  }

  /** Reads the rows. Ends what waits for processes whose rows have become too old: requests, and sessions that write. */
  readonly refresh: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    const rows = yield* Effect.option(this.#sql<{ readonly address: string; readonly isMember: number }>`
      SELECT address, healthy AND last_heartbeat > CAST(now() AS timestamp) - CAST(${interval(lockExpiration)} AS interval)
        AS "isMember"
      FROM cluster_runners`)
    if (Option.isNone(rows)) return
    const namesWith = (value: number) =>
      new Set(rows.value.filter(({ isMember }) => isMember === value).map(({ address }) => address))
    this.#names = namesWith(1)
    // After a pause of the database all rows are old, also that of this process.
    if (!this.#names.has(this.#runner)) return
    // The row of a process that has left is gone.
    const lost = namesWith(0)
    for (const name of lost) {
      this.#client.lose(name)
      if (!this.#lost.has(name)) yield* Effect.ignore(WriteLock.endSessions(this.#sql, name))
    }
    this.#lost = lost
  })

  /** Asks the other processes for the owner of a repository. */
  findOwner(repositoryId: number): Effect.Effect<string, Forwarder.OwnerUnknown> {
    const unknown = () => new Forwarder.OwnerUnknown({ repositoryId })
    const request = { method: "GET", path: `${OWNER_PATH}${repositoryId}`, headers: {} }
    return Effect.gen({ self: this }, function* () {
      for (const peer of this.others()) {
        const answer = Effect.flatMap(this.#client.send(peer, request), (message) =>
          Effect.map(
            Effect.tryPromise(() => text(message)),
            (owner) => (message.statusCode === 200 ? owner : undefined)
          )
        )
        const owner = yield* Effect.orElseSucceed(Effect.timeout(answer, peerLimit), () => undefined)
        if (owner !== undefined) return owner
      }
      return yield* unknown()
    }).pipe(Effect.timeout(questionLimit), Effect.mapError(unknown))
  }
}
