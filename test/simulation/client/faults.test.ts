/** A thousand things that go wrong on real sockets: every one ends as its failure or as the right answer, in its time. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { Forge } from "@tongs/core/client/Forge"
import type * as Failure from "@tongs/core/contract/Failure"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as FaultyServer from "./FaultyServer.test-support.ts"

/**
 * Milliseconds that a try may take: of what always hangs, of what hangs once and is then to be answered however busy the
 * machine, and of what does not hang.
 */
const [brief, patient, ample] = [1_500, 6_000, 20_000]
const hangs: ReadonlySet<FaultyServer.Fault> = new Set(["silence", "drip", "slowHead", "longer"])

/** Milliseconds within which everything ends: four tries, the waits between them, and what a busy machine adds. */
const deadline = 60_000

/** What a fault is to a read and to a write; the right answer where nothing is said. */
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
const count = 1_000
const repository = { owner: "o", repo: "r" }
const sha = "a".repeat(40)

for (const [name, transport] of [
  ["Node's HTTP client", NodeHttpClient.layerNodeHttp],
  ["fetch", FetchHttpClient.layer]
] as const) {
  it.live(`${name}: nothing is written twice, and every fault ends in its failure or in the right answer`, () =>
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
          Effect.timeoutOrElse(call, { duration: deadline, orElse: () => Effect.die("late") })
        )
        // What breaks a connection or is the service's fault is mended for a read by asking again.
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
      // Nobody holds a lease, and nobody waits.
      const [view] = yield* scheduler.status
      assert.deepInclude({ ...view }, { inFlight: 0, waiting: [] })
    }).pipe(Effect.provide(Layer.merge(Scheduler.layerMemory, transport)), Effect.scoped)
  )
}

const tag = (exit: Exit.Failure<unknown, Failure.Failure>) => {
  const [reason] = exit.cause.reasons
  return reason?._tag === "Fail" ? reason.error._tag : (reason?._tag ?? "nothing")
}
