/** A thousand network faults on sockets: each call ends in time with the expected failure or the correct response. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { Forge } from "@tongs/core/client/Forge"
import type * as Failure from "@tongs/core/contract/Failure"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import { isLong } from "../../LongTests.test-support.ts"
import * as FaultyServer from "./FaultyServer.test-support.ts"

/**
 * Timeouts of an attempt (milliseconds): for faults that always hang, for faults that hang once and then succeed on a
 * busy machine, and for all other faults.
 */
const [brief, patient, ample] = [1_500, 6_000, 20_000]
const hangs: ReadonlySet<FaultyServer.Fault> = new Set(["silence", "drip", "slowHead", "longer"])

/** Time limit of a call (milliseconds): four attempts, the pauses between attempts, and a margin. */
const DEADLINE = 60_000

/** Expected failures of reads and writes by fault; undefined for a correct response. */
const ends: Readonly<Record<FaultyServer.Fault, Failure.Failure["_tag"] | undefined>> = {
  reset: "Unreachable",
  close: "Unreachable",
  silence: "Unreachable",
  drip: "Unreachable",
  slowHead: "Unreachable",
  halfHead: "Unreachable",
  halfReset: "Unreachable",
  halfClose: "Unreachable",
  longer: "Unreachable",
  shorter: "UnexpectedResponse",
  negative: "Unreachable",
  twoLengths: "Unreachable",
  twoAnswers: undefined,
  badChunk: "Unreachable",
  halfChunk: "Unreachable",
  garbage: "Unreachable",
  badStatus: "Unreachable",
  hugeHead: "Unreachable",
  page: "UnexpectedResponse",
  otherShape: "UnexpectedResponse",
  empty: "UnexpectedResponse",
  early: undefined,
  failed: "ServiceFailed",
  gateway: "ServiceFailed",
  unavailable: "ServiceFailed",
  halfFailed: "Unreachable"
}

const kinds = Object.keys(ends).filter(FaultyServer.isFault)
const count = isLong ? 1_000 : 260
const repository = { owner: "o", repo: "r" }
const sha = "a".repeat(40)

for (const [name, transport] of [
  ["Node's HTTP client", NodeHttpClient.layerNodeHttp],
  ["fetch", FetchHttpClient.layer]
] as const) {
  it.live(`${name}: no write runs twice, and each fault ends in its failure or the correct response`, () =>
    Effect.gen(function* () {
      const server = yield* FaultyServer.make
      const scheduler = yield* Scheduler
      const forge = yield* Forge.make({ baseUrl: server.baseUrl })
      yield* Effect.ignore(forge.request("GET /rate_limit"))

      const wrong: Array<string> = []
      const one = Effect.fnUntraced(function* (index: number) {
        const fault = kinds[index % kinds.length] ?? "reset"
        const turn = Math.floor(index / kinds.length)
        const isWrite = turn % 2 === 0
        const isOnce = turn % 4 > 1
        const branch = `${isOnce ? "once-" : ""}${fault}-${index}`
        const timeout = !hangs.has(fault) ? ample : isOnce && !isWrite ? patient : brief
        const call = isWrite
          ? forge.gitRefs.create({ ...repository, ref: `refs/heads/${branch}`, sha }, { timeout })
          : forge.gitRefs.get({ ...repository, ref: `heads/${branch}` }, { timeout })
        const exit = yield* Effect.exit(
          Effect.timeoutOrElse(call, { duration: DEADLINE, orElse: () => Effect.die("late") })
        )
        // Reads are retried after a broken connection or a server error.
        const mends = isOnce && !isWrite && ends[fault] !== "UnexpectedResponse"
        const expected = mends ? undefined : ends[fault]
        const actual = Exit.isSuccess(exit)
          ? exit.value.ref === `refs/heads/${branch}`
            ? undefined
            : `the answer of ${exit.value.ref}`
          : tag(exit)
        if (actual !== expected) wrong.push(`${branch}: ${actual}, not ${expected}`)
      })
      yield* Effect.forEach(
        Array.from({ length: count }, (_, index) => index),
        one,
        { concurrency: 90, discard: true }
      )

      assert.deepStrictEqual(wrong, [])
      const writes = [...server.arrivals].filter(([key]) => key.startsWith("POST"))
      assert.isAtLeast(writes.length, count / 2 - kinds.length)
      assert.deepStrictEqual(
        writes.filter(([, times]) => times !== 1),
        []
      )
      // No lease is held, and no call waits.
      const [view] = yield* scheduler.status
      assert.deepInclude({ ...view }, { inFlight: 0, waiting: [] })
    }).pipe(Effect.provide(Layer.merge(Scheduler.layerMemory, transport)), Effect.scoped)
  )
}

const tag = (exit: Exit.Failure<unknown, Failure.Failure>) => {
  const [reason] = exit.cause.reasons
  return reason?._tag === "Fail" ? reason.error._tag : (reason?._tag ?? "nothing")
}
