import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ProcessStatus from "../../base/ProcessStatus.ts"
import * as OrphanedGit from "./OrphanedGit.ts"

/** The id of an ended process. */
const gone = spawnSync("true").pid

const start = (environment: Readonly<Record<string, string>>, detached = true) =>
  Effect.acquireRelease(
    Effect.sync(() => spawn("sleep", ["60"], { env: { PATH: process.env["PATH"], ...environment }, detached })),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

const signalOf = (child: ChildProcess) =>
  Effect.callback<NodeJS.Signals | null>((resume) => {
    if (child.signalCode !== null) resume(Effect.succeed(child.signalCode))
    else child.once("exit", (_, signal) => resume(Effect.succeed(signal)))
  })

it.live.skipIf(process.platform !== "linux")("ends only processes whose parent of this program has ended", () =>
  Effect.gen(function* () {
    const own = OrphanedGit.environment
    const started = ProcessStatus.read(process.pid)?.startedAt
    const others = yield* Effect.all([
      start({}),
      start(own),
      start({ TONGS_PARENT: "another version" }),
      // In the group of this process.
      start({ TONGS_PARENT: `${gone}-1` }, false)
    ])
    const orphans = yield* Effect.all([
      start({ TONGS_PARENT: `${gone}-1` }),
      // The id of the parent has been reused.
      start({ TONGS_PARENT: `${process.pid}-${Number(started) - 1}` })
    ])
    yield* OrphanedGit.end
    assert.deepStrictEqual(yield* Effect.forEach(orphans, signalOf), ["SIGTERM", "SIGTERM"])
    assert.deepStrictEqual(
      others.map(({ exitCode, signalCode }) => exitCode ?? signalCode),
      [null, null, null, null]
    )
  }).pipe(Effect.scoped)
)
