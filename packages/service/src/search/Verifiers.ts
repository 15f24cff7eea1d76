/** The threads that look at contents. A hostile regular expression costs a process apart, and nobody else's time. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import type { Symbol } from "@tongs/core/explore/Explore"
import type { Candidate, IndexError } from "./CodeIndex.ts"
import * as Leaves from "./Leaves.ts"
import { Thread } from "./threads/Thread.ts"
import type * as Verification from "./Verification.ts"

/** Processes for regular expressions; each has one at a time. Further ones wait. */
const maxRegexProcesses = 4

/** Milliseconds after which a process is ended that does not stop with its search. */
const patience = 25

export class Verifiers extends Context.Service<
  Verifiers,
  {
    /** Those of the candidates that match. Ended, whatever it does, when interrupted. */
    verify(input: Verification.Input): Effect.Effect<ReadonlyArray<Verification.Hit>, IndexError>
    /** What a file defines. */
    outline(file: Pick<Candidate, "gitDir" | "oid" | "path">): Effect.Effect<ReadonlyArray<Symbol>, IndexError>
  }
>()("@tongs/service/search/Verifiers") {
  static readonly layer = Layer.effect(
    Verifiers,
    Effect.gen(function* () {
      const threads = new Set<Thread<"verifier">>()
      yield* Effect.addFinalizer(() => Effect.forEach(threads, (thread) => thread.kill))
      const permits = yield* Semaphore.make(maxRegexProcesses)

      const start = (limits: { readonly patience?: number } = {}) => {
        const thread = new Thread("verifier", limits)
        threads.add(thread)
        return thread
      }

      /** Texts take no time to look for: their searches share a thread. */
      let shared: Thread<"verifier"> | undefined
      const takeShared = () => {
        if (shared?.isAlive !== true) shared = start()
        return shared
      }

      const idle = new Set<Thread<"verifier">>()
      /** One that nobody uses, and that has stopped whatever it was asked before. */
      const takeThread = () => {
        for (const thread of threads) {
          if (thread.isAlive) continue
          threads.delete(thread)
          idle.delete(thread)
        }
        const thread = [...idle].find((one) => one.isAlive && one.load === 0) ?? start({ patience })
        idle.delete(thread)
        return thread
      }
      const verifyRegex = (input: Verification.Input) =>
        permits.withPermit(
          Effect.acquireUseRelease(
            Effect.sync(takeThread),
            (thread) => thread.call("verify", input),
            (thread) => Effect.sync(() => idle.add(thread))
          )
        )

      return Verifiers.of({
        verify: (input) =>
          Leaves.hasRegex(input.query) ? verifyRegex(input) : Effect.suspend(() => takeShared().call("verify", input)),
        outline: (file) => Effect.suspend(() => takeShared().call("outline", file))
      })
    })
  )
}
