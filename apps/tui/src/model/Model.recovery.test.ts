/** Failures of the forge: the reason is shown, loaded content stays, and the screen recovers without a key. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as FakeForge from "../FakeForge.test-support.ts"
import * as ModelDriver from "../ModelDriver.test-support.ts"

type Failing = ReturnType<NonNullable<FakeForge.Options["respond"]>>

const failures: ReadonlyArray<readonly [name: string, response: Failing, reason: string]> = [
  ["403", { status: 403, body: { message: "No such luck" } }, "Access denied"],
  ["404", { status: 404, body: { message: "Not Found" } }, "Not found"],
  ["500", { status: 500, body: { message: "broken" } }, "The forge failed with status 500"],
  ["503", { status: 503, body: { message: "down" } }, "The forge failed with status 503"],
  ["refused connection", "refuse", "The forge does not respond"],
  ["hanging forge", "hang", "The forge does not respond"]
]

/** Time in seconds after which a failure is shown, and within which the screen recovers. */
const maxSeconds = { shown: 40, recovered: 10 }

const start = Effect.fnUntraced(function* (isOfList: (path: string) => boolean) {
  let failure: Failing
  let commits: ReadonlyArray<unknown> = FakeForge.commits
  let requests = 0
  const ui = yield* ModelDriver.start({
    respond: (path, query) => {
      if (isOfList(path)) requests++
      if (isOfList(path) && failure !== undefined) return failure
      return path.endsWith("/commits") ? FakeForge.page(path, query, commits) : undefined
    }
  })
  /** Advances the clock by at most this number of seconds until the words are shown. Returns the seconds. */
  const within = Effect.fnUntraced(function* (seconds: number, words: string) {
    for (let passed = 0; passed <= seconds; passed++) {
      for (let turn = 0; turn < 20; turn++) yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
      if (ui.text().join(" ").replace(/\s+/g, " ").includes(words.replace(/ +/g, " "))) return passed
      yield* TestClock.adjust("1 second")
    }
    return assert.fail(`${words} did not appear in ${seconds} s:\n${ui.text().join("\n")}`)
  })
  return {
    ...ui,
    within,
    /** Returns the number of requests of the list. */
    requests: () => requests,
    fail: (next: Failing) => (failure = next),
    replace: (next: ReadonlyArray<unknown>) => (commits = next)
  }
})

const isList = (path: string) => path.endsWith("/commits")
const isCommit = (path: string) => path.includes("/commits/")

describe("recovery", () => {
  for (const [name, response, reason] of failures) {
    it.effect(`of a list after a ${name}, which keeps the loaded rows`, () =>
      Effect.gen(function* () {
        const ui = yield* start(isList)
        yield* ui.within(1, "❯ 0000000  Commit number 0")
        ui.press("j", "j", "j")
        ui.fail(response)
        ui.press("r")
        yield* ui.within(maxSeconds.shown, `! ${reason}`)
        assert.isTrue(ui.text().some((line) => line.includes("❯ 0000000  Commit number 3")))
        ui.fail(undefined)
        ui.replace(FakeForge.commits.slice(1))
        yield* ui.within(maxSeconds.recovered, "3/250 commits")
        assert.isTrue(ui.text().some((line) => line.includes("❯ 0000000  Commit number 3")))
        assert.isFalse(ui.text().some((line) => line.includes(reason)))
      })
    )

    it.effect(`of the first load after a ${name}`, () =>
      Effect.gen(function* () {
        const ui = yield* start(isList)
        ui.fail(response)
        yield* ui.within(maxSeconds.shown, reason)
        yield* ui.within(maxSeconds.shown, "ext attempt in")
        ui.fail(undefined)
        yield* ui.within(maxSeconds.recovered, "❯ 0000000  Commit number 0")
      })
    )

    it.effect(`of a document after a ${name}`, () =>
      Effect.gen(function* () {
        const ui = yield* start(isCommit)
        yield* ui.within(1, "❯ 0000000  Commit number 0")
        ui.press("enter")
        yield* ui.within(1, "3 files changed")
        ui.fail(response)
        ui.press("j", "j", "r")
        yield* ui.within(maxSeconds.shown, `! ${reason}`)
        assert.isTrue(ui.text().some((line) => line.includes("3 files changed")))
        ui.fail(undefined)
        for (let second = 0; second < maxSeconds.recovered; second++) yield* ui.within(0, "3 files changed")
        yield* TestClock.adjust("10 seconds")
        yield* ui.within(0, "3 files changed")
        assert.isFalse(ui.text().some((line) => line.includes(reason)))
      })
    )
  }

  it.effect("not after a 401: says how to sign in, and sends no further request without a key", () =>
    Effect.gen(function* () {
      const ui = yield* start(isList)
      yield* ui.within(1, "❯ 0000000  Commit number 0")
      ui.fail({ status: 401, body: { message: "Bad credentials" } })
      ui.press("r")
      yield* ui.within(maxSeconds.shown, "! The forge rejected the credential. Sign in")
      const before = ui.requests()
      ui.press("j", "k", ...Array.from({ length: 6 }, () => "pagedown"))
      for (let minute = 0; minute < 3; minute++) {
        yield* TestClock.adjust("1 minute")
        yield* ui.within(0, "The forge rejected the credential")
      }
      assert.isAtMost(ui.requests() - before, 1)
      ui.fail(undefined)
      ui.press("r")
      yield* ui.within(maxSeconds.recovered, "❯ 0000000  Commit number")
      assert.isFalse(ui.text().some((line) => line.includes("rejected")))
    })
  )

  it.effect("of a further page", () =>
    Effect.gen(function* () {
      const ui = yield* start(isList)
      yield* ui.within(1, "❯ 0000000  Commit number 0")
      ui.fail("refuse")
      ui.press(...Array.from({ length: 6 }, () => "pagedown"))
      yield* ui.within(maxSeconds.shown, "! The forge does not respond")
      ui.fail(undefined)
      yield* ui.within(maxSeconds.recovered, "❯ 0000000  Commit number 1")
      assert.isFalse(ui.text().some((line) => line.includes("does not respond")))
    })
  )

  it.effect("of the end of a list", () =>
    Effect.gen(function* () {
      const ui = yield* start(isList)
      yield* ui.within(0, "❯ 0000000  Commit number 0")
      ui.fail("refuse")
      ui.press("G")
      yield* ui.within(3, "Loading the end")
      ui.fail(undefined)
      yield* ui.within(maxSeconds.recovered, "❯ 0000000  Commit number 250")
    })
  )

  it.effect("after a rate limit, with the time to wait", () =>
    Effect.gen(function* () {
      const ui = yield* start(isList)
      yield* ui.within(1, "❯ 0000000  Commit number 0")
      ui.fail({ status: 429, headers: { "retry-after": "20" }, body: { message: "secondary rate limit" } })
      ui.press("r")
      yield* TestClock.adjust("2 seconds")
      yield* ui.within(30, "waiting")
      assert.isTrue(ui.text().some((line) => line.includes("❯ 0000000  Commit number 0")))
      ui.fail(undefined)
      ui.replace(FakeForge.commits.slice(0, 5))
      yield* ui.within(30, "1/5 commits")
    })
  )

  it.effect("counts down to the next attempt", () =>
    Effect.gen(function* () {
      const ui = yield* start(isList)
      ui.fail("refuse")
      const seen = new Set<string>()
      ui.watch((lines) => {
        for (const line of lines) for (const [found] of line.matchAll(/ext attempt in \d+ s/g)) seen.add(found)
      })
      yield* ui.within(maxSeconds.shown, "ext attempt in")
      for (let second = 0; second < 20; second++) {
        yield* TestClock.adjust("1 second")
        for (let turn = 0; turn < 10; turn++) yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
      }
      assert.isAtLeast(seen.size, 3, [...seen].join(", "))
    })
  )
})
