/** Searches of branches, tags and commits find the same files and lines as git grep, whatever the index has. */
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
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
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import { git } from "@tongs/service/git/Fixture.test-support"
import { EmbeddedForge } from "@tongs/service/main/EmbeddedForge"
import { CodeSearch } from "@tongs/service/search/CodeSearch"
import * as IndexDatabase from "@tongs/service/search/sqlite/IndexDatabase"
import { IndexWriter } from "@tongs/service/search/sqlite/IndexWriter"
import { isLong, sample } from "../LongTests.test-support.ts"
import * as SearchHistory from "./SearchHistory.test-support.ts"
import * as SearchOracle from "./SearchOracle.test-support.ts"

const queries = isLong ? 200 : 30
const SEED = 20_260_303

type Revision = readonly [written: string, names: ReadonlyArray<string>]

/** Revisions of queries, each with the selected names: branches, tags, commits and patterns. */
const revisionsOf = (path: string): ReadonlyArray<Revision> => {
  const names = ["main", "far", "orphan", "topic", "v1.0", "v2.0", "refs/heads/release-1"]
  const abbreviated = git(path, ["rev-parse", "--short", "v1.0~2"])
  return [
    ...[...names, abbreviated].map((name): Revision => [name, [name]]),
    ["release-*", ["release-1", "release-2"]],
    ["v?.0", ["v1.0", "v2.0"]]
  ]
}

const run = promisify(execFile)

/** Runs git, whose exit code 1 means that nothing was found. */
const read = async (gitDir: string, args: ReadonlyArray<string>): Promise<string> => {
  const options = { maxBuffer: 1e8, env: { ...process.env, LC_ALL: "C.UTF-8" } }
  const done = await run("git", ["-C", gitDir, ...args], options).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === 1) return { stdout: "" }
    throw error
  })
  return done.stdout
}

const optionsOf = (term: SearchOracle.Term, { caseSensitive, wholeWord }: SearchOracle.Settings) => [
  ...(caseSensitive ? [] : ["--ignore-case"]),
  ...(wholeWord ? ["--word-regexp"] : []),
  // For git, a carriage return belongs to the line.
  ...(term._tag === "Regex"
    ? ["--perl-regexp", "-e", term.source.replace(/\$$/, String.raw`\r?$`)]
    : ["--fixed-strings", "-e", term.text])
]

/** Searches a commit with git, which reads no symbolic links and, with `-I`, no binary files. */
const makeCorpus = async (gitDir: string, commit: string) => {
  const grep = async (args: ReadonlyArray<string>) => {
    const output = await read(gitDir, ["grep", "-I", "--files-with-matches", "--null", ...args, commit])
    return output.split("\0").flatMap((row) => row.slice(commit.length + 1) || [])
  }
  const texts = new Set(await grep(["-e", ""]))
  const oids = new Map<string, string>()
  const files = new Map<string, number>()
  for (const row of (await read(gitDir, ["ls-tree", "-r", "-z", "--long", commit])).split("\0")) {
    const [attributes = "", path = ""] = row.split("\t")
    const [mode = "", , oid = "", size] = attributes.split(/ +/)
    if (!mode.startsWith("100") || !texts.has(path)) continue
    files.set(path, Number(size))
    oids.set(path, oid)
  }
  const where = (holds: (path: string) => boolean) => [...files.keys()].filter(holds)
  const corpus: SearchOracle.Corpus = {
    files,
    inContent: (term, settings) => grep(optionsOf(term, settings)),
    inPath: async (term, { caseSensitive, wholeWord }) => {
      const source = term._tag === "Text" ? RegExp.escape(term.text) : term.source
      const pattern = new RegExp(
        wholeWord ? String.raw`(?<!\w)(?:${source})(?!\w)` : source,
        caseSensitive ? "u" : "iu"
      )
      return where((path) => pattern.test(path))
    },
    byPattern: async (pattern) => where((path) => matchesGlob(path.toLowerCase(), pattern)),
    byLanguage: async (language) => where((path) => (language === "C" ? /\.[ch]$/ : /\.md$/).test(path))
  }
  return { corpus, oids }
}

/** Queries about files of the history. */
const arbitrary = (revisions: ReadonlyArray<Revision>, texts: ReadonlyArray<string>) =>
  fc.record({
    query: SearchOracle.arbitraries({
      texts,
      filters: [
        { name: "extension", value: "ts" },
        { name: "language", value: "C" },
        { name: "language", value: "Markdown" },
        { name: "filename", value: "socket" },
        { name: "path", value: "src", glob: false },
        { name: "path", value: "/", glob: false },
        { name: "path", value: "**/net/*.{c,md}", glob: true },
        { name: "path", value: "drivers/**", glob: true },
        { name: "size", min: 600 }
      ],
      regexes: ["^#define [A-Z]+ 9", "^[}]$", "x{9}", "[0-9]{3}", "\\w+_lock\\("],
      paths: ["net/", "TOKEN", ".md"],
      pathRegexes: ["^src/.*[.]c$", "(?:token|queue)[0-9]+", "[.](?:h|md)$"]
    }).query,
    chosen: fc.uniqueArray(fc.constantFrom(...revisions), { minLength: 1, maxLength: 3 })
  })

/** Contents of the index at the start of the searches. */
const states = ["a third of the contents", "the tip", "a commit behind", "nothing"] as const

/** Prevents writes of the index, like another process that holds the write lease. */
const hold = (data: string) => {
  const database = IndexDatabase.open(IndexDatabase.fileIn(data))
  const holder = `${hostname()} ${process.pid} test`
  database.prepare("INSERT INTO writer (id, process, until) VALUES (1, ?, ?)").run(holder, Number.MAX_SAFE_INTEGER)
  database.close()
}

/** Indexes a third of the files of `main` in another repository, which an interrupted first update leaves as well. */
const indexThird = async (path: string, data: string, root: string) => {
  const other = join(root, "other.git")
  git(root, ["clone", "--quiet", "--bare", path, other])
  const rows = git(other, ["ls-tree", "-r", "main"]).split("\n")
  git(other, ["read-tree", "--empty"])
  git(other, ["update-index", "--index-info"], `${rows.filter((_, at) => at % 3 === 0).join("\n")}\n`)
  const commit = git(other, ["commit-tree", "-m", "third", git(other, ["write-tree"])])
  const database = IndexDatabase.open(IndexDatabase.fileIn(data))
  const { signal } = new AbortController()
  await new IndexWriter(database).apply({ gitDir: other, commit, pinned: [], onProgress: () => {}, signal })
  database.prepare("INSERT INTO repositories (git_dir) VALUES (?)").run(path)
  database.close()
}

/** Starts a forge with a state of the index. */
const start = (state: (typeof states)[number]) =>
  Effect.gen(function* () {
    const root = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "tongs-revisions-"))),
      (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
    )
    const [path, data] = [join(root, "repos", "own.git"), join(root, "data")]
    mkdirSync(data)
    const commitMore = SearchHistory.create(path, SEED)
    if (state === "a third of the contents") yield* Effect.promise(() => indexThird(path, data, root))
    const isEmpty = state === "a third of the contents" || state === "nothing"
    if (isEmpty) hold(data)
    const options = { data, cwd: root, repos: [join(root, "repos")], dialect: "service" as const }
    const context = yield* Layer.build(EmbeddedForge.layer(options))
    const { adopted } = Context.get(context, EmbeddedForge)
    if (!isEmpty) yield* Effect.provide(SearchOracle.untilIndexed(adopted), context)
    if (state === "a commit behind") {
      hold(data)
      commitMore()
    }
    const { search } = Context.get(context, CodeSearch)
    const find = (query: CodeQuery.CodeQuery) =>
      Effect.gen(function* () {
        // Without a deadline to wait for, the search does not wait for the index either.
        const deadline = Duration.zero
        const { found, isIncomplete, notes } = yield* search(query, adopted, {
          show: { lines: "complete", context: 0 },
          order: "best",
          deadline
        })
        const batches = yield* Stream.runCollect(found)
        assert.deepStrictEqual([isIncomplete, ...notes, ...batches.map((one) => one.isIncomplete)].filter(Boolean), [])
        return batches.flatMap(({ hits }) => hits)
      })
    const commits = new Map<
      string,
      { readonly corpus: SearchOracle.Corpus; readonly oids: ReadonlyMap<string, string> }
    >()
    const revisions = revisionsOf(path)
    for (const name of new Set(revisions.flatMap(([, names]) => names))) {
      const commit = git(path, ["rev-parse", `${name}^{commit}`])
      commits.set(name, yield* Effect.promise(() => makeCorpus(path, commit)))
    }
    return { find, path, commits, revisions }
  })

const withRevisions = (query: CodeQuery.CodeQuery, chosen: ReadonlyArray<string>): CodeQuery.CodeQuery =>
  Result.getOrThrow(CodeQueryParser.parse(CodeQueryParser.print({ ...query, revisions: chosen })))

const span = { start: 0, length: 0 }

describe("searches of revisions, compared with git grep", { timeout: 240_000 }, () => {
  it.live.each(sample(states, 4))(`${queries} queries find the same files when the index has %s`, (state) =>
    Effect.gen(function* () {
      const { commits, find, path, revisions } = yield* start(state)
      const run = Effect.runPromiseWith(yield* Effect.context<never>())
      const text = git(path, ["grep", "-h", "-I", "-e", "", "main"])
        .replaceAll("\r", "")
        .replaceAll(/[^\n -~]/g, "")
      const sizes: Array<number> = []
      const property = fc.asyncProperty(arbitrary(revisions, [text]), async ({ chosen, query: generated }) => {
        const query = withRevisions(
          generated,
          chosen.map(([name]) => name)
        )
        const names = [...new Set(chosen.flatMap(([, names]) => names))]
        const expected: Array<string> = []
        for (const name of names) {
          const one = commits.get(name)
          if (one === undefined) continue
          const files = await SearchOracle.filesOf(one.corpus, generated, generated.expression)
          for (const path of files) expected.push(`${path} ${one.oids.get(path)} ${name}`)
        }
        const hits = await run(find(query))
        const found = hits.flatMap(({ oid, path, revisions }) => revisions.map((name) => `${path} ${oid} ${name}`))
        const shown = CodeQueryParser.print(query)
        assert.deepStrictEqual(found.toSorted(), expected.toSorted(), shown)
        const files = hits.map(({ oid, path }) => `${path} ${oid}`)
        assert.strictEqual(new Set(files).size, files.length, `a file is one result for all its revisions: ${shown}`)
        sizes.push(hits.length)
      })
      yield* Effect.promise(() => fc.assert(property, { numRuns: queries, seed: SEED, endOnFailure: true }))
      assert.isAbove(sizes.filter((size) => size > 0 && size < 100).length, queries / 5)

      for (const [at, word] of SearchHistory.words.slice(0, 12).entries()) {
        const [revision = "main"] = revisions[at % revisions.length] ?? []
        const expression: CodeQuery.Expression = { _tag: "Text", text: word, span }
        const query = withRevisions({ ...CodeQuery.defaultOptions, expression, inPath: false }, [revision])
        const expected: Array<string> = []
        for (const name of revisions[at % revisions.length]?.[1] ?? []) {
          const commit = git(path, ["rev-parse", `${name}^{commit}`])
          const rows = yield* Effect.promise(() =>
            read(path, ["grep", "-I", "-i", "-F", "--line-number", "-e", word, commit])
          )
          for (const row of rows.split("\n")) if (row !== "") expected.push(`${name}:${row.slice(41)}`)
        }
        const lines = (yield* find(query)).flatMap(({ chunks, path, revisions }) =>
          chunks
            .flatMap(({ lines }) => lines)
            .flatMap(({ number, text }) => revisions.map((name) => `${name}:${path}:${number}:${text}`))
        )
        assert.isNotEmpty(expected)
        assert.deepStrictEqual(lines.toSorted(), expected.toSorted(), CodeQueryParser.print(query))
      }
    })
  )
})
