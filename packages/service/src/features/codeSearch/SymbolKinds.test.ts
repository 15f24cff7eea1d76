import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { commit, git } from "../../git/Fixture.test-support.ts"
import * as Forge from "../../main/Forge.test-support.ts"

const { TestForge } = Forge

const SHAPE = "export class Shape {\n  edges = 3\n  countEdges() {\n    return this.edges\n  }\n}\n"

const prepare = (repos: string) => {
  Forge.repository(repos, "kinds", { "src/old.ts": "export enum Edge {\n  SHARP_EDGE\n}\n", "src/shape.ts": SHAPE })
  git(join(repos, "kinds"), ["tag", "v1"])
  commit(join(repos, "kinds"), { "src/old.ts": "export const edge = 1\n" }, "second")
}

layer(Forge.layer(prepare))("kind:", (it) => {
  const search = Effect.fnUntraced(function* (q: string) {
    const { get } = yield* TestForge
    const { text } = yield* get(`/tongs/search?${String(new URLSearchParams({ q, facets: "all", context: "0" }))}`)
    const events = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    const lines = events.flatMap((event) =>
      event._tag !== "File"
        ? []
        : event.chunks.flatMap(({ lines }: { readonly lines: ReadonlyArray<{ readonly number: number }> }) =>
            lines.map(({ number }): string => `${event.path}:${number}`)
          )
    )
    return { lines: new Set(lines), facets: events.at(-1)?.facets.symbol }
  })

  const ready: Effect.Effect<boolean, never, Forge.TestForge> = Effect.gen(function* () {
    const { get } = yield* TestForge
    const { json } = yield* get("/tongs/index")
    return json.repositories.every(({ state }: { readonly state: string }): boolean => state === "ready")
  })

  it.effect("finds definitions of a kind, in the index and in other revisions", () =>
    Effect.gen(function* () {
      while (!(yield* ready)) yield* TestClock.withLive(Effect.sleep(20))
      const cases = [
        ["edge kind:method", ["src/shape.ts:3"]],
        ["edge kind:field", ["src/shape.ts:2"]],
        ["edge kind:constant", ["src/old.ts:1"]],
        ["path:src kind:class", ["src/shape.ts:1"]],
        ["edge kind:method kind:constant", ["src/old.ts:1", "src/shape.ts:3"]],
        ["edge kind:enum_member rev:v1", ["src/old.ts:2"]],
        ["edge kind:enum rev:v1", ["src/old.ts:1"]],
        ["symbol:edge kind:interface", []]
      ] as const
      for (const [q, lines] of cases) assert.deepStrictEqual((yield* search(q)).lines, new Set(lines), q)
      assert.deepStrictEqual((yield* search("edge kind:method")).facets, [{ value: "method", count: 1 }])
    })
  )
})
