/** The code index finds the same files, lines and positions as ripgrep for all queries. */
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, layer } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import type { Line } from "@tongs/core/contract/groups/CodeSearch"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import { EmbeddedForge } from "@tongs/service/main/EmbeddedForge"
import { git } from "@tongs/service/git/Fixture.test-support"
import { CodeSearch } from "@tongs/service/search/CodeSearch"
import * as SearchOracle from "./SearchOracle.test-support.ts"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { isLong, sample } from "../LongTests.test-support.ts"

const queries = isLong ? 500 : 50
const SEED = 20_260_101
const places = isLong ? 60 : 20

/** File contents with typical edge cases. */
const odd: Readonly<Record<string, string>> = {
  "odd/crlf.txt": "first Needle\r\n\tsecond\tneedle\r\n\r\nlast NEEDLE",
  "odd/emoji.md": "# 😀 needle 👩‍👩‍👧 family\nno 😀😀 here: needle😀needle\n",
  "odd/cjk.md": "在代码中搜索 needle 的文本\n検索インデックス、全文検索\n검색 엔진 테스트\n",
  "odd/greek.txt": "ΟΔΥΣΣΕΥΣ Οδυσσεύς οδυσσευσ\nΕΛΛΗΝΙΚΆ ελληνικά\n",
  "odd/latin.txt": "ÄÖÜ äöü Straße STRASSE ſharp Kelvin µm μm Å\n",
  "odd/cyrillic.txt": "Привет, Мир! ПРИВЕТ\n",
  "odd/deseret.txt": "𐐔𐐯𐑅𐐨𐑉𐐯𐐻 𐐼𐐇𐐝\n",
  "odd/one.txt": "x",
  "odd/two.txt": "fi\n",
  "odd/empty.txt": "",
  "odd/long.js": `var a=1;${"needle,".repeat(3_000)}\n`,
  "odd/tabs.tsv": "a\tb\tc\n\t\tneedle\t\n",
  "odd/windows/path name (1).txt": "spaces in the Path\n"
}

const filesOf = (root: string): ReadonlyArray<string> =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith(".git/"))

/** This project's sources, and files with edge cases. */
const root = mkdtempSync(join(tmpdir(), "tongs-differential-"))
const work = join(root, "repos", "own")
/** The paths of the files, one per line, as input of ripgrep. */
const pathList = join(root, "paths.txt")
const prepare = () => {
  for (const part of ["packages/core/src", "packages/service/src", "docs"]) {
    cpSync(fileURLToPath(new URL(`../../${part}`, import.meta.url)), join(work, part), { recursive: true })
  }
  for (const path of filesOf(work)) {
    if (path.endsWith(".png") || statSync(join(work, path)).size > 100_000) rmSync(join(work, path))
  }
  for (const [path, text] of Object.entries(odd)) {
    mkdirSync(join(work, path, ".."), { recursive: true })
    writeFileSync(join(work, path), text)
  }
  git(work, ["init", "--quiet", "--initial-branch=main"])
  git(work, ["add", "--all"])
  git(work, ["commit", "--quiet", "-m", "All"])
  writeFileSync(pathList, filesOf(work).join("\n"))
}

const run = promisify(execFile)
const flags = ["--no-config", "--hidden", "--no-ignore", "--crlf", "--glob=!.git", "--threads=1"]

const ripgrep = async (args: ReadonlyArray<string>): Promise<string> => {
  const done = await run("rg", [...flags, ...args], { cwd: work, maxBuffer: 1e9 }).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === 1) return { stdout: "" }
    throw error
  })
  return done.stdout
}

/** The files or paths that `in:file`, `in:path` or neither select. */
const qualifiers: ReadonlyArray<Pick<CodeQuery.CodeQuery, "inContent" | "inPath">> = [
  { inContent: true, inPath: false },
  { inContent: false, inPath: true },
  { inContent: true, inPath: true }
]

const pattern = (
  leaf: SearchOracle.Term,
  { caseSensitive, wholeWord }: SearchOracle.Settings
): ReadonlyArray<string> => [
  ...(caseSensitive ? [] : ["--ignore-case"]),
  ...(wholeWord ? ["--word-regexp"] : []),
  ...(leaf._tag === "Regex" ? ["--regexp", leaf.source] : ["--fixed-strings", "--regexp", leaf.text])
]

const pathsIn = (output: string) => output.split("\0").flatMap((path) => path.replace(/^\.\//, "") || [])

/** The files, searched by ripgrep. */
const makeCorpus = (): SearchOracle.Corpus => ({
  files: new Map(filesOf(work).map((path) => [path, statSync(join(work, path)).size])),
  inContent: async (term, settings) =>
    pathsIn(await ripgrep(["--files-with-matches", "--null", ...pattern(term, settings), "."])),
  inPath: async (term, settings) => {
    const output = await ripgrep(["--no-filename", "--no-line-number", ...pattern(term, settings), "--", pathList])
    return output.split(/\r?\n/).filter((path) => path !== "")
  },
  byPattern: async (pattern) => pathsIn(await ripgrep(["--files", "--null", `--iglob=/${pattern}`])),
  byLanguage: async (language) =>
    pathsIn(await ripgrep(["--files", "--null", language === "Markdown" ? "--type=md" : "--type=ts"]))
})

const span = { start: 0, length: 0 }
const and = (...parts: ReadonlyArray<CodeQuery.Expression>) => CodeQuery.and(parts)
const or = (...parts: ReadonlyArray<CodeQuery.Expression>) => CodeQuery.or(parts)
const { not } = CodeQuery

const arbitraries = (texts: ReadonlyArray<string>) =>
  SearchOracle.arbitraries({
    texts,
    filters: [
      ...["ts", "md", "txt"].map((value) => ({ name: "extension" as const, value })),
      ...["TypeScript", "Markdown"].map((value) => ({ name: "language" as const, value })),
      ...["search", "index", "test-support"].map((value) => ({ name: "filename" as const, value })),
      ...["docs", "packages/core/src/query", "odd/windows", "/"].map((value) => ({
        name: "path" as const,
        value,
        glob: false
      })),
      ...["**/*.test.ts", "**/search/**/*.ts", "packages/*/src/*.ts", "**/{git,query}/**/*.test.ts", "**/c??.txt"].map(
        (value) => ({
          name: "path" as const,
          value,
          glob: true
        })
      ),
      { name: "size", min: 5_000 },
      { name: "size", min: 10, max: 2_000 }
    ],
    regexes: ["^\\}", "[0-9]{4,}", "ne{2}dle", "\\t{2}", "(?:x|y|z){3}", "[äöü]{2}", "segment[bB]uil\\w+"],
    paths: ["search", "Sqlite/", ".test.ts", "odd", "README"],
    pathRegexes: ["^packages/.*\\.ts$", "(?:git|search)/[A-Z]", "\\.(?:md|txt)$", "^docs/[^/]+$"]
  })

/** Lines with the byte positions of the matches, from ripgrep's JSON. */
const linesOf = async (leaf: SearchOracle.Term, path: string, settings: SearchOracle.Settings) => {
  const output = await ripgrep(["--json", ...pattern(leaf, settings), "--", path])
  return output.split("\n").flatMap((row) => {
    const event = row === "" ? undefined : JSON.parse(row)
    if (event?.type !== "match") return []
    const bytes = Buffer.from(event.data.lines.text)
    const units = (offset: number) => bytes.subarray(0, offset).toString().length
    const matches = event.data.submatches.map(({ end, start }: { readonly start: number; readonly end: number }) => [
      units(start),
      units(end)
    ])
    return [{ number: event.data.line_number, text: event.data.lines.text.replace(/\r?\n$/, ""), matches }]
  })
}

const forge = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(Effect.sync(prepare), () =>
      Effect.sync(() => rmSync(root, { recursive: true, force: true }))
    ),
    () => EmbeddedForge.layer({ data: join(root, "data"), cwd: root, repos: [join(root, "repos")], dialect: "service" })
  )
)

layer(forge, { excludeTestServices: true })("the code index, compared with ripgrep", (it) => {
  const setting = Effect.gen(function* () {
    const { adopted } = yield* EmbeddedForge
    const { search } = yield* CodeSearch
    yield* SearchOracle.untilIndexed(adopted)
    const corpus = makeCorpus()
    const texts = [...corpus.files.keys()].map((path) => readFileSync(join(work, path), "utf8"))
    const look = (query: CodeQuery.CodeQuery) =>
      Effect.gen(function* () {
        const started = yield* search(query, adopted, {
          show: { lines: "all", context: 0 },
          order: "best",
          deadline: Duration.minutes(1)
        })
        assert.deepInclude(started, { isIncomplete: false, notes: [] })
        const found = yield* Stream.runCollect(started.found)
        assert.isFalse(found.some(({ isIncomplete }) => isIncomplete))
        return {
          hits: found.flatMap(({ hits }) => hits),
          verified: found.reduce((sum, { examined }) => sum + examined, 0)
        }
      })
    const find = (query: CodeQuery.CodeQuery) => Effect.map(look(query), ({ hits }) => hits)
    return { corpus, texts, find, look }
  })

  it.effect.skipIf(!hasPrograms("rg"))(`rg: ${queries} queries find the same files`, () =>
    Effect.gen(function* () {
      const { corpus, find, texts } = yield* setting
      const run = Effect.runPromiseWith(yield* Effect.context<never>())
      const sizes: Array<number> = []
      const property = fc.asyncProperty(arbitraries(texts).query, async (generated) => {
        const text = CodeQueryParser.print(generated)
        const query = Result.getOrThrow(CodeQueryParser.parse(text))
        const [hits, files] = await Promise.all([
          run(find(query)),
          SearchOracle.filesOf(corpus, generated, generated.expression)
        ])
        assert.deepStrictEqual(hits.map(({ path }) => path).toSorted(), [...files].toSorted(), text)
        sizes.push(files.size)
      })
      yield* Effect.promise(() => fc.assert(property, { numRuns: queries, seed: SEED, endOnFailure: true }))
      // Many queries find some files, and not all.
      assert.isAbove(sizes.filter((size) => size > 0 && size < corpus.files.size / 2).length, queries / 5)
    })
  )

  it.effect.skipIf(!hasPrograms("rg"))("rg: queries with a literal verify only a few files", () =>
    Effect.gen(function* () {
      const { corpus, look } = yield* setting
      const leaf = (text: string): SearchOracle.Term =>
        text.startsWith("/") ? { _tag: "Regex", source: text.slice(1, -1), span } : { _tag: "Text", text, span }
      const leaves = sample(
        ["postings", "trigram index", "/^packages.*Posting/", "/segment[bB]uil\\w+/", "/(?:webhook|needle)s?\\b/"],
        2
      ).map(leaf)
      const shapes = leaves.flatMap((one, at) => {
        const other = leaves.at(at - 1) ?? one
        const extension: CodeQuery.Expression = { _tag: "Filter", filter: { name: "extension", value: "ts" }, span }
        return [
          one,
          and(one, other),
          or(one, other),
          and(one, not(other, span)),
          and(one, extension),
          or(and(one, extension), other),
          { ...one, place: "content" as const },
          and(one, { _tag: "Text", text: "search", place: "path", span }),
          and(one, { _tag: "Regex", source: "[.]ts$", place: "path", span })
        ]
      })
      for (const expression of shapes) {
        for (const places of qualifiers) {
          const query = { ...CodeQuery.defaultOptions, expression, ...places }
          const shown = CodeQueryParser.print(query)
          const { hits, verified } = yield* look(query)
          const files = yield* Effect.promise(() => SearchOracle.filesOf(corpus, query, expression))
          assert.deepStrictEqual(hits.map(({ path }) => path).toSorted(), [...files].toSorted(), shown)
          assert.isAtMost(
            verified,
            corpus.files.size / 4,
            `${shown}: ${files.size} of ${corpus.files.size} files match`
          )
        }
      }
    })
  )

  it.effect.skipIf(!hasPrograms("rg"))("rg: matches have the same lines and positions", () =>
    Effect.gen(function* () {
      const { find, texts } = yield* setting
      const run = Effect.runPromiseWith(yield* Effect.context<never>())
      const settings = CodeQuery.defaultOptions
      const isShort = ({ text }: Pick<Line, "text">) => text.length < 1_000
      const holds = async (text: string) => {
        const leaf: SearchOracle.Term = { _tag: "Text", text, span }
        const hits = await run(find({ ...settings, expression: leaf, inPath: false }))
        for (const { chunks, path } of hits.slice(0, 5)) {
          const all = await linesOf(leaf, path, settings)
          // The index shortens long lines.
          const long = new Set(all.filter((line) => !isShort(line)).map(({ number }) => number))
          const shown = chunks.flatMap(({ lines }) => lines).filter(({ number }) => !long.has(number))
          const expected = all.filter(isShort)
          assert.deepStrictEqual(
            shown.map(({ matches, number, text }) => ({ number, text, matches })),
            expected
          )
        }
      }
      yield* Effect.promise(() =>
        Promise.all(["needle", "😀", "搜索", "検索", "οδυσσευς", "μm", "𐐼𐐯", "\tneedle"].map(holds))
      )
      const property = fc.asyncProperty(arbitraries(texts).text, holds)
      yield* Effect.promise(() => fc.assert(property, { numRuns: places, seed: SEED }))
    })
  )
})
