import { assert, describe, it } from "@effect/vitest"
import type * as Explore from "@tongs/core/explore/Explore"
import { collectResults, searchEvents } from "./SearchStream.ts"

const hit: Explore.FileHit = {
  _tag: "File",
  owner: "octo",
  repo: "hello",
  commit: "c",
  path: "é漢\u{1F600}.ts",
  oid: "o",
  language: null,
  size: 1,
  rank: 1,
  inPath: [],
  chunks: [],
  matchCount: 1,
  why: []
}

const done: Explore.Done = {
  _tag: "Done",
  files: 1,
  matches: 1,
  took: 2,
  incomplete: [],
  facets: { repo: [], language: [], path: [], symbol: [] }
}

/** The events as bytes, cut into pieces of so many. */
const pieces = (all: ReadonlyArray<Explore.SearchEvent>, size: number): ReadonlyArray<Uint8Array> => {
  const bytes = new TextEncoder().encode(all.map((event) => `${JSON.stringify(event)}\n`).join(""))
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size))
}

/** A stream as some browsers have it: only a reader can walk through it. */
const streamOf = (start: (controller: ReadableStreamDefaultController<Uint8Array>) => void, cancel = () => {}) => {
  const stream = new ReadableStream<Uint8Array>({ start, cancel })
  Object.defineProperty(stream, Symbol.asyncIterator, { value: undefined })
  return stream
}

const body = (all: ReadonlyArray<Explore.SearchEvent>, size: number) =>
  streamOf((controller) => {
    for (const piece of pieces(all, size)) controller.enqueue(piece)
    controller.close()
  })

describe("Stream", () => {
  it("reads events however they are cut", async () => {
    for (const size of [1, 2, 3, 7, 10_000]) {
      const read: Array<Explore.SearchEvent> = []
      for await (const event of searchEvents(body([hit, done], size))) read.push(event)
      assert.deepStrictEqual(read, [hit, done], `pieces of ${size}`)
    }
  })

  it("gives everything at the end", async () => {
    const outcome = await collectResults(body([hit, done], 100), 1_000, () => assert.fail("nothing was left to report"))
    assert.deepStrictEqual(outcome, {
      files: [hit],
      total: { files: 1, matches: 1 },
      incomplete: [],
      facets: done.facets,
      took: 2,
      isDone: true
    })
  })

  it("reports what came before the rest does", async () => {
    let end = (): void => {}
    const slow = streamOf((controller) => {
      for (const piece of pieces([hit], 100)) controller.enqueue(piece)
      end = () => {
        for (const piece of pieces([done], 100)) controller.enqueue(piece)
        controller.close()
      }
    })
    const reported: Array<number> = []
    const outcome = await collectResults(slow, 1, ({ files, isDone }) => {
      assert.isFalse(isDone)
      reported.push(files.length)
      end()
    })
    assert.deepStrictEqual(reported, [1])
    assert.isTrue(outcome.isDone)
  })

  it("ends the answer once it has everything", async () => {
    let isCancelled = false
    const endless = streamOf(
      (controller) => {
        for (const piece of pieces([hit, done], 100)) controller.enqueue(piece)
      },
      () => {
        isCancelled = true
      }
    )
    await collectResults(endless, 1_000, () => {})
    assert.isTrue(isCancelled)
  })

  it("says that what was cut off is incomplete", async () => {
    const outcome = await collectResults(body([hit], 100), 1_000, () => {})
    assert.deepStrictEqual([outcome.files.length, outcome.incomplete, outcome.isDone], [1, ["deadline"], true])
  })
})
