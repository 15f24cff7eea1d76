/**
 * The budgets of many processes: every step reads and replaces a whole budget, and begins again where another process
 * was faster.
 *
 * **Details**
 *
 * A process keeps the budgets that it knows, so that a step takes one operation of the store when nobody else came
 * between. Steps that come while the store is at work are done together by the next operation. A store that fails is
 * told of in the log, once until it is well again; meanwhile the process goes on with what it knows.
 */
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { basename } from "node:path"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Random from "effect/Random"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Budget from "@tongs/core/limits/Budget"
import * as Limits from "@tongs/core/limits/Limits"
import * as BudgetTransitions from "@tongs/core/limits/BudgetTransitions"
import * as BudgetSnapshot from "@tongs/core/limits/BudgetSnapshot"
import type { BudgetStore } from "@tongs/core/limits/BudgetStore"
import type { HolderStatus } from "@tongs/core/limits/ScopeStatus"
import type { BudgetRecord, BudgetBackend, BudgetBackendFailed } from "./BudgetBackend.ts"

/** A process, as the others are shown it. */
export interface ProcessInfo {
  readonly id: string
  readonly name: string
  readonly pid: number
  readonly host: string
}

/** This process. */
export const currentProcess = Effect.sync((): ProcessInfo => {
  const [, program = "node", ...rest] = process.argv
  const command = rest.find((word) => !word.startsWith("-"))
  const name = basename(program).replace(/\.[cm]?[jt]s$/, "")
  return {
    id: randomUUID().slice(0, 8),
    name: command === undefined ? name : `${name} ${basename(command)}`,
    pid: process.pid,
    host: hostname()
  }
})

/** Steps that lost against others after which one waits a little, for longer each time up to the most, in milliseconds. */
const EAGER = 2
const LONGEST = 1_000

/** Tries after which a store counts as out of order. */
const MAX_TRIES = 100

/** How often a process tells the others what waits in it, in milliseconds: that is for people to see. */
const ANNOUNCE = 2_500

type Step = (budget: Budget.Budget) => Budget.Budget

/** A scope as this process last saw it, and what it wants to do there next. */
interface Known {
  version: string
  budget: Budget.Budget
  steps: Array<{ readonly step: Step; readonly done: Deferred.Deferred<void> }>
  busy: boolean
  /** When this process last told the others what waits in it. */
  announced: number
}

export const make = (documents: BudgetBackend, self: ProcessInfo): BudgetStore["Service"] => {
  const scopes = new Map<string, Known>()
  let versions = 0
  let isWell = true

  const knownOf = (scope: string): Known => {
    const known = scopes.get(scope)
    if (known !== undefined) return known
    const made: Known = { version: "", budget: Budget.empty, steps: [], busy: false, announced: 0 }
    scopes.set(scope, made)
    return made
  }

  const time = Effect.map(Clock.currentTimeMillis, (now) => now + documents.clockOffset())

  const failed = (error: BudgetBackendFailed) =>
    Effect.suspend(() => {
      if (!isWell) return Effect.void
      isWell = false
      return Effect.logWarning(
        `The shared budget cannot be used for now: ${error.message}. This process goes on with what it knows of it.`
      )
    })

  const take = (known: Known, document: BudgetRecord, now: number) =>
    Effect.suspend(() => {
      known.version = document.version
      const budget = BudgetSnapshot.decode(document.body, now)
      if (budget === undefined) {
        return document.body === ""
          ? Effect.void
          : Effect.logWarning(`A budget in ${documents.description} is not readable; it is written anew.`)
      }
      known.budget = budget
      return Effect.void
    })

  /** Does some steps at once, however often it takes until no other process comes between. */
  const perform = Effect.fnUntraced(function* (scope: string, known: Known, steps: ReadonlyArray<Step>) {
    for (let tries = 0; ; tries++) {
      const now = yield* time
      const before = BudgetTransitions.expireHolders(known.budget, now)
      const stepped = steps.reduce((budget, step) => step(budget), before)
      const isChanged = stepped !== known.budget
      // What was read a moment ago need not be looked at again.
      if (!isChanged && tries > 0) return
      const budget = isChanged ? BudgetTransitions.renewHolder(stepped, self.id, now + Limits.HOLDER_TTL) : stepped
      const next = isChanged
        ? { version: `${self.id}.${(versions++).toString(36)}`, body: BudgetSnapshot.encode(budget, now) }
        : undefined
      const exit = yield* Effect.exit(documents.compareAndSet(scope, known.version, next))
      if (Exit.isFailure(exit) || tries >= MAX_TRIES) {
        yield* Option.match(Exit.isFailure(exit) ? Cause.findErrorOption(exit.cause) : Option.none(), {
          onSome: failed,
          onNone: () => Effect.void
        })
        known.budget = budget
        return
      }
      isWell = true
      if (exit.value === undefined) {
        known.version = next?.version ?? known.version
        known.budget = budget
        return
      }
      yield* take(known, exit.value, now)
      if (tries >= EAGER) yield* Effect.sleep(Math.min(LONGEST, 2 ** (tries - EAGER)) * (yield* Random.next))
    }
  })

  const work = Effect.fnUntraced(function* (scope: string, known: Known) {
    known.busy = true
    while (known.steps.length > 0) {
      const steps = known.steps.splice(0)
      yield* perform(
        scope,
        known,
        steps.map(({ step }) => step)
      )
      for (const { done } of steps) Deferred.doneUnsafe(done, Exit.void)
    }
    known.busy = false
  }, Effect.uninterruptible)

  const enter = (scope: string, step: Step): Effect.Effect<void> =>
    Effect.suspend(() => {
      const known = knownOf(scope)
      const done = Deferred.makeUnsafe<void>()
      known.steps.push({ step, done })
      return known.busy ? Deferred.await(done) : work(scope, known)
    })

  const modify: BudgetStore["Service"]["modify"] = <A>(
    scope: string,
    f: (budget: Budget.Budget) => readonly [A, Budget.Budget]
  ) =>
    Effect.suspend(() => {
      const last: { result?: readonly [A] } = {}
      const entered = enter(scope, (budget) => {
        const [result, next] = f(budget)
        last.result = [result]
        return next
      })
      return Effect.flatMap(entered, () =>
        last.result === undefined ? Effect.die(new Error("a step was not taken")) : Effect.succeed(last.result[0])
      )
    })

  const heartbeat: BudgetStore["Service"]["heartbeat"] = Effect.fnUntraced(function* (scope, waiting) {
    const now = yield* time
    const until = now + Limits.HOLDER_TTL
    if (knownOf(scope).budget.holders.has(self.id)) {
      yield* enter(scope, (budget) => BudgetTransitions.renewHolder(budget, self.id, until))
    }
    const known = knownOf(scope)
    if (now < known.announced + ANNOUNCE) return
    known.announced = now
    const { name, pid, host } = self
    const body = JSON.stringify({ name, pid, host, waiting })
    yield* documents
      .putHolder(scope, { holder: self.id, body, until: now + 2 * ANNOUNCE })
      .pipe(Effect.catchTag("BudgetBackendFailed", failed))
  })

  const holders: BudgetStore["Service"]["holders"] = Effect.fnUntraced(function* (scope, budget) {
    const now = yield* time
    const announced = yield* documents
      .holders(scope)
      .pipe(Effect.catchTag("BudgetBackendFailed", (error) => Effect.as(failed(error), [])))
    return announced.flatMap(({ body, holder, until }): ReadonlyArray<HolderStatus> => {
      const told = until > now ? Option.getOrUndefined(readHolder(body)) : undefined
      if (told === undefined) return []
      const counts = [...(budget.holders.get(holder)?.inFlight.values() ?? [])]
      const isThis = holder === self.id
      const waiting = told.waiting.map((one) => ({ reason: undefined, until: undefined, ...one }))
      return [{ ...told, isThis, waiting, inFlight: counts.reduce((sum, count) => sum + count, 0) }]
    })
  })

  const all = Effect.suspend(() =>
    Effect.forEach([...scopes.keys()], (scope) =>
      Effect.map(
        enter(scope, (budget) => budget),
        () => [scope, knownOf(scope).budget] as const // a pair
      )
    )
  )

  return { holder: self.id, isShared: true, clockOffset: documents.clockOffset, modify, all, heartbeat, holders }
}

const readHolder = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({
      name: Schema.String,
      pid: Schema.Int,
      host: Schema.String,
      waiting: Schema.Array(
        Schema.Struct({
          resource: Schema.String,
          endpoint: Schema.String,
          priority: Schema.Literals(["interactive", "normal", "background"]),
          count: Schema.Int,
          reason: Schema.optionalKey(
            Schema.Literals([
              "primary",
              "reserve",
              "points",
              "content",
              "tokens",
              "cpu",
              "pause",
              "probe",
              "concurrency"
            ])
          ),
          until: Schema.optionalKey(Schema.Finite)
        })
      )
    })
  )
)
