/**
 * The shards that this process holds, by its own monotonic clock. A process that was stopped or cut off for longer than
 * its locks last knows without asking that it may have lost them.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as RunnerStorage from "effect/cluster/RunnerStorage"
import * as ShardId from "effect/cluster/ShardId"
import { lockExpiration } from "./ClusterSettings.ts"

export class ShardLeases {
  /** The time of `performance.now` until which the lock of each held shard lasts. */
  readonly #until = new Map<string, number>()
  #version = 0

  /** True while the lock of the shard lasts. */
  has(shard: string): boolean {
    return (this.#until.get(shard) ?? 0) > performance.now()
  }

  /** The number of shards whose locks last. */
  get size(): number {
    const now = performance.now()
    return [...this.#until.values()].filter((until) => until > now).length
  }

  /** Changes when a shard was taken or lost. */
  get version(): number {
    return this.#version
  }

  #extend(shards: ReadonlyArray<ShardId.ShardId>, asked: number): void {
    const until = asked + Duration.toMillis(lockExpiration)
    for (const shard of shards) {
      const key = ShardId.toString(shard)
      if (!this.has(key)) this.#version += 1
      this.#until.set(key, until)
    }
  }

  #lose(shards: Iterable<string>): void {
    for (const shard of shards) if (this.#until.delete(shard)) this.#version += 1
  }

  /** Observes all locks that `storage` takes, refreshes and releases. A lock lasts from the moment of the question. */
  observe(storage: RunnerStorage.RunnerStorage["Service"]): RunnerStorage.RunnerStorage["Service"] {
    const asking = <A, E>(effect: Effect.Effect<A, E>, then: (answer: A, asked: number) => void) =>
      Effect.suspend(() => {
        const asked = performance.now()
        return Effect.tap(effect, (answer) => Effect.sync(() => then(answer, asked)))
      })
    return RunnerStorage.RunnerStorage.of({
      ...storage,
      acquire: (address, shards) =>
        asking(storage.acquire(address, shards), (held, asked) => this.#extend(held, asked)),
      refresh: (address, shards) => {
        const wanted = [...shards]
        return asking(storage.refresh(address, wanted), (held, asked) => {
          this.#extend(held, asked)
          const kept = new Set(held.map(ShardId.toString))
          this.#lose(wanted.map(ShardId.toString).filter((shard) => !kept.has(shard)))
        })
      },
      release: (address, shard) =>
        Effect.suspend(() => {
          this.#lose([ShardId.toString(shard)])
          return storage.release(address, shard)
        }),
      releaseAll: (address) =>
        Effect.suspend(() => {
          this.#lose([...this.#until.keys()])
          return storage.releaseAll(address)
        })
    })
  }
}
