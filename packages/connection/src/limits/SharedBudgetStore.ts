/**
 * Rate-limit budgets that several processes share. An update replaces a budget with compare-and-set, and retries if
 * another process was faster.
 *
 * **Details**
 *
 * A process caches the budgets in use, so that an uncontended update takes one operation of the backend. Updates that
 * arrive during an operation are batched into the next one. If the backend fails, the process logs one warning and
 * continues with the cached budgets until the backend works again.
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
import type { HolderStatus } from "@tongs/core/limits/BudgetStatus"
import type { BudgetRecord, BudgetBackend, BudgetBackendFailed } from "./BudgetBackend.ts"

/** A process that shares budgets, as listed by `tongs limits`. */
export interface ProcessInfo {
  readonly id: string
  readonly name: string
  readonly pid: number
  readonly host: string
}

/** Returns the command in the arguments of a process. A word after a flag can be the flag's value. */
export const commandOf = (args: ReadonlyArray<string>): string | undefined => {
  const isCommand = (word: string) => /^[a-z][a-z-]*$/.test(word)
  const found = args.find((word, index) => isCommand(word) && args[index - 1]?.startsWith("-") !== true)
  return found ?? args.find(isCommand)
}

/** Describes this process. */
export const currentProcess = Effect.sync((): ProcessInfo => {
  const [, program = "node", ...rest] = process.argv
  const command = commandOf(rest)
  const name = basename(program).replace(/\.[cm]?[jt]s$/, "")
  return {
    id: randomUUID().slice(0, 8),
    name: command === undefined ? name : `${name} ${command}`,
    pid: process.pid,
    host: hostname()
  }
})

/** Number of retries without a pause after losing a compare-and-set. Later retries back off exponentially. */
const IMMEDIATE_RETRIES = 2

/** Maximum pause between two retries in milliseconds. */
const MAX_PAUSE = 1_000

/** Attempts after which the backend counts as failed. */
const MAX_TRIES = 100

/** Milliseconds between two updates of this process's record, which only `tongs limits` reads. */
const ANNOUNCE_INTERVAL = 2_500

type Step = (budget: Budget.Budget) => Budget.Budget

/** The cached budget of a rate-limit scope, and the updates that wait for the backend. */
interface CachedScope {
  version: string
  budget: Budget.Budget
  steps: Array<{ readonly step: Step; readonly done: Deferred.Deferred<void> }>
  busy: boolean
  /** Epoch milliseconds of the last update of this process's record, by the backend's clock. */
  announcedAt: number
}

/** Creates the budget store of one process over a shared backend. */
export const make = (backend: BudgetBackend, self: ProcessInfo): BudgetStore["Service"] => {
  const scopes = new Map<string, CachedScope>()
  let versions = 0
  let isHealthy = true

  const cacheOf = (scope: string): CachedScope => {
    const existing = scopes.get(scope)
    if (existing !== undefined) return existing
    const created: CachedScope = { version: "", budget: Budget.empty, steps: [], busy: false, announcedAt: 0 }
    scopes.set(scope, created)
    return created
  }

  const time = Effect.map(Clock.currentTimeMillis, (now) => now + backend.clockOffset())

  const failed = (error: BudgetBackendFailed) =>
    Effect.suspend(() => {
      if (!isHealthy) return Effect.void
      isHealthy = false
      return Effect.logWarning(
        `Cannot use the shared rate-limit budget: ${error.message}. This process continues with the budget it last read.`
      )
    })

  const refresh = (cached: CachedScope, record: BudgetRecord, now: number) =>
    Effect.suspend(() => {
      cached.version = record.version
      const budget = BudgetSnapshot.decode(record.body, now)
      if (budget === undefined) {
        return record.body === ""
          ? Effect.void
          : Effect.logWarning(`Cannot read a rate-limit budget in ${backend.description}. It is replaced.`)
      }
      cached.budget = budget
      return Effect.void
    })

  /** Applies a batch of updates to a budget. Retries if another process changes the budget at the same time. */
  const perform = Effect.fnUntraced(function* (scope: string, cached: CachedScope, steps: ReadonlyArray<Step>) {
    for (let tries = 0; ; tries++) {
      const now = yield* time
      const before = BudgetTransitions.expireHolders(cached.budget, now)
      const stepped = steps.reduce((budget, step) => step(budget), before)
      const isChanged = stepped !== cached.budget
      // The previous attempt read the current budget.
      if (!isChanged && tries > 0) return
      const budget = isChanged ? BudgetTransitions.renewHolder(stepped, self.id, now + Limits.HOLDER_TTL) : stepped
      const next = isChanged
        ? { version: `${self.id}.${(versions++).toString(36)}`, body: BudgetSnapshot.encode(budget, now) }
        : undefined
      const exit = yield* Effect.exit(backend.compareAndSet(scope, cached.version, next))
      if (Exit.isFailure(exit) || tries >= MAX_TRIES) {
        yield* Option.match(Exit.isFailure(exit) ? Cause.findErrorOption(exit.cause) : Option.none(), {
          onSome: failed,
          onNone: () => Effect.void
        })
        cached.budget = budget
        return
      }
      isHealthy = true
      if (exit.value === undefined) {
        cached.version = next?.version ?? cached.version
        cached.budget = budget
        return
      }
      yield* refresh(cached, exit.value, now)
      if (tries >= IMMEDIATE_RETRIES)
        yield* Effect.sleep(Math.min(MAX_PAUSE, 2 ** (tries - IMMEDIATE_RETRIES)) * (yield* Random.next))
    }
  })

  const work = Effect.fnUntraced(function* (scope: string, cached: CachedScope) {
    cached.busy = true
    while (cached.steps.length > 0) {
      const steps = cached.steps.splice(0)
      yield* perform(
        scope,
        cached,
        steps.map(({ step }) => step)
      )
      for (const { done } of steps) Deferred.doneUnsafe(done, Exit.void)
    }
    cached.busy = false
  }, Effect.uninterruptible)

  const enter = (scope: string, step: Step): Effect.Effect<void> =>
    Effect.suspend(() => {
      const cached = cacheOf(scope)
      const done = Deferred.makeUnsafe<void>()
      cached.steps.push({ step, done })
      return cached.busy ? Deferred.await(done) : work(scope, cached)
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
        last.result === undefined ? Effect.die(new Error("an update was not applied")) : Effect.succeed(last.result[0])
      )
    })

  const heartbeat: BudgetStore["Service"]["heartbeat"] = Effect.fnUntraced(function* (scope, waiting) {
    const now = yield* time
    const until = now + Limits.HOLDER_TTL
    if (cacheOf(scope).budget.holders.has(self.id)) {
      yield* enter(scope, (budget) => BudgetTransitions.renewHolder(budget, self.id, until))
    }
    const cached = cacheOf(scope)
    if (now < cached.announcedAt + ANNOUNCE_INTERVAL) return
    cached.announcedAt = now
    const { name, pid, host } = self
    const body = JSON.stringify({ name, pid, host, waiting })
    yield* backend
      .putHolder(scope, { holder: self.id, body, until: now + 2 * ANNOUNCE_INTERVAL })
      .pipe(Effect.catchTag("BudgetBackendFailed", failed))
  })

  const holders: BudgetStore["Service"]["holders"] = Effect.fnUntraced(function* (scope, budget) {
    const now = yield* time
    const records = yield* backend
      .holders(scope)
      .pipe(Effect.catchTag("BudgetBackendFailed", (error) => Effect.as(failed(error), [])))
    return records.flatMap(({ body, holder, until }): ReadonlyArray<HolderStatus> => {
      const state = until > now ? Option.getOrUndefined(readHolder(body)) : undefined
      if (state === undefined) return []
      const counts = [...(budget.holders.get(holder)?.inFlight.values() ?? [])]
      const isThis = holder === self.id
      const waiting = state.waiting.map((one) => ({ reason: undefined, until: undefined, ...one }))
      return [{ ...state, isThis, waiting, inFlight: counts.reduce((sum, count) => sum + count, 0) }]
    })
  })

  const all = Effect.suspend(() =>
    Effect.forEach([...scopes.keys()], (scope) =>
      Effect.map(
        enter(scope, (budget) => budget),
        () => [scope, cacheOf(scope).budget] as const // a pair
      )
    )
  )

  return { holder: self.id, isShared: true, clockOffset: backend.clockOffset, modify, all, heartbeat, holders }
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
