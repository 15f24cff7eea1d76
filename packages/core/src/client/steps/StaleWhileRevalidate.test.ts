import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { Scheduler } from "../../limits/Scheduler.ts"
import * as ResponseAge from "../ResponseAge.ts"
import { makeMemory } from "../ResponseStore.ts"
import * as Stub from "../TransportStub.test-support.ts"

const test = <E>(name: string, effect: () => Effect.Effect<void, E, Scheduler>) =>
  it.effect(name, () => Effect.provide(effect(), Scheduler.layerMemory))

const ref = { owner: "o", repo: "r", ref: "heads/a" }
const STALE_FOR = 60_000

/** A forge whose branch moves with `version`, and which fails if `version` is `"down"`. */
const moving = () => {
  const state: { version: number | "down" } = { version: 1 }
  const reply = ({ headers, url }: Stub.Sent) => {
    const etag = `"${state.version}"`
    if (state.version === "down") return Stub.json({}, { status: 501 })
    if (headers["if-none-match"] === etag) return new Response(null, { status: 304 })
    const ref = Stub.gitRef("refs/heads/a")
    const at = { ...ref, object: { ...ref.object, sha: String(state.version).padStart(40, "0") } }
    return Stub.json(url.pathname.endsWith("/branches") ? [] : at, { headers: { etag } })
  }
  return { state, reply }
}

/** Waits for background requests. */
const settle = Effect.gen(function* () {
  for (let turn = 0; turn < 200; turn++) yield* Effect.yieldNow
})

test("gives the cached value at once with its age, and the new one to the next call", () =>
  Effect.gen(function* () {
    const { reply, state } = moving()
    const { forge, sent } = yield* Stub.forge(reply)
    const first = yield* forge.gitRefs.get(ref, { staleFor: STALE_FOR })
    assert.strictEqual(ResponseAge.age(first), 0)
    state.version = 2
    yield* TestClock.adjust("10 seconds")
    const stale = yield* forge.gitRefs.get(ref, { staleFor: STALE_FOR })
    assert.deepStrictEqual(stale, first)
    assert.strictEqual(ResponseAge.age(stale), 10_000)
    const fresh = yield* forge.gitRefs.get(ref)
    assert.include(fresh.object.sha, "2")
    assert.strictEqual(ResponseAge.age(fresh), 0)
    // The second call shared the background request of the first.
    assert.strictEqual(sent.length, 2)
  }))

test("revalidates in the background, and resets the age after a 304", () =>
  Effect.gen(function* () {
    const { reply } = moving()
    const { forge, sent } = yield* Stub.forge(reply)
    yield* forge.gitRefs.get(ref)
    yield* TestClock.adjust("50 seconds")
    assert.strictEqual(ResponseAge.age(yield* forge.gitRefs.get(ref, { staleFor: STALE_FOR })), 50_000)
    yield* settle
    assert.strictEqual(sent[1]?.headers["if-none-match"], '"1"')
    yield* TestClock.adjust("50 seconds")
    assert.strictEqual(ResponseAge.age(yield* forge.gitRefs.get(ref, { staleFor: STALE_FOR })), 50_000)
  }))

test("waits for the forge if the cached value is too old or missing", () =>
  Effect.gen(function* () {
    const { reply, state } = moving()
    const { forge } = yield* Stub.forge(reply)
    yield* forge.gitRefs.get(ref, { staleFor: STALE_FOR })
    state.version = 2
    yield* TestClock.adjust(STALE_FOR + 1)
    assert.include((yield* forge.gitRefs.get(ref, { staleFor: STALE_FOR })).object.sha, "2")
  }))

test("keeps the cached value if the forge fails", () =>
  Effect.gen(function* () {
    const { reply, state } = moving()
    const { forge } = yield* Stub.forge(reply)
    yield* forge.gitRefs.get(ref)
    state.version = "down"
    for (const seconds of [10, 20]) {
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(ResponseAge.age(yield* forge.gitRefs.get(ref, { staleFor: STALE_FOR })), seconds * 1_000)
      yield* settle
    }
  }))

test("reports the age of pages and of raw responses", () =>
  Effect.gen(function* () {
    const { forge } = yield* Stub.forge(moving().reply)
    const branches = forge.branches.list({ owner: "o", repo: "r" }, { staleFor: STALE_FOR })
    yield* branches.first
    yield* TestClock.adjust("3 seconds")
    assert.strictEqual(ResponseAge.age(yield* branches.first), 3_000)
    assert.deepStrictEqual(yield* Stream.runCollect(Stream.map(branches.pages, ResponseAge.age)), [3_000])
    const raw = yield* forge.request("GET /repos/o/r/branches", {}, { staleFor: STALE_FOR })
    assert.strictEqual(ResponseAge.age(raw), 3_000)
    assert.strictEqual(raw.headers["x-tongs-cache"], "stale")
  }))

test("never gives a value cached for another credential", () =>
  Effect.gen(function* () {
    const answers = makeMemory()

    const one = yield* Stub.forge(moving().reply, { responseStore: answers, token: Redacted.make("one") })
    yield* one.forge.gitRefs.get(ref, { staleFor: STALE_FOR })
    const other = yield* Stub.forge(() => Stub.json({ message: "No" }, { status: 404 }), {
      responseStore: answers,
      token: Redacted.make("other")
    })
    assert.strictEqual((yield* Effect.flip(other.forge.gitRefs.get(ref, { staleFor: STALE_FOR })))._tag, "NotFound")
    assert.isUndefined(other.sent[0]?.headers["if-none-match"])
    assert.strictEqual(ResponseAge.age(yield* one.forge.gitRefs.get(ref, { staleFor: STALE_FOR })), 0)
  }))
