import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { runner } from "../CommandRunner.test-support.ts"

const done = (incomplete: ReadonlyArray<string>, notes: ReadonlyArray<string> = []) => ({
  _tag: "Done",
  files: 0,
  matches: 0,
  took: 1,
  incomplete,
  facets: { repo: [], language: [], path: [], symbol: [] },
  facets_complete: incomplete.length === 0,
  notes
})

const progress = { _tag: "Progress", files: 0, matches: 0, repositories: 0, examined: 12_000, remaining: 66_635 }

const file = {
  _tag: "File",
  owner: "octo",
  repo: "hello",
  commit: "1".repeat(40),
  path: "a.ts",
  oid: "2".repeat(40),
  language: null,
  size: 1,
  rank: 1,
  in_path: [],
  chunks: [],
  match_count: 1,
  why: []
}

/** Runs `tongs search x --all` over a forge that sends one list of events after the other. */
const search = Effect.fnUntraced(function* (...rounds: ReadonlyArray<ReadonlyArray<unknown>>) {
  let asked = 0
  const run = runner(({ path }) => {
    if (!path.startsWith("/tongs/search")) return undefined
    const events = rounds[Math.min(asked++, rounds.length - 1)] ?? []
    return {
      headers: { "content-type": "application/x-ndjson" },
      body: events.map((event) => `${JSON.stringify(event)}\n`).join("")
    }
  })
  const result = yield* run("search", "x", "--all")
  return { ...result, asked }
})

describe("tongs search", () => {
  it.effect("repeats a search that found nothing until its deadline", () =>
    Effect.gen(function* () {
      const late = [progress, done(["deadline"])]
      const found = yield* search(late, late, [file, { ...done([]), files: 1, matches: 1 }])
      assert.deepStrictEqual([found.code, found.asked, found.stdout], [0, 3, "octo/hello:a.ts\n"])
      assert.strictEqual(found.stderr, "1 file, 1 match\n")
      const nothing = yield* search(late, [done([])])
      assert.deepStrictEqual([nothing.code, nothing.asked, nothing.stdout], [0, 2, ""])
      assert.match(nothing.stderr, /^0 files, 0 matches\n/)
    })
  )

  it.effect("fails if nothing was found, but not everything was searched", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* search([done(["failed"])])
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.match(stderr, /^tongs: Nothing found, but the search is not complete: some files could not be read\.\n/)
      assert.strictEqual((yield* search([progress])).code, 1)
    })
  )

  it.effect("says how much was searched, and shows the forge's notes", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* search([
        progress,
        file,
        { ...done(["deadline"], ["No revision v9."]), files: 1, matches: 1 }
      ])
      assert.strictEqual(code, 0)
      assert.strictEqual(stderr, "No revision v9.\n1 file, 1 match; the search stopped after 12,000 of 78,635 files\n")
    })
  )
})
