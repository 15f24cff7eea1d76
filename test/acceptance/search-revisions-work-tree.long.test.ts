/** Searches of a changed work tree find the same files as ripgrep, also right after an edit. */
import { execFile } from "node:child_process"
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join, matchesGlob } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import type * as CodeQuery from "@tongs/core/query/CodeQuery"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import { folder, git } from "@tongs/service/git/Fixture.test-support"
import { EmbeddedForge } from "@tongs/service/main/EmbeddedForge"
import { CodeSearch } from "@tongs/service/search/CodeSearch"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { isLong } from "../LongTests.test-support.ts"
import * as SearchHistory from "./SearchHistory.test-support.ts"
import * as SearchOracle from "./SearchOracle.test-support.ts"

const queries = isLong ? 30 : 10
const SEED = 20_260_404

const run = promisify(execFile)

/** Returns the paths that ripgrep prints. Exit code 1 means no match. */
const ripgrep = async (cwd: string, args: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const flags = ["--no-config", "--hidden", "--crlf", "--glob=!.git", "--null", ...args]
  const { stdout } = await run("rg", flags, { cwd }).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === 1) return { stdout: "" }
    throw error
  })
  return stdout.split("\0").flatMap((path) => path.replace(/^\.\//, "") || [])
}

const makeCorpus = async (path: string): Promise<SearchOracle.Corpus> => {
  // Without `--text`, ripgrep lists binary files as well, and finds no line in an empty file.
  const files = await ripgrep(path, ["--files"])
  const texts = files.filter((file) => !readFileSync(join(path, file)).includes(0))
  const sizes = new Map(texts.map((file) => [file, statSync(join(path, file)).size]))
  const where = (holds: (file: string) => boolean) => texts.filter(holds)
  return {
    files: sizes,
    inContent: (term, { caseSensitive, wholeWord }) =>
      ripgrep(path, [
        "--files-with-matches",
        ...(caseSensitive ? [] : ["--ignore-case"]),
        ...(wholeWord ? ["--word-regexp"] : []),
        ...(term._tag === "Regex" ? ["--regexp", term.source] : ["--fixed-strings", "--regexp", term.text]),
        "."
      ]),
    inPath: async (term, { caseSensitive, wholeWord }) => {
      const source = term._tag === "Text" ? RegExp.escape(term.text) : term.source
      const word = wholeWord ? String.raw`(?<!\w)(?:${source})(?!\w)` : source
      return where((file) => new RegExp(word, caseSensitive ? "u" : "iu").test(file))
    },
    byPattern: async (pattern) => where((file) => matchesGlob(file.toLowerCase(), pattern)),
    byLanguage: async (language) => where((file) => (language === "C" ? /\.[ch]$/ : /\.md$/).test(file))
  }
}

/** Changes files of a work tree in every way, and stages some changes. */
const makeDirty = (path: string) => {
  const files = git(path, ["ls-files", "src", "docs", "test"])
    .split("\n")
    .filter((file) => statSync(join(path, file), { throwIfNoEntry: false })?.isFile())
  for (const [at, file] of files.entries()) {
    if (at % 9 === 0) appendFileSync(join(path, file), "token_queue uncommitted(buffer)\n")
    if (at % 9 === 1) rmSync(join(path, file))
    if (at % 9 === 2) git(path, ["mv", file, `${file}.moved.ts`])
    if (at % 9 === 3) writeFileSync(join(path, file), "static int staged;\n")
    if (at % 9 === 3) git(path, ["add", file])
    if (at % 18 === 3) writeFileSync(join(path, file), "parse stream staged and edited\n")
    if (at % 9 === 4) git(path, ["rm", "--quiet", "--cached", file])
  }
  mkdirSync(join(path, "new/folder"), { recursive: true })
  writeFileSync(join(path, "new/folder/untracked.c"), "int mutex_lock(struct packet *value);\n")
  writeFileSync(join(path, ".gitignore"), "*.log\n")
  writeFileSync(join(path, "new/ignored.log"), "static struct token\n")
}

const vocabulary = (text: string): SearchOracle.Vocabulary => ({
  texts: [text, "token_queue uncommitted(buffer)\nstatic int staged;"],
  filters: [
    { name: "extension", value: "ts" },
    { name: "language", value: "C" },
    { name: "path", value: "src", glob: false },
    { name: "path", value: "**/net/*.{c,md}", glob: true }
  ],
  regexes: ["^#define [A-Z]+ 9", "x{9}", "[0-9]{3}", "\\w+_lock\\("],
  paths: ["net/", "TOKEN", "moved"],
  pathRegexes: ["^src/.*[.]c$", "[.](?:h|md)$"]
})

describe("a changed work tree", { timeout: 120_000 }, () => {
  it.live.skipIf(!hasPrograms("rg"))(`rg: ${queries} queries find the same files, and each edit at once`, () =>
    Effect.gen(function* () {
      const root = yield* folder
      const [bare, path] = [join(root, "own.git"), join(root, "repos", "own")]
      SearchHistory.create(bare, SEED)
      mkdirSync(join(root, "repos"))
      git(root, ["clone", "--quiet", bare, path])
      const context = yield* Layer.build(
        EmbeddedForge.layer({
          data: join(root, "data"),
          cwd: root,
          repos: [join(root, "repos")],
          dialect: "service",
          searchesWorkTrees: true
        })
      )
      const { adopted } = Context.get(context, EmbeddedForge)
      const { search } = Context.get(context, CodeSearch)
      yield* Effect.provide(SearchOracle.untilIndexed(adopted), context)
      makeDirty(path)
      const find = (query: CodeQuery.CodeQuery) =>
        Effect.gen(function* () {
          const { found, isIncomplete, notes } = yield* search(query, adopted, {
            show: { lines: "all", context: 0 },
            order: "best",
            deadline: Duration.minutes(1),
            searchesWorkTrees: true
          })
          assert.deepStrictEqual([isIncomplete, notes], [false, []])
          return (yield* Stream.runCollect(found)).flatMap(({ hits }) => hits.map((hit) => hit.path)).toSorted()
        })
      const corpus = yield* Effect.promise(() => makeCorpus(path))
      const text = git(path, ["grep", "-h", "-I", "-e", "", "main"]).replaceAll(/\r| – café\./g, "")
      const runPromise = Effect.runPromiseWith(yield* Effect.context<never>())
      const { query } = SearchOracle.arbitraries(vocabulary(text))
      let matched = 0
      const property = fc.asyncProperty(query, async (generated) => {
        const printed = CodeQueryParser.print(generated)
        const files = await SearchOracle.filesOf(corpus, generated, generated.expression)
        const found = await runPromise(find(Result.getOrThrow(CodeQueryParser.parse(printed))))
        assert.deepStrictEqual(found, [...files].toSorted(), printed)
        matched += files.size > 0 && files.size < corpus.files.size / 2 ? 1 : 0
      })
      yield* Effect.promise(() => fc.assert(property, { numRuns: queries, seed: SEED, endOnFailure: true }))
      assert.isAbove(matched, queries / 4)

      const uncommitted = Result.getOrThrow(CodeQueryParser.parse("fresh_edit"))
      const files = ["new/folder/untracked.c", ".gitignore", "README"]
      for (const [at, file] of files.entries()) {
        appendFileSync(join(path, file), "fresh_edit\n")
        assert.deepStrictEqual(yield* find(uncommitted), files.slice(0, at + 1).toSorted())
      }
      for (const [at, file] of files.entries()) {
        writeFileSync(join(path, file), "\n")
        assert.deepStrictEqual(yield* find(uncommitted), files.slice(at + 1).toSorted())
      }
    })
  )
})
