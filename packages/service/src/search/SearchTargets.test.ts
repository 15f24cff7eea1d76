import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { defaultOptions } from "@tongs/core/query/CodeQuery"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import * as SearchTargets from "./SearchTargets.ts"

/** A repository whose commits c9, c8 … c0 have one parent each, and whose branch `main` is at c9. */
const git = {
  gitDir: "/b",
  refIds: Effect.succeed(new Map([["refs/heads/main", "c9"]])),
  resolve: (name: string) => Effect.succeed(name === "main" ? "c9" : undefined),
  commit: (oid: string) => {
    const number = Number(oid.slice(1))
    return Effect.succeed({ parents: number === 0 ? [] : [`c${number - 1}`] })
  }
}
const served = { fullName: "a/b", git } as unknown as ServedRepository // oxlint-disable-line typescript/no-unsafe-type-assertion -- all that the resolution reads

const resolve = Effect.fnUntraced(function* (...revisions: ReadonlyArray<string>) {
  const expression = { _tag: "Text", text: "x", span: { start: 0, length: 1 } } as const // a tag
  const query = { ...defaultOptions, expression, revisions }
  const { notes, targets, unknownRevisions } = yield* SearchTargets.resolve(query, [
    { served, tip: "c9", phase: "ready" }
  ])
  return [
    ...targets.map(({ commit, revision }) => `${revision} ${commit}`),
    ...notes,
    ...unknownRevisions.map((revision) => SearchTargets.unknownRevision(revision).replace(/\. Write .*/, ""))
  ]
})

describe("SearchTargets", () => {
  it.effect("resolves ancestors along the first parents", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* resolve("main", "main~3", "main^^~", "main~0", "main~9"), [
        "main c9",
        "main~3 c6",
        "main^^~ c6",
        "main~0 c9",
        "main~9 c0"
      ])
    })
  )

  it.effect("explains a revision that no repository has", () =>
    Effect.gen(function* () {
      for (const revision of ["main~10", "other", "main~2000", "^main", "~"]) {
        const [note] = yield* resolve(revision)
        assert.strictEqual(note, `No searched repository has the revision ${revision}`)
      }
    })
  )
})
