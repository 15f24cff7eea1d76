import { rmSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commit, folder, git, workTree } from "../git/Fixture.test-support.ts"
import { open, repositories } from "../git/GitRepository.test-support.ts"
import * as Model from "./LineModel.test-support.ts"
import * as LinePositions from "./LinePositions.ts"
import * as PushHistory from "./PushHistory.test-support.ts"

const isLong = process.env["TONGS_LONG_TESTS"] !== undefined
const histories = isLong ? 300 : 4
const HISTORIES_PER_TEST = 25

/** A history runs about a hundred processes. */
const TIMEOUT_MILLIS = 240_000

const lineOf = (side: "LEFT" | "RIGHT", { new: right, old }: Model.ModelLine) => (side === "LEFT" ? old : right)
const hasSide = (side: "LEFT" | "RIGHT", { sign }: Model.ModelLine) => sign !== (side === "LEFT" ? "+" : "-")

/** Comments on some lines and ranges of the diff, and on whole files. */
const comments = (path: string, { base, head }: PushHistory.Push, below: (limit: number) => number) => {
  const all: Array<LinePositions.OriginalLocation> = []
  for (const file of Model.diff(path, git(path, ["merge-base", base, head]), head, 3)) {
    const name = file.after ?? file.before ?? ""
    const at = { commit: head, path: name, side: "RIGHT" as const, startSide: undefined }
    if (below(4) === 0) all.push({ ...at, line: undefined, startLine: undefined })
    for (const line of file.lines) {
      const side = line.sign === "-" || (line.sign === " " && below(4) === 0) ? "LEFT" : "RIGHT"
      if (below(4) !== 0) continue
      const first = file.lines.find(
        (one) => hasSide(side, one) && line.position - one.position < 5 && line.position > one.position
      )
      const startLine = below(3) === 0 && first !== undefined ? lineOf(side, first) : undefined
      const isInHunk = startLine !== undefined && lineOf(side, line) - startLine < 5
      all.push({ ...at, side, line: lineOf(side, line), startLine: isInHunk ? startLine : undefined })
    }
  }
  return all
}

/** Expects locations by reading the differences line by line. */
const expectation = (path: string, { base, head }: PushHistory.Push) => {
  const mergeBase = git(path, ["merge-base", base, head])
  const present = Model.diff(path, mergeBase, head, 3)
  const diffs = new Map<string, ReadonlyArray<Model.ModelFile>>()
  const wholeDiff = (from: string, to: string) => {
    const known = diffs.get(from + to) ?? (from === to ? [] : Model.wholeDiff(path, from, to))
    diffs.set(from + to, known)
    return known
  }
  const bases = new Map<string, string>()
  const mergeBaseOf = (commit: string) => {
    const known = bases.get(commit) ?? git(path, ["merge-base", base, commit])
    bases.set(commit, known)
    return known
  }
  return (comment: LinePositions.OriginalLocation): LinePositions.CurrentLocation => {
    const { commit, line, side, startLine = line } = comment
    const isLeft = side === "LEFT" && line !== undefined
    const from = isLeft ? mergeBaseOf(commit) : commit
    const files = wholeDiff(from, isLeft ? mergeBase : head)
    const own = isLeft ? wholeDiff(from, commit).find(({ after }) => after === comment.path)?.before : undefined
    const start = own ?? comment.path
    const none = { line: undefined, startLine: undefined, position: undefined }
    if (line === undefined || startLine === undefined) {
      const moved = files.find(({ before }) => before === start)
      const name = moved === undefined ? start : moved.after
      const file = present.find(({ after, before }) => (after ?? before) === name)
      return { path: file === undefined ? start : (name ?? ""), isOutdated: file === undefined, ...none }
    }
    const ends = [startLine, line].map((one) => Model.follow(files, start, one))
    const between = Array.from({ length: line - startLine + 1 }, (_, index) =>
      Model.follow(files, start, startLine + index)
    )
    const target = ends[1]?.path ?? files.find(({ before }) => before === start)?.after
    const file = present.find(
      ({ after, before }) => target !== undefined && (isLeft ? before : (after ?? before)) === target
    )
    const [first, last] = ends.map((end) =>
      file?.lines.find((one) => end !== undefined && hasSide(side, one) && lineOf(side, one) === end.line)
    )
    const name = file === undefined ? comment.path : (file.after ?? file.before ?? "")
    return first === undefined || last === undefined || between.includes(undefined)
      ? { path: name, isOutdated: true, ...none }
      : {
          path: name,
          isOutdated: false,
          line: lineOf(side, last),
          startLine: comment.startLine === undefined ? undefined : lineOf(side, first),
          position: last.position
        }
  }
}

layer(repositories)("LinePositions", (it) => {
  const seeds = Array.from({ length: histories }, (_, seed) => seed)
  for (let at = 0; at < histories; at += HISTORIES_PER_TEST) {
    it.effect(
      `follows the lines of generated histories, from ${at}`,
      () =>
        Effect.gen(function* () {
          const locate = yield* LinePositions.make
          for (const seed of seeds.slice(at, at + HISTORIES_PER_TEST)) {
            const path = yield* folder
            const pushes = PushHistory.make(path, seed)
            const below = PushHistory.random(seed + 1000)
            const repository = yield* open(path)
            const all: Array<LinePositions.OriginalLocation> = []
            for (const [index, push] of pushes.entries()) {
              const located = yield* locate(repository, push, all)
              const expected = all.map(expectation(path, push))
              for (const [at, comment] of all.entries()) {
                assert.deepStrictEqual(
                  located[at],
                  expected[at],
                  `seed ${seed}, push ${index}: ${JSON.stringify(comment)}`
                )
              }
              all.push(...comments(path, push, below))
            }
            assert.isAbove(all.length, 0, `seed ${seed}`)
            rmSync(path, { recursive: true })
          }
        }),
      TIMEOUT_MILLIS
    )
  }

  it.effect("gives the comments of a lost commit as outdated, and of the head as they are", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const base = git(path, ["rev-parse", "HEAD"])
      const head = commit(path, { "a.txt": "one\ntwo\n" }, "second")
      const locate = yield* LinePositions.make
      const repository = yield* open(path)
      const at = { path: "a.txt", side: "RIGHT" as const, startSide: undefined, line: 2, startLine: undefined }
      const [own, lost] = yield* locate(repository, { base, head }, [
        { ...at, commit: head },
        { ...at, commit: "1".repeat(40) }
      ])
      assert.deepStrictEqual(own, { path: "a.txt", isOutdated: false, line: 2, startLine: undefined, position: 2 })
      assert.strictEqual(lost?.isOutdated, true)
    })
  )
})
