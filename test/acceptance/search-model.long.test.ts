/** The code search finds the same files, lines and ranges as a naive search of complete texts. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import { git } from "@tongs/service/git/Fixture.test-support"
import { EmbeddedForge } from "@tongs/service/main/EmbeddedForge"
import { CodeSearch } from "@tongs/service/search/CodeSearch"
import type { SearchHit } from "@tongs/service/search/SearchBatch"
import * as GrammarSymbols from "@tongs/service/search/symbols/GrammarSymbols"
import { symbolsOf } from "@tongs/service/search/symbols/Symbols"
import { isLong } from "../LongTests.test-support.ts"
import * as SearchCorpus from "./SearchCorpus.test-support.ts"
import * as SearchModel from "./SearchModel.test-support.ts"
import * as SearchOracle from "./SearchOracle.test-support.ts"

const queries = isLong ? 1_000 : 60
const SEED = 20_261_130

/** Maximum number of attempts of a search. */
const MAX_TRIES = 20

const root = mkdtempSync(join(tmpdir(), "tongs-model-"))
const work = join(root, "repos", "own")
const span = { start: 0, length: 0 }

type Files = ReadonlyMap<string, SearchCorpus.CorpusFile>

/** The files of the branch `main`, of the branch `other`, and of the work tree, which is `main` with changes. */
const main = SearchCorpus.make(SEED)
const other = SearchCorpus.change(main, SEED + 1)
const edited = SearchCorpus.change(main, SEED + 2)

/** Replaces the files of the work tree. */
const write = (before: Files, after: Files) => {
  for (const path of before.keys()) if (!after.has(path)) rmSync(join(work, path))
  for (const [path, { bytes }] of after) {
    if (before.get(path)?.bytes === bytes) continue
    mkdirSync(dirname(join(work, path)), { recursive: true })
    writeFileSync(join(work, path), bytes)
  }
}

const prepare = () => {
  mkdirSync(work, { recursive: true })
  git(work, ["init", "--quiet", "--initial-branch=main"])
  git(work, ["config", "core.autocrlf", "false"])
  const commit = () => {
    git(work, ["add", "--all"])
    git(work, ["commit", "--quiet", "-m", "Files"])
  }
  write(new Map(), main)
  commit()
  git(work, ["checkout", "--quiet", "-b", "other"])
  write(main, other)
  commit()
  git(work, ["checkout", "--quiet", "main"])
  write(main, edited)
}

const forge = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(Effect.sync(prepare), () =>
      Effect.sync(() => rmSync(root, { recursive: true, force: true }))
    ),
    () =>
      EmbeddedForge.layer({
        data: join(root, "data"),
        cwd: root,
        repos: [join(root, "repos")],
        dialect: "service",
        searchesWorkTrees: true
      })
  )
)

/** A file for the model, with the definitions by grammars and those by patterns. The index has either. */
type Variants = readonly [SearchModel.ModelFile, SearchModel.ModelFile]

const variantsOf = async (path: string, fullName: string, { bytes, text }: SearchCorpus.CorpusFile) => {
  if (text === undefined) return []
  const file = { path, fullName, size: bytes.length, text }
  const byPattern = symbolsOf(path, text)
  const variants: Variants = [
    { ...file, definitions: (await GrammarSymbols.byGrammar(path, text)) ?? byPattern },
    { ...file, definitions: byPattern }
  ]
  return [variants]
}

/** Files that a query searches, each with the revisions that have the file. */
interface Searched {
  readonly revisions: ReadonlyArray<string>
  readonly variants: Variants
}

const shows: ReadonlyArray<SearchModel.Show> = [
  "fragments",
  ...[0, 1, 3].map((context) => ({ lines: "best", context }) as const),
  ...[0, 2].map((context) => ({ lines: "all", context }) as const),
  ...[0, 1, 4, 300].map((context) => ({ lines: "complete", context }) as const)
]

/** Adds a name or kind of definitions to some queries. */
const withSymbols = (query: fc.Arbitrary<CodeQuery.CodeQuery>): fc.Arbitrary<CodeQuery.CodeQuery> => {
  const name = fc.constantFrom("packet", "mutex", "getValue_1", "needle", "e", "TODO_2", "GetValueOf")
  const symbol = fc
    .tuple(name, fc.boolean())
    .map(([name, exact]): CodeQuery.Expression => ({ _tag: "Symbol", name, exact, span }))
  return fc.oneof(
    { weight: 8, arbitrary: query },
    {
      weight: 1,
      arbitrary: fc.tuple(query, symbol, fc.constantFrom("alone", "and", "or")).map(([query, symbol, how]) => {
        const { expression } = query
        const both = [symbol, expression]
        const combined = how === "and" ? CodeQuery.and(both) : CodeQuery.or(both)
        return { ...query, expression: how === "alone" ? symbol : combined }
      })
    },
    {
      weight: 1,
      arbitrary: fc.tuple(query, fc.constantFrom("function", "variable", "class")).map(([query, kind]) => ({
        ...query,
        inContent: true,
        inPath: true,
        symbolKinds: [kind]
      }))
    }
  )
}

layer(forge, { excludeTestServices: true })("the code search, compared with a naive search", (it) => {
  const setting = Effect.gen(function* () {
    const { adopted } = yield* EmbeddedForge
    const { search } = yield* CodeSearch
    yield* SearchOracle.untilIndexed(adopted)
    const fullName = adopted[0]?.fullName ?? ""
    const find = (query: CodeQuery.CodeQuery, show: SearchModel.Show, searchesWorkTrees: boolean) =>
      Effect.gen(function* () {
        const options = { show, order: "best", deadline: Duration.minutes(2), searchesWorkTrees } as const
        for (let tries = 1; ; tries++) {
          const started = yield* search(query, adopted, options)
          const found = yield* Stream.runCollect(started.found)
          const isIncomplete = started.isIncomplete || found.some((batch) => batch.isIncomplete)
          const notes = [...started.notes, ...found.flatMap((batch) => batch.notes ?? [])]
          // On a busy machine, git can take too long to read a work tree, and the search says so.
          if (isIncomplete && tries < MAX_TRIES) continue
          assert.deepStrictEqual(
            { isIncomplete, notes },
            { isIncomplete: false, notes: [] },
            CodeQueryParser.print(query)
          )
          return found.flatMap(({ hits }) => hits)
        }
      })
    const searched = async (files: Files, revisions: ReadonlyArray<string>): Promise<ReadonlyArray<Searched>> => {
      const all = await Promise.all([...files].map(([path, file]) => variantsOf(path, fullName, file)))
      return all.flat().map((variants) => ({ variants, revisions }))
    }
    const [ofMain, ofOther, ofWorkTree] = yield* Effect.promise(() =>
      Promise.all([searched(main, []), searched(other, ["other"]), searched(edited, [])])
    )
    const key = ({ variants: [{ path, text }] }: Searched) => `${path}\0${text}`
    const ofEach = [...ofMain.map((one) => ({ ...one, revisions: ["main"] })), ...ofOther]
    const ofBoth = [...Map.groupBy(ofEach, key).values()].flatMap((same): ReadonlyArray<Searched> => {
      const revisions = same.flatMap((one) => one.revisions)
      return same.slice(0, 1).map(({ variants }) => ({ variants, revisions }))
    })
    return { find, ofMain, ofOther, ofWorkTree, ofBoth }
  })

  const partOf = ({ chunks, fragments, inPath, matchCount }: SearchHit | SearchModel.ModelHit) => ({
    inPath,
    matchCount,
    chunks,
    fragments
  })

  it.effect(`${queries} queries find the same files, lines and ranges`, () =>
    Effect.gen(function* () {
      const { find, ofBoth, ofMain, ofOther, ofWorkTree } = yield* setting
      const run = Effect.runPromiseWith(yield* Effect.context<never>())
      const texts = [...main.values()].flatMap(({ text }) => text?.replaceAll("\r", "\n") ?? [])
      const excerpts = SearchCorpus.excerpts(main).map((text) => text.replaceAll("\r", "\n"))
      const { query } = SearchOracle.arbitraries({
        // As many lines from the ends of blocks as from all files.
        texts: [...texts, ...Array.from({ length: 40 }, () => excerpts).flat()],
        filters: [
          ...["c", "ts", "txt"].map((value) => ({ name: "extension" as const, value })),
          ...["C", "TypeScript", "Markdown"].map((value) => ({ name: "language" as const, value })),
          ...["edge", "packet", "size"].map((value) => ({ name: "filename" as const, value })),
          ...["/edge", "small", "/lib/packet", "/"].map((value) => ({ name: "path" as const, value, glob: false })),
          ...["**/*.{c,h}", "edge/word-2048-?-line.c"].map((value) => ({ name: "path" as const, value, glob: true })),
          { name: "size", min: 2_048, max: 2_048 },
          { name: "size", min: 100_000 }
        ],
        regexes: SearchCorpus.expressions(SEED, 400),
        paths: ["edge/", "NESTED", "packet-", ".txt"],
        pathRegexes: ["^edge/.*-8192", "[0-9]{2}[.]c$", "^(?!lib)"]
      })
      const place = fc.constantFrom("main", "main", "main", "main", "other", "both", "work tree")
      const cases = fc.record({ query: withSymbols(query), show: fc.constantFrom(...shows), place })
      const sizes: Array<number> = []
      const property = fc.asyncProperty(cases, async ({ place, query: generated, show }) => {
        const revisions = place === "other" ? ["other"] : place === "both" ? ["main", "other"] : []
        const text = CodeQueryParser.print({ ...generated, revisions })
        const query = Result.getOrThrow(CodeQueryParser.parse(text))
        const title = `${text}   in ${place}, ${JSON.stringify(show)}`
        const hits = await run(find(query, show, place === "work tree"))
        const byFile = new Map(hits.map((hit) => [`${hit.path}\0${hit.revisions.join()}`, hit]))
        assert.strictEqual(byFile.size, hits.length, `${title}: files are repeated`)
        const files = { main: ofMain, other: ofOther, both: ofBoth, "work tree": ofWorkTree }[place] ?? []
        for (const { revisions, variants } of files) {
          const key = `${variants[0].path}\0${revisions.join()}`
          const hit = byFile.get(key)
          byFile.delete(key)
          const found = hit === undefined ? undefined : partOf(hit)
          const expected = variants.map((file) => SearchModel.search(query, file, show))
          if (expected.some((one) => JSON.stringify(one) === JSON.stringify(found))) continue
          assert.deepStrictEqual(found, expected[0], `${title}: ${variants[0].path}`)
        }
        assert.deepStrictEqual([...byFile.keys()], [], `${title}: files that do not match`)
        sizes.push(hits.length)
      })
      yield* Effect.promise(() => fc.assert(property, { numRuns: queries, seed: SEED, endOnFailure: true }))
      // Many queries find some files, and not all.
      assert.isAbove(sizes.filter((size) => size > 0 && size < ofMain.length / 2).length, queries / 4)
    })
  )
})
