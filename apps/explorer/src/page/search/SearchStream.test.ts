import { assert, describe, it } from "@effect/vitest"
import type { CommitHit, Done, FileHit, SearchEvent } from "@tongs/core/contract/groups/CodeSearch"
import { searchEvents } from "../api/SearchEvents.ts"
import { collectResults } from "./SearchStream.ts"

const hit: FileHit = {
  _tag: "File",
  owner: "octo",
  repo: "hello",
  commit: "c",
  path: "é漢\u{1F600}.ts",
  oid: "o",
  language: null,
  size: 1,
  rank: 1,
  in_path: [],
  chunks: [],
  match_count: 1,
  why: []
}

const { in_path: inPath, match_count: matchCount, ...rest } = hit
const result = { ...rest, inPath, matchCount }

const done: Done = {
  _tag: "Done",
  files: 1,
  matches: 1,
  took: 2,
  incomplete: [],
  facets: { repo: [], language: [], path: [], symbol: [] },
  facets_complete: true,
  notes: []
}

const person = { name: "Ann", email: "ann@example.org", date: "2024-01-31T12:00:00Z" }
const commit: CommitHit = {
  _tag: "Commit",
  owner: "octo",
  repo: "hello",
  sha: "c",
  author: person,
  committer: person,
  message: "Fix",
  in_message: [],
  files: []
}

/** The events as chunks of `size` bytes. */
const encode = (all: ReadonlyArray<SearchEvent>, size: number): ReadonlyArray<Uint8Array> => {
  const bytes = new TextEncoder().encode(all.map((event) => `${JSON.stringify(event)}\n`).join(""))
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size))
}

/** A stream without async iteration, as in some browsers. */
const streamOf = (start: (controller: ReadableStreamDefaultController<Uint8Array>) => void, cancel = () => {}) => {
  const stream = new ReadableStream<Uint8Array>({ start, cancel })
  Object.defineProperty(stream, Symbol.asyncIterator, { value: undefined })
  return stream
}

const body = (all: ReadonlyArray<SearchEvent>, size: number) =>
  streamOf((controller) => {
    for (const chunk of encode(all, size)) controller.enqueue(chunk)
    controller.close()
  })

describe("SearchStream", () => {
  it("collects commits and the explanations of the forge", async () => {
    const events = [commit, { ...done, notes: ["No repository has the revision x."] }]
    const results = await collectResults(body(events, 100), 1_000, () => {})
    assert.deepStrictEqual([results.commits, results.notes], [[commit], ["No repository has the revision x."]])
    assert.isUndefined((await collectResults(body([hit, done], 100), 1_000, () => {})).commits)
  })

  it("parses events across chunk borders", async () => {
    for (const size of [1, 2, 3, 7, 10_000]) {
      const read: Array<SearchEvent> = []
      for await (const event of searchEvents(body([hit, done], size))) read.push(event)
      assert.deepStrictEqual(read, [hit, done], `chunks of ${size} bytes`)
    }
  })

  it("gives all results at the end", async () => {
    const outcome = await collectResults(body([hit, done], 100), 1_000, () => assert.fail("nothing was left to report"))
    assert.deepStrictEqual(outcome, {
      files: [result],
      total: { files: 1, matches: 1 },
      incomplete: [],
      facets: done.facets,
      hasAllFacets: true,
      took: 2,
      isDone: true
    })
  })

  it("reports progress", async () => {
    let end = (): void => {}
    const slow = streamOf((controller) => {
      for (const chunk of encode([hit], 100)) controller.enqueue(chunk)
      end = () => {
        for (const chunk of encode([done], 100)) controller.enqueue(chunk)
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

  it("cancels the body after the last event", async () => {
    let isCancelled = false
    const endless = streamOf(
      (controller) => {
        for (const chunk of encode([hit, done], 100)) controller.enqueue(chunk)
      },
      () => {
        isCancelled = true
      }
    )
    await collectResults(endless, 1_000, () => {})
    assert.isTrue(isCancelled)
  })

  it("marks results of a cut-off stream as incomplete", async () => {
    const outcome = await collectResults(body([hit], 100), 1_000, () => {})
    assert.deepStrictEqual([outcome.files.length, outcome.incomplete, outcome.isDone], [1, ["deadline"], true])
  })
})
