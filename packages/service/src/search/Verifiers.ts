/** The threads that look at contents. A hostile regular expression costs a process apart, and nobody else's time. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import type { Symbol } from "@tongs/core/explore/Explore"
import type { Candidate, IndexError } from "./CodeIndex.ts"
import * as Leaves from "./Leaves.ts"
import * as Resting from "./threads/Resting.ts"
import { Thread } from "./threads/Thread.ts"
import type * as Verification from "./Verification.ts"

/** Processes for regular expressions; each has one at a time. Further ones wait. */
const maxRegexProcesses = 4

/** Milliseconds after which a process is ended that does not stop with its search. */
const patience = 25

/** After which a thread or a process ends that nobody needs: each is a program of its own in memory. */
const idleTime = "1 minute"

export class Verifiers extends Context.Service<
  Verifiers,
  {
    /** Those of the candidates that match. Ended, whatever it does, when interrupted. */
    verify(input: Verification.Input): Effect.Effect<Verification.Output, IndexError>
    /** What a file defines. */
    outline(file: Pick<Candidate, "gitDir" | "oid" | "path">): Effect.Effect<ReadonlyArray<Symbol>, IndexError>
  }
>()("@tongs/service/search/Verifiers") {
  static readonly layer = Layer.effect(
    Verifiers,
    Effect.gen(function* () {
      // Texts take no time to look for: their searches share a thread.
      const shared = yield* Resting.make("verifier", idleTime)
      const useShared = <A>(use: (thread: Thread<"verifier">) => Effect.Effect<A, IndexError>) =>
        Effect.scoped(Effect.flatMap(shared, use))

      const permits = yield* Semaphore.make(maxRegexProcesses)
      const processes = new Set<Thread<"verifier">>()
      yield* Effect.addFinalizer(() => Effect.forEach(processes, (one) => one.end, { concurrency: "unbounded" }))
      const idle = new Set<Thread<"verifier">>()
      /** What ends those that nobody uses when that stays so. */
      const ends = yield* FiberMap.make<Thread<"verifier">>()

      /** One that nobody uses, and that has stopped whatever it was asked before. */
      const take = Effect.suspend(() => {
        for (const one of processes) if (!one.isAlive && processes.delete(one)) idle.delete(one)
        const known = [...idle].find((one) => one.isAlive && one.load === 0)
        if (known !== undefined && idle.delete(known)) return Effect.as(FiberMap.remove(ends, known), known)
        const made = new Thread("verifier", { patience })
        processes.add(made)
        return Effect.succeed(made)
      })
      const putBack = (process: Thread<"verifier">) => {
        idle.add(process)
        const end = Effect.suspend(() => (idle.delete(process) ? process.end : Effect.void))
        return FiberMap.run(ends, process, Effect.delay(end, idleTime))
      }
      const verifyRegex = (input: Verification.Input) =>
        permits.withPermit(Effect.acquireUseRelease(take, (process) => process.call("verify", input), putBack))

      return Verifiers.of({
        verify: (input) =>
          Leaves.hasRegex(input.query) ? verifyRegex(input) : useShared((thread) => thread.call("verify", input)),
        outline: (file) => useShared((thread) => thread.call("outline", file))
      })
    })
  )
}
