import { assert, describe, it } from "@effect/vitest"
import type { RepositoryState } from "../workers/WorkerMethods.ts"
import { ShardCatalog } from "./ShardCatalog.ts"

const MEBIBYTE = 1024 * 1024

const repository = (gitDir: string, mebibytes: number, commit: string | null = "c"): RepositoryState => ({
  gitDir,
  commit,
  pinned: [],
  files: 1,
  size: mebibytes * MEBIBYTE,
  leftOut: 0,
  unreadable: 0,
  impreciseSymbols: 0
})

const make = (...shards: ReadonlyArray<ReadonlyArray<RepositoryState>>) => {
  const catalog = new ShardCatalog()
  for (const [at, repositories] of shards.entries()) catalog.set({ shard: at + 1, version: "1", repositories })
  return catalog
}

describe("ShardCatalog", () => {
  it("places a repository in the first idle shard with room", () => {
    const catalog = make([repository("a", 200)], [repository("b", 100)])
    const place = (mebibytes: number, ...reserved: ReadonlyArray<{ shard: number; bytes: number }>) =>
      catalog.place(mebibytes * MEBIBYTE, reserved, 2)
    assert.strictEqual(place(50), 1)
    assert.strictEqual(place(100), 2)
    assert.strictEqual(place(200), 3)
    // Another shard while the first one is written, and the first one again while enough are written.
    assert.strictEqual(place(50, { shard: 1, bytes: 0 }), 2)
    assert.strictEqual(place(50, { shard: 1, bytes: 0 }, { shard: 2, bytes: 0 }), 1)
    // The room that updates in progress take.
    assert.strictEqual(place(50, { shard: 1, bytes: 20 * MEBIBYTE }, { shard: 2, bytes: 0 }), 2)
    // A shard that its first update creates.
    assert.strictEqual(new ShardCatalog().place(1, [], 2), 1)
    assert.strictEqual(new ShardCatalog().place(1, [{ shard: 1, bytes: 1 }], 2), 2)
    // A large repository is alone.
    assert.strictEqual(place(1_000), 3)
    assert.strictEqual(make([]).place(1_000 * MEBIBYTE, [], 2), 1)
    assert.strictEqual(make([repository("large", 1_000)]).place(0, [], 2), 2)
  })

  it("bounds the number of repositories of a shard", () => {
    const many = Array.from({ length: 250 }, (_, at) => repository(`r${at}`, 0))
    assert.strictEqual(make(many).place(0, [], 2), 2)
    assert.strictEqual(make(many.slice(1)).place(0, [], 2), 1)
  })

  it("prefers the first shard with an indexed commit", () => {
    const catalog = make([repository("x", 1, null)], [repository("x", 1, "two")], [repository("x", 1, "three")])
    assert.deepStrictEqual(catalog.shardsOf("x"), [2, 3, 1])
    assert.strictEqual(catalog.state("x")?.commit, "two")
    catalog.set({ shard: 2, version: "2", repositories: [] })
    assert.deepStrictEqual(catalog.shardsOf("x"), [3, 1])
  })

  it("moves the largest repository out of a shard that has grown to twice the bound", () => {
    const grown = make([repository("a", 100), repository("b", 300), repository("c", 113)])
    assert.deepStrictEqual(
      ["a", "b", "c"].map((name) => grown.shardFor(name)),
      [1, undefined, 1]
    )
    assert.strictEqual(grown.place(300 * MEBIBYTE, [], 2), 2)
    const less = make([repository("a", 100), repository("b", 300)], [repository("large", 1_000)])
    assert.deepStrictEqual(
      ["a", "b", "large", "new"].map((name) => less.shardFor(name)),
      [1, 1, 2, undefined]
    )
  })

  it("keeps what it knows of a shard that cannot be read, and forgets a deleted one", () => {
    const catalog = make([repository("x", 1)])
    catalog.set({ shard: 1, isGone: false, detail: "database is locked" })
    assert.deepStrictEqual(catalog.shardsOf("x"), [1])
    catalog.set({ shard: 1, isGone: true, detail: "not a database" })
    assert.deepStrictEqual(catalog.shardsOf("x"), [])
    assert.isUndefined(catalog.state("x"))
    // A file that was never readable gets no repositories.
    catalog.set({ shard: 1, isGone: false, detail: "unable to open" })
    assert.strictEqual(catalog.place(0, [], 2), 2)
  })
})
