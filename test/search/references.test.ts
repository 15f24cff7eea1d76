/**
 * References from the position of a definition equal the references that the TypeScript compiler finds. Runs with
 * TONGS_TEST_CLONES, a folder with a clone of vuejs/core called `core`, at the commit of `references.json`.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { git } from "@tongs/service/git/Fixture.test-support"
import * as Forge from "@tongs/service/main/Forge.test-support"
import * as CompilerReferences from "./CompilerReferences.test-support.ts"
import { referenceSymbols } from "./DefinitionJudgements.test-support.ts"
import * as ReadyIndex from "./ReadyIndex.test-support.ts"

const repo = referenceSymbols.repository.slice(referenceSymbols.repository.indexOf("/") + 1)
const clone = join(process.env["TONGS_TEST_CLONES"] ?? "/nonexistent", repo)
const hasClone = existsSync(clone) && git(clone, ["rev-parse", "HEAD"]) === referenceSymbols.commit

const cloneIt = (repos: string): void => {
  git(join(repos, ".."), ["clone", "--quiet", "--shared", clone, join(repos, repo)])
}

type Symbol = (typeof referenceSymbols.symbols)[number]

/** The lines that the forge lists as uses of the symbol. */
const referencesOf = Effect.fnUntraced(function* ({ column, line, name, path }: Symbol) {
  const { get, owner } = yield* Forge.TestForge
  const lines = new Set<string>()
  for (let page = 1; ; page++) {
    const query = new URLSearchParams({ path, line: String(line), column: String(column), page: String(page) })
    const { json, status } = yield* get(`/tongs/repos/${owner}/${repo}/references/${name}?${query}&per_page=100`)
    assert.strictEqual(status, 200)
    for (const item of json.items) lines.add(`${item.path}:${item.line}`)
    if (json.items.length < 100) return lines
  }
})

const percent = (part: number, all: number) => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`

const some = (places: Iterable<string>) => [...places].slice(0, 6).join(" ")

describe.skipIf(!hasClone)("references from a position", () => {
  layer(Forge.layer(cloneIt), { excludeTestServices: true })((it) => {
    it.effect(
      "finds at least 95 % of the lines that the compiler finds, and at most 20 % others",
      () =>
        Effect.gen(function* () {
          const { repos } = yield* Forge.TestForge
          yield* ReadyIndex.wait
          const compiler = CompilerReferences.make(join(repos, repo))
          const total = { expected: 0, found: 0, right: 0, recall: 0, precision: 0 }
          const differences: Array<string> = []
          for (const symbol of referenceSymbols.symbols) {
            const { related, uses } = compiler.references(symbol, true)
            const expected = uses.difference(related)
            const found = (yield* referencesOf(symbol)).difference(related)
            const missing = expected.difference(found)
            const wrong = found.difference(expected)
            total.expected += expected.size
            total.found += found.size
            const hits = expected.size - missing.size
            total.right += hits
            total.recall += expected.size === 0 ? 1 : hits / expected.size
            total.precision += found.size === 0 ? 1 : hits / found.size
            if (missing.size + wrong.size === 0) continue
            differences.push(
              `${symbol.kind} ${symbol.name} at ${symbol.path}:${symbol.line}:${symbol.column}: ` +
                `${missing.size} of ${expected.size} missing ${some(missing)}; ` +
                `${wrong.size} of ${found.size} wrong ${some(wrong)}`
            )
          }
          const { expected, found, precision, recall, right } = total
          const { length } = referenceSymbols.symbols
          yield* Effect.logInfo(
            `${percent(right, expected)} of ${expected} found, ${percent(right, found)} of ${found} right; mean of the symbols: ` +
              `${percent(recall, length)} found, ${percent(precision, length)} right\n` +
              differences.join("\n")
          )
          assert.isAtLeast(right, 0.95 * expected, differences.join("\n"))
          assert.isAtLeast(right, 0.8 * found, differences.join("\n"))
        }),
      30 * 60_000
    )
  })
})
