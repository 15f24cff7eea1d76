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
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import type { Line } from "@tongs/core/contract/CodeSearch"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import { EmbeddedForge } from "@tongs/service/main/EmbeddedForge"
import { git } from "@tongs/service/git/Fixture.test-support"
import { CodeSearch } from "@tongs/service/search/CodeSearch"
import { Indexer } from "@tongs/service/search/Indexer"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"

const queries = 500
const seed = 20_260_101
const places = 60

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

type Settings = Pick<CodeQuery.CodeQuery, "caseSensitive" | "wholeWord">
type Places = Pick<CodeQuery.CodeQuery, "inContent" | "inPath">

/** The files or paths that \`in:file\`, \`in:path\` or neither select. */
const qualifiers: ReadonlyArray<Places> = [
  { inContent: true, inPath: false },
  { inContent: false, inPath: true },
  { inContent: true, inPath: true }
]

const pattern = (leaf: CodeQuery.Leaf, { caseSensitive, wholeWord }: Settings): ReadonlyArray<string> => [
  ...(caseSensitive ? [] : ["--ignore-case"]),
  ...(wholeWord ? ["--word-regexp"] : []),
  ...(leaf._tag === "Regex" ? ["--regexp", leaf.source] : ["--fixed-strings", "--regexp", textOf(leaf)])
]

const textOf = (leaf: CodeQuery.Leaf): string => (leaf._tag === "Text" ? leaf.text : "")

/** The files of an expression, by ripgrep and set operations. */
const expected = async (
  self: CodeQuery.Expression,
  settings: Settings & Places,
  all: ReadonlySet<string>
): Promise<ReadonlySet<string>> => {
  switch (self._tag) {
    case "And": {
      const parts = await Promise.all(self.all.map((one) => expected(one, settings, all)))
      return parts.reduce((found, part) => found.intersection(part), all)
    }
    case "Or": {
      const parts = await Promise.all(self.any.map((one) => expected(one, settings, all)))
      return parts.reduce((found, part) => found.union(part), new Set<string>())
    }
    case "Not":
      return all.difference(await expected(self.not, settings, all))
    case "Filter": {
      const { filter } = self
      return new Set([...all].filter((path) => filter.name === "extension" && path.endsWith(`.${filter.value}`)))
    }
    default: {
      const flags = pattern(self, settings)
      const [contents, paths] = await Promise.all([
        settings.inContent ? ripgrep(["--files-with-matches", "--null", ...flags, "."]) : "",
        settings.inPath ? ripgrep(["--no-filename", "--no-line-number", ...flags, "--", pathList]) : ""
      ])
      const found = [...contents.split("\0").map((path) => path.replace("./", "")), ...paths.split(/\r?\n/)]
      return new Set(found.filter((path) => path !== ""))
    }
  }
}

const span = { start: 0, length: 0 }
const and = (...parts: ReadonlyArray<CodeQuery.Expression>) => CodeQuery.and(parts)
const or = (...parts: ReadonlyArray<CodeQuery.Expression>) => CodeQuery.or(parts)
const { not } = CodeQuery

/** Random queries with words of the files. */
const arbitraries = (texts: ReadonlyArray<string>) => {
  const lines = texts.flatMap((text) => text.split(/\r?\n/)).filter((line) => line.trim() !== "")
  const piece = fc
    .tuple(fc.constantFrom(...lines), fc.nat(), fc.integer({ min: 1, max: 24 }))
    .map(([line, at, length]) => {
      const characters = [...line]
      const start = at % characters.length
      return characters.slice(start, start + length).join("")
    })
    .filter((text) => text.trim() !== "")
  const cased = fc
    .tuple(piece, fc.constantFrom("as is", "upper", "lower"))
    // Letters with several letters in the other case have no simple case folding.
    .map(([text, how]) => {
      const other = how === "upper" ? text.toUpperCase() : how === "lower" ? text.toLowerCase() : text
      return other.length === text.length ? other : text
    })
  const word = fc.constantFrom(...new Set(lines.flatMap((line) => line.match(/[a-z_]{3,}/gi) ?? [])))
  const text: fc.Arbitrary<CodeQuery.Expression> = fc
    .oneof(cased, word, fc.constantFrom("fi", "x", "zzqqxx", "://"))
    .map((text) => ({
      _tag: "Text",
      text,
      span
    }))
  const escaped = word.map((one) => one.replace(/[^a-z0-9]/gi, "\\$&").replaceAll("\\_", "_"))
  const regex: fc.Arbitrary<CodeQuery.Expression> = fc
    .oneof(
      fc.tuple(escaped, escaped).map(([a, b]) => `${a}.*${b}`),
      fc.tuple(escaped, escaped).map(([a, b]) => `(?:${a}|${b})[a-z]+`),
      escaped.map((a) => `^[ \\t]*${a}`),
      escaped.map((a) => `[^a-z]${a}$`),
      escaped.map((a) => `${a}[A-Z0-9_]{1,3}\\(`),
      escaped.map((a) => `${a.slice(0, 2)}?${a.slice(2)}\\s*[=:]`),
      fc.constantFrom("^\\}", "[0-9]{4,}", "ne{2}dle", "\\t{2}", "(?:x|y|z){3}", "[äöü]{2}")
    )
    .map((source) => ({ _tag: "Regex", source, span }))
  const leaf = fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: regex })
  const filter: fc.Arbitrary<CodeQuery.Expression> = fc
    .constantFrom("ts", "md", "txt")
    .map((value) => ({ _tag: "Filter", filter: { name: "extension", value }, span }))
  const expression: fc.Arbitrary<CodeQuery.Expression> = fc.oneof(
    { weight: 4, arbitrary: leaf },
    { weight: 1, arbitrary: fc.tuple(leaf, leaf).map(([a, b]) => and(a, b)) },
    { weight: 1, arbitrary: fc.tuple(leaf, leaf).map(([a, b]) => or(a, b)) },
    {
      weight: 1,
      arbitrary: fc.tuple(leaf, leaf).map(([a, b]) => and(a, not(b, span)))
    },
    { weight: 1, arbitrary: fc.tuple(leaf, filter).map(([a, b]) => and(a, b)) }
  )
  const query: fc.Arbitrary<CodeQuery.CodeQuery> = fc.record({
    expression,
    caseSensitive: fc.boolean(),
    wholeWord: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    inContent: fc.constant(true),
    inPath: fc.constant(false),
    kind: fc.constant("file"),
    revisions: fc.constant([]),
    count: fc.constant(undefined)
  })
  const anywhere = fc
    .tuple(query, fc.constantFrom(...qualifiers))
    .map(([query, places]): CodeQuery.CodeQuery => ({ ...query, ...places }))
  return { query: anywhere, text: cased }
}

/** Lines with the byte positions of their matches, from ripgrep's JSON. */
const linesOf = async (leaf: CodeQuery.Leaf, path: string, settings: Settings) => {
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
    const indexer = yield* Indexer
    assert.deepInclude((yield* indexer.statuses(adopted, 60_000))[0], { phase: "ready" })
    const all = filesOf(work)
    const texts = all.map((path) => readFileSync(join(work, path), "utf8"))
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
    return { all: new Set(all), texts, find, look }
  })

  it.effect.skipIf(!hasPrograms("rg"))(`rg: ${queries} queries find the same files`, () =>
    Effect.gen(function* () {
      const { all, find, texts } = yield* setting
      const run = Effect.runPromiseWith(yield* Effect.context<never>())
      const property = fc.asyncProperty(arbitraries(texts).query, async (query) => {
        const [hits, files] = await Promise.all([run(find(query)), expected(query.expression, query, all)])
        assert.deepStrictEqual(hits.map(({ path }) => path).toSorted(), [...files].toSorted())
      })
      yield* Effect.promise(() => fc.assert(property, { numRuns: queries, seed, endOnFailure: true }))
    })
  )

  it.effect.skipIf(!hasPrograms("rg"))("rg: queries with a literal verify only a few files", () =>
    Effect.gen(function* () {
      const { all, look } = yield* setting
      const leaf = (text: string): CodeQuery.Leaf =>
        text.startsWith("/") ? { _tag: "Regex", source: text.slice(1, -1), span } : { _tag: "Text", text, span }
      const leaves = [
        "postings",
        "trigram index",
        "/^packages.*Posting/",
        "/segment[bB]uil\\w+/",
        "/(?:webhook|needle)s?\\b/"
      ].map(leaf)
      const shapes = leaves.flatMap((one, at) => {
        const other = leaves.at(at - 1) ?? one
        const extension: CodeQuery.Expression = { _tag: "Filter", filter: { name: "extension", value: "ts" }, span }
        return [
          one,
          and(one, other),
          or(one, other),
          and(one, not(other, span)),
          and(one, extension),
          or(and(one, extension), other)
        ]
      })
      for (const expression of shapes) {
        for (const places of qualifiers) {
          const query = { ...CodeQuery.defaultOptions, expression, ...places }
          const shown = CodeQueryParser.print(query)
          const { hits, verified } = yield* look(query)
          const files = yield* Effect.promise(() => expected(expression, query, all))
          assert.deepStrictEqual(hits.map(({ path }) => path).toSorted(), [...files].toSorted(), shown)
          assert.isAtMost(verified, all.size / 4, `${shown}: ${files.size} of ${all.size} files match`)
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
        const leaf: CodeQuery.Leaf = { _tag: "Text", text, span }
        const hits = await run(find({ ...settings, expression: leaf, inPath: false }))
        for (const { chunks, path } of hits.slice(0, 5)) {
          const shown = chunks.flatMap(({ lines }) => lines).filter(isShort)
          const expected = (await linesOf(leaf, path, settings)).filter(isShort)
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
      yield* Effect.promise(() => fc.assert(property, { numRuns: places, seed }))
    })
  )
})
