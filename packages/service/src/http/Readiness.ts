/** Decides whether this process can answer requests, for load balancers (`GET /readyz`). */
import { utimes } from "node:fs/promises"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { ClusterMember } from "../base/ClusterState.ts"
import { rootMessage } from "../base/RootMessage.ts"

export interface Check {
  readonly name: "cluster" | "data" | "database"
  readonly run: Effect.Effect<unknown, unknown>
}

class NotJoined extends Data.TaggedError("NotJoined") {
  override readonly message = "this process has not joined the cluster"
}

/** Maximum time of a check. */
const checkLimit = Duration.seconds(3)

/** Time for which a result is valid, because anyone may ask. */
const validity = Duration.seconds(1)

/** Returns the names of the failing checks, and runs the checks if the last result is not valid any more. */
export type FailingChecks = Effect.Effect<ReadonlyArray<Check["name"]>>

/** Logs each check that begins to fail or succeeds again: responses contain no causes. */
export const make = (checks: ReadonlyArray<Check>): Effect.Effect<FailingChecks> => {
  const failing = new Set<Check["name"]>()

  const succeeded = ({ name }: Check) =>
    failing.delete(name) ? Effect.logWarning(`/readyz: the check ${name} succeeds again`) : Effect.void

  const failed = ({ name }: Check, cause: unknown) => {
    if (failing.has(name)) return Effect.void
    failing.add(name)
    return Effect.logWarning(`/readyz: the check ${name} fails: ${rootMessage(cause)}`)
  }

  const run = (check: Check) =>
    check.run.pipe(
      Effect.catchDefect((defect) => Effect.fail(defect)),
      Effect.timeout(checkLimit),
      Effect.matchEffect({ onFailure: (cause) => failed(check, cause), onSuccess: () => succeeded(check) })
    )

  const all = Effect.forEach(checks, run, { concurrency: "unbounded", discard: true })
  return Effect.cachedWithTTL(
    Effect.map(all, () => [...failing]),
    validity
  )
}

/** The checks of a forge. `folder` is the data folder. */
export const checks = (
  folder: string,
  member: ClusterMember | undefined
): Effect.Effect<ReadonlyArray<Check>, never, SqlClient.SqlClient> =>
  Effect.map(SqlClient.SqlClient, (sql) => [
    { name: "database", run: sql`SELECT 1` },
    { name: "data", run: isWritable(folder) },
    ...(member === undefined
      ? []
      : [
          {
            name: "cluster" as const, // a literal type
            run: Effect.suspend(() => (member.hasJoined() ? Effect.void : Effect.fail(new NotJoined())))
          }
        ])
  ])

/**
 * Changes the time of a folder. A full disk still allows that: reads must go on. At most one call waits for a file
 * system that does not answer, because each takes a thread.
 */
const isWritable = (folder: string) => {
  let waiting: Promise<void> | undefined
  return Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.tryPromise(() => {
      waiting ??= utimes(folder, now / 1000, now / 1000).finally(() => {
        waiting = undefined
      })
      return waiting
    })
  )
}
