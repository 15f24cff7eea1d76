/** The search of commits finds the same commits as `git log` for all queries. */
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import { EmbeddedForge } from "@tongs/service/main/EmbeddedForge"
import * as CommitSearch from "@tongs/service/search/CommitSearch"
import * as CommitCursor from "@tongs/service/search/commits/CommitCursor"
import * as HistoryBuilder from "@tongs/service/search/history/HistoryBuilder"
import * as HistoryDatabase from "@tongs/service/search/history/HistoryDatabase"
import { HistoryIndex } from "@tongs/service/search/history/HistoryIndex"
import { isLong } from "../LongTests.test-support.ts"
import * as CommitHistory from "./CommitHistory.test-support.ts"

const queries = isLong ? 100 : 40
const SEED = 20_260_214

const root = mkdtempSync(join(tmpdir(), "tongs-commits-"))
const bare = join(root, "repos", "own.git")

const run = promisify(execFile)

/** The commits that `git log` lists with these arguments. Renames are not detected, as in the search. */
const log = async (args: ReadonlyArray<string>): Promise<ReadonlySet<string>> => {
  const { stdout } = await run(
    "git",
    ["log", "--format=%H", "--no-renames", "--no-mailmap", "--full-history", "--extended-regexp", ...args],
    { cwd: bare, maxBuffer: 1e8, env: { PATH: process.env["PATH"], LC_ALL: "C", GIT_CONFIG_GLOBAL: "/dev/null" } }
  )
  return new Set(stdout.split("\n").filter((line) => line !== ""))
}

const span = { start: 0, length: 0 }
const and = (...parts: ReadonlyArray<CodeQuery.Expression>) => CodeQuery.and(parts)
const or = (...parts: ReadonlyArray<CodeQuery.Expression>) => CodeQuery.or(parts)
const { not } = CodeQuery
const filterOf = (filter: CodeQuery.Filter): CodeQuery.Expression => ({ _tag: "Filter", filter, span })

/** The patterns for the paths of a filter. Undefined for a filter of other properties. */
const pathspec = ({ filter }: Extract<CodeQuery.Expression, { _tag: "Filter" }>): string | undefined => {
  if (filter.name === "extension") return `:(icase)*.${filter.value}`
  return filter.name === "path" ? `:(icase)${filter.value}` : undefined
}

/** The commits of an expression by `git log` and set operations. `paths` restrict the changes that count. */
const expected = async (
  self: CodeQuery.Expression,
  query: CodeQuery.CodeQuery,
  paths: ReadonlyArray<string>
): Promise<ReadonlySet<string>> => {
  const isDiff = query.kind === "diff"
  const all = [...(isDiff || paths.length > 0 ? ["--no-merges"] : []), ...query.revisions]
  switch (self._tag) {
    case "And": {
      const own = self.all.flatMap((one) => (one._tag === "Filter" ? (pathspec(one) ?? []) : []))
      const rest = self.all.filter((one) => one._tag !== "Filter" || pathspec(one) === undefined)
      const scope = [...paths, ...own]
      const touched = await log([...all, "--", ...scope])
      const parts = await Promise.all(rest.map((one) => expected(one, query, scope)))
      return parts.reduce((found, part) => found.intersection(part), touched)
    }
    case "Or": {
      const parts = await Promise.all(self.any.map((one) => expected(one, query, paths)))
      return parts.reduce((found, part) => found.union(part), new Set<string>())
    }
    case "Not":
      return (await log([...all, "--", ...paths])).difference(await expected(self.not, query, paths))
    case "Filter": {
      const { filter } = self
      if (filter.name === "author" || filter.name === "committer" || filter.name === "message") {
        const option = filter.name === "message" ? "grep" : filter.name
        const value = /^\/(.*)\/$/.exec(filter.value)?.[1] ?? filter.value.replaceAll(".", "\\.")
        return log(["-i", `--${option}=${value}`, ...all, "--", ...paths])
      }
      if (filter.name === "after" || filter.name === "before") {
        return log([`--${filter.name}=${filter.value}`, ...all, "--", ...paths])
      }
      return log([...all, "--", ...paths, pathspec(self) ?? ""])
    }
    default: {
      const source =
        self._tag === "Regex" ? self.source : self._tag === "Text" ? self.text.replace(/[()*.[\]{}|+?]/g, "\\$&") : ""
      const pattern = query.wholeWord ? `(^|[^A-Za-z0-9_])(${source})($|[^A-Za-z0-9_])` : source
      const text = isDiff ? [`-G${pattern}`, "--no-merges"] : [`--grep=${pattern}`]
      return log([...(query.caseSensitive ? [] : ["-i"]), ...text, ...all, "--", ...paths])
    }
  }
}

const { COMMITS: commits, extensions, FIRST_DATE: firstDate, INTERVAL: interval, people, verbs, words } = CommitHistory

const word = fc.constantFrom(...words)
const text: fc.Arbitrary<CodeQuery.Expression> = fc
  .oneof(
    { weight: 3, arbitrary: word },
    { weight: 2, arbitrary: fc.tuple(word, word).map(([a, b]) => `${a}_${b}`) },
    { weight: 2, arbitrary: fc.tuple(word, word).map(([a, b]) => `${a}, ${b})`) },
    { weight: 1, arbitrary: fc.constantFrom(...verbs, "KMALLOC", "== 7", "é", "nowhere", "}", "fixes: ") }
  )
  .map((text) => ({ _tag: "Text", text, span }))
const regex: fc.Arbitrary<CodeQuery.Expression> = fc
  .oneof(
    fc.tuple(word, word).map(([a, b]) => `${a}.*${b}`),
    fc.tuple(word, word).map(([a, b]) => `(${a}|${b})[a-z(]+`),
    word.map((a) => `^[ \t]*${a}`),
    word.map((a) => `${a};$`),
    fc.constantFrom("[0-9]{3}", "^#define [A-Z]+ 9", "^[}]$", "x{9}")
  )
  .map((source) => ({ _tag: "Regex", source, span }))
const leaf = fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: regex })
const date = fc
  .nat(commits)
  .map((at) => new Date((firstDate + at * interval) * 1000).toISOString().replace(".000Z", "Z"))
const filter: fc.Arbitrary<CodeQuery.Expression> = fc
  .oneof(
    fc.constantFrom("src", "src/net", "drivers/GPU", "docs", "side", "image.bin").map((value) => ({
      name: "path" as const,
      value,
      glob: false
    })),
    fc.constantFrom(...extensions).map((value) => ({ name: "extension" as const, value })),
    fc
      .tuple(
        fc.constantFrom("author" as const, "committer" as const),
        fc.constantFrom("ann", "@example.org", "Öz", "/^bob .*com/", ...people)
      )
      .map(([name, value]) => ({ name, value: value.replace(/>$/, "") })),
    word.map((value) => ({ name: "message" as const, value })),
    fc.tuple(fc.constantFrom("after" as const, "before" as const), date).map(([name, value]) => ({ name, value }))
  )
  .map(filterOf)
const expression: fc.Arbitrary<CodeQuery.Expression> = fc.oneof(
  { weight: 3, arbitrary: leaf },
  { weight: 1, arbitrary: fc.tuple(leaf, leaf).map(([a, b]) => and(a, b)) },
  { weight: 1, arbitrary: fc.tuple(leaf, leaf).map(([a, b]) => or(a, b)) },
  { weight: 1, arbitrary: fc.tuple(leaf, leaf).map(([a, b]) => and(a, not(b, span))) },
  { weight: 3, arbitrary: fc.tuple(leaf, filter).map(([a, b]) => and(a, b)) },
  { weight: 1, arbitrary: fc.tuple(leaf, leaf, filter).map(([a, b, c]) => and(a, not(b, span), c)) },
  { weight: 1, arbitrary: fc.tuple(leaf, leaf, filter).map(([a, b, c]) => or(a, and(b, c))) },
  { weight: 1, arbitrary: filter }
)
const query: fc.Arbitrary<CodeQuery.CodeQuery> = fc.record({
  expression,
  caseSensitive: fc.boolean(),
  wholeWord: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  inContent: fc.constant(true),
  inPath: fc.constant(true),
  symbolKinds: fc.constant<ReadonlyArray<string>>([]),
  kind: fc.oneof(
    { weight: 2, arbitrary: fc.constant<"diff" | "commit">("diff") },
    { weight: 1, arbitrary: fc.constant<"diff" | "commit">("commit") }
  ),
  revisions: fc.oneof(
    { weight: 3, arbitrary: fc.constant<ReadonlyArray<string>>([]) },
    { weight: 1, arbitrary: fc.constantFrom<ReadonlyArray<string>>(["side"], ["main", "side"]) }
  ),
  count: fc.constant(undefined)
})

const forge = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        mkdirSync(bare, { recursive: true })
        CommitHistory.create(bare, SEED)
      }),
      () => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
    ),
    () => EmbeddedForge.layer({ data: join(root, "data"), cwd: root, repos: [join(root, "repos")], dialect: "service" })
  )
)

/** Milliseconds for all queries on a busy machine. */
const TIMEOUT = 600_000

/** Number of commits after which a search is stopped and continued with its cursor. */
const PAGE = 7

layer(forge, { excludeTestServices: true })("the search of commits, compared with git log", (it) => {
  it.effect(
    `${queries} queries find the same commits, newest first, without, with a part and with the whole index`,
    () =>
      Effect.gen(function* () {
        const { adopted } = yield* EmbeddedForge
        // The test builds the index itself.
        const history = { ...(yield* HistoryIndex), request: () => Effect.void }
        const find = yield* Effect.provideService(CommitSearch.make, HistoryIndex, history)
        const run = Effect.runPromiseWith(yield* Effect.context<never>())
        const sizes: Array<number> = []
        const gitDir = adopted[0]?.git.gitDir ?? ""
        const index = async (revision: string) => {
          const { stdout } = await promisify(execFile)("git", ["rev-parse", revision], { cwd: bare })
          const { signal } = new AbortController()
          const folder = HistoryDatabase.folderIn(join(root, "data"))
          await HistoryBuilder.build({ folder, gitDir, tip: stdout.trim(), onProgress: () => {}, signal })
        }
        /** Reads a search in pages, each continued with the cursor of the one before. */
        const readPages = async (query: CodeQuery.CodeQuery) => {
          const hits: Array<string> = []
          for (let cursor: string | undefined = ""; cursor !== undefined;) {
            const search = find(query, adopted, { cursor: CommitCursor.parse(cursor) })
            const steps = await run(
              Stream.runCollect(
                search.steps.pipe(
                  Stream.mapAccum(
                    () => 0,
                    (count, step) => {
                      const next = count + (step.found === undefined ? 0 : 1)
                      return [next, [{ step, next }]]
                    }
                  ),
                  Stream.takeUntil(({ next, step }) => next >= PAGE && step.found !== undefined)
                )
              )
            )
            hits.push(...steps.flatMap(({ step }) => step.found?.hit.sha ?? []))
            const last = steps.at(-1)
            cursor = last === undefined || last.next < PAGE ? undefined : last.step.cursor
          }
          return hits
        }
        /** The expected commits of the queries, which are the same for each state of the index. */
        const known = new Map<string, Promise<ReadonlySet<string>>>()
        const expectedOf = (query: CodeQuery.CodeQuery) => {
          const key = JSON.stringify(query)
          // A commit without changed files, such as a merge, has no diff.
          const all =
            known.get(key) ??
            Promise.all([
              expected(query.expression, query, []),
              log(query.kind === "diff" ? ["--no-merges", ...query.revisions, "--", ":(glob)**"] : query.revisions)
            ]).then(([all, eligible]) => all.intersection(eligible))
          known.set(key, all)
          return all
        }
        const property = fc.asyncProperty(query, fc.boolean(), async (query, inPages) => {
          const search = find(query, adopted)
          const [found, all] = await Promise.all([run(Stream.runCollect(search.found)), expectedOf(query)])
          const hits = found.map(({ hit }) => hit)
          assert.deepStrictEqual(hits.map(({ sha }) => sha).toSorted(), [...all].toSorted())
          assert.deepStrictEqual([...search.incomplete, ...search.notes], [])
          const dates = hits.map(({ committer }) => committer.date)
          assert.deepStrictEqual(dates, dates.toSorted().toReversed())
          if (inPages)
            assert.deepStrictEqual(
              await readPages(query),
              hits.map(({ sha }) => sha)
            )
          sizes.push(hits.length)
        })
        const check = Effect.promise(() => fc.assert(property, { numRuns: queries, seed: SEED, endOnFailure: true }))
        yield* check
        yield* Effect.promise(() => index("main~100"))
        yield* check
        yield* Effect.promise(() => index("main"))
        yield* check
        // Many queries find some commits, and not all.
        const some = sizes.filter((size) => size > 0 && size < commits / 2)
        assert.isAbove(some.length, queries, sizes.join(" "))
      }),
    TIMEOUT
  )
})
