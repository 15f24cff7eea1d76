import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { defaultOptions } from "@tongs/core/query/CodeQuery"
import { Peers } from "../../base/Peers.ts"
import { RepositoryOwnership } from "../../repositories/RepositoryOwnership.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { StoreRevision } from "../../storage/StoreRevision.ts"
import type { OpenSearch, RepositoryStep, SearchState } from "../OpenedCommitSearch.ts"
import type { WalkPosition } from "../commits/CommitWalk.ts"
import * as ClusterCommits from "./ClusterCommits.ts"
import * as RepositorySet from "./RepositorySet.ts"

const repositories = [1, 2, 3, 4].map(
  (id) => ({ row: { id }, fullName: `a/r${id}` }) as unknown as ServedRepository // oxlint-disable-line typescript/no-unsafe-type-assertion -- all that the search reads
)

const span = { start: 0, length: 0 }
const query = {
  query: { ...defaultOptions, kind: "commit" as const, expression: { _tag: "Text" as const, text: "x", span } },
  dates: {}
}

/** The query that other processes get. */
const unresolved = { ...query.query, expression: { _tag: "Text" as const, text: "unresolved", span } }

const person = { name: "T", email: "t@example.org", date: "2024-01-01T00:00:00Z" }

/** A step: the repository, the date, the newest date of the repository, and the position after the step. */
type Step = readonly [id: number, seconds: number, newest: number, position: WalkPosition | undefined]

const foundOf = ([id, seconds]: Step, repo: string) => ({
  matchCount: 1,
  hit: {
    _tag: "Commit" as const,
    owner: "a",
    repo,
    sha: `${id}-${seconds}`,
    author: person,
    committer: person,
    message: "x",
    in_message: [],
    files: []
  }
})

const at = (seconds: number, ...oids: ReadonlyArray<string>): WalkPosition => ({ seconds, oids })

const localOf =
  (start: WalkPosition, steps: ReadonlyArray<Step>): OpenSearch =>
  (_, owned) =>
    Effect.succeed({
      start,
      unknownRevisions: [],
      steps: Stream.fromIterable(
        steps.flatMap((step): ReadonlyArray<RepositoryStep> => {
          const [id, seconds, newest, position] = step
          const served = owned.find(({ row }) => row.id === id)
          return served === undefined ? [] : [{ served, seconds, newest, position, found: foundOf(step, `r${id}`) }]
        })
      )
    })

const covered = (...ids: ReadonlyArray<number>) =>
  RepositorySet.printPlaces(repositories.length, (place) => ids.includes(place + 1))

const linesOf = (
  start: WalkPosition,
  steps: ReadonlyArray<Step>,
  ids: ReadonlyArray<number>
): ReadonlyArray<unknown> => {
  const totals = { examined: 0, incomplete: [], notes: [] }
  return [
    { _tag: "Begin", covered: covered(...ids) },
    { _tag: "Opened", ...totals, unknownRevisions: [], cursor: start },
    ...steps.map((step, index) => {
      const [id, seconds, newest, position] = step
      const cursor = position === undefined ? {} : { cursor: position }
      return {
        _tag: "Step",
        id,
        seconds,
        newest,
        ...cursor,
        ...totals,
        examined: index + 1,
        found: foundOf(step, `former-name-${id}`)
      }
    }),
    { _tag: "Closed", ...totals, examined: steps.length },
    { _tag: "End" }
  ]
}

/**
 * Runs a search of two processes: this one has the repositories 1 and 2. Without an answer, there is no other process.
 * Returns the commits with the cursors.
 */
const run = (local: OpenSearch, answer?: ReadonlyArray<unknown>) => {
  const ownership = Layer.mock(RepositoryOwnership, { runner: "host:1", owns: (id) => id <= 2, version: () => 1 })
  const revision = Layer.mock(StoreRevision, {
    current: () => "1",
    access: () => "1",
    refresh: () => undefined,
    answered: () => "7",
    isIsolated: undefined
  })
  const peers = Layer.succeed(
    Peers,
    Peers.of({
      list: Effect.succeed(answer === undefined ? [] : ["host:2"]),
      post: (_, __, body) => {
        sent.push(JSON.parse(body).input.query.expression)
        const text = (answer ?? []).map((line) => `${JSON.stringify(line)}\n`).join("")
        return Effect.succeed({ status: 200, body: Stream.succeed(Buffer.from(text)) })
      }
    })
  )
  const sent: Array<unknown> = []
  return Effect.gen(function* () {
    const open = yield* ClusterCommits.make(local)
    const search: SearchState = { examined: 0, incomplete: new Set(), notes: new Set() }
    const { steps } = yield* open(query, repositories, {}, search, unresolved)
    const all = yield* Stream.runCollect(steps)
    return {
      commits: all.map(({ found }) => `${found?.hit.repo} ${found?.hit.sha}`),
      positions: all.map(({ position }) => position),
      search,
      sent
    }
  }).pipe(Effect.scoped, Effect.provide([ownership, peers, revision]))
}

describe("ClusterCommits", () => {
  it.live("merges commits by date, and those of a second as one process does", () =>
    Effect.gen(function* () {
      const here = localOf(at(91), [
        [1, 90, 90, at(90, "1-90")],
        [2, 70, 80, at(70, "2-70")],
        [1, 70, 90, undefined]
      ])
      const there = linesOf(
        at(86),
        [
          [3, 85, 85, at(85, "3-85")],
          [4, 70, 85, at(70, "4-70")],
          [3, 60, 85, undefined]
        ],
        [3, 4]
      )
      const { commits, positions, search, sent } = yield* run(here, there)
      assert.deepStrictEqual(sent, [unresolved.expression])
      assert.deepStrictEqual(commits, ["r1 1-90", "r3 3-85", "r4 4-70", "r2 2-70", "r1 1-70", "r3 3-60"])
      // The search continues at the newest commit that a process has not searched.
      assert.deepStrictEqual(positions, [
        at(90, "1-90"),
        at(90, "1-90"),
        at(90, "1-90"),
        at(70, "2-70", "4-70"),
        at(70, "4-70"),
        undefined
      ])
      assert.deepStrictEqual([search.examined, [...search.incomplete], [...search.notes]], [3, [], []])
    })
  )

  it.live("names the repositories without an owner if there is no other process", () =>
    Effect.gen(function* () {
      const { commits, search } = yield* run(localOf(at(91), [[1, 50, 90, undefined]]))
      assert.deepStrictEqual(commits, ["r1 1-50"])
      assert.deepStrictEqual([...search.incomplete], ["failed"])
      const note = "Not searched, because they are moving to another process: a/r3, a/r4."
      assert.deepStrictEqual([...search.notes], [note])
    })
  )

  it.live("continues after the failure of a process, and finds no commit of repositories that it does not own", () =>
    Effect.gen(function* () {
      const here = localOf(at(91), [[1, 50, 90, undefined]])
      const lines = linesOf(
        at(86),
        [
          [3, 85, 85, at(85, "3-85")],
          [2, 84, 84, at(84)],
          [9, 83, 83, at(83)]
        ],
        [3]
      )
      const { commits, positions, search } = yield* run(here, lines.slice(0, -1))
      assert.deepStrictEqual(commits, ["r3 3-85", "r1 1-50", "undefined undefined"])
      assert.deepStrictEqual(positions.at(-1), undefined)
      assert.deepStrictEqual([...search.incomplete], ["failed"])
      assert.deepStrictEqual(
        [...search.notes],
        [
          "Not searched, because they are moving to another process: a/r4.",
          "Not searched completely, because a process stopped: a/r3."
        ]
      )
    })
  )
})
