import { expect, it } from "vitest"
import { cycles, layerViolations } from "./arrows.mjs"

const SOURCE = "packages/x/src"
const importing = (from, to) => ({ from: `${SOURCE}/${from}`, to: `${SOURCE}/${to}`, place: `${SOURCE}/${from}:1` })

it("accepts imports of the own layer and of lower layers only", () => {
  const order = [["base"], ["api", "search"], ["main"]]
  const check = (from, to) => layerViolations(SOURCE, [importing(from, to)], order)
  expect(check("main/Serve.ts", "base/Clock.ts")).toEqual([])
  expect(check("api/Urls.ts", "api/Paging.ts")).toEqual([])
  expect(check("base/Clock.ts", "main/Serve.ts")).toEqual([
    "packages/x/src/base/Clock.ts:1: base may not import main/Serve.ts: main is not below it"
  ])
  expect(check("api/Urls.ts", "search/Ranking.ts")).toHaveLength(1)
  expect(check("rules/RuleChecks.ts", "base/Clock.ts")).toEqual([
    "packages/x/src/rules has no layer: add it to scripts/arrows.mjs"
  ])
})

it("finds cycles between files, and between folders without one between their files", () => {
  expect(cycles(SOURCE, [importing("a/A.ts", "a/B.ts"), importing("a/B.ts", "a/C.ts")])).toEqual([])
  expect(cycles(SOURCE, [importing("a/A.ts", "a/B.ts"), importing("a/B.ts", "a/A.ts")])).toEqual([
    "cycle of files: packages/x/src/a/A.ts, packages/x/src/a/B.ts"
  ])
  expect(cycles(SOURCE, [importing("a/A.ts", "b/B.ts"), importing("b/C.ts", "a/D.ts")])).toEqual([
    "cycle of folders in packages/x/src: a, b"
  ])
})
