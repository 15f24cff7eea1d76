import { afterEach, vi } from "vitest"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as RunnerStorage from "effect/cluster/RunnerStorage"
import * as ShardId from "effect/cluster/ShardId"
import { ShardLeases } from "./ShardLeases.ts"

afterEach(() => vi.restoreAllMocks())

const address = RunnerAddress.make("10.0.0.1", 4181)
const [one, two] = [ShardId.make("default", 1), ShardId.make("default", 2)]

/** A storage that gives the locks of `held`, and takes `delay` milliseconds of the clock for each answer. */
const setUp = Effect.gen(function* () {
  let now = 1000
  vi.spyOn(performance, "now").mockImplementation(() => now)
  const memory = yield* RunnerStorage.makeMemory
  let held = [one, two]
  let delay = 0
  const answer = Effect.sync(() => {
    now += delay
    return [...held]
  })
  const leases = new ShardLeases()
  const storage = leases.observe({ ...memory, acquire: () => answer, refresh: () => answer })
  return {
    leases,
    storage,
    pass: (milliseconds: number) => (now += milliseconds),
    hold: (shards: typeof held) => (held = shards),
    delayBy: (milliseconds: number) => (delay = milliseconds)
  }
})

it.effect("a lease lasts for the time of the lock, from the moment of the question", () =>
  Effect.gen(function* () {
    const { delayBy, leases, pass, storage } = yield* setUp
    delayBy(3000)
    yield* storage.acquire(address, [one, two])
    assert.isTrue(leases.has("default:1"))
    pass(6999)
    assert.isTrue(leases.has("default:1"))
    pass(1)
    assert.isFalse(leases.has("default:1"))
    assert.strictEqual(leases.size, 0)
  })
)

it.effect("a refresh extends the leases that it confirms, and ends the others at once", () =>
  Effect.gen(function* () {
    const { hold, leases, pass, storage } = yield* setUp
    yield* storage.acquire(address, [one, two])
    const { version } = leases
    pass(5000)
    yield* storage.refresh(address, [one, two])
    assert.strictEqual(leases.version, version)
    pass(9000)
    assert.strictEqual(leases.size, 2)
    hold([two])
    yield* storage.refresh(address, [one, two])
    assert.isFalse(leases.has("default:1"))
    assert.isTrue(leases.has("default:2"))
    assert.notStrictEqual(leases.version, version)
  })
)

it.effect("a lease ends before the lock is released", () =>
  Effect.gen(function* () {
    const { leases, storage } = yield* setUp
    yield* storage.acquire(address, [one, two])
    yield* storage.release(address, one)
    assert.isFalse(leases.has("default:1"))
    yield* storage.releaseAll(address)
    assert.isFalse(leases.has("default:2"))
  })
)
