import { isDeepStrictEqual } from "node:util"
import { assert, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { CommitHit, Done, FileHit } from "@tongs/core/contract/groups/CodeSearch"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { CodeSearch } from "../../search/CodeSearch.ts"
import * as CommitSearch from "../../search/CommitSearch.ts"
import * as CommitCursor from "../../search/commits/CommitCursor.ts"
import * as IndexStates from "../../search/IndexStates.ts"
import { PackageDirectory } from "../../search/PackageDirectory.ts"
import * as SearchResults from "../../search/SearchResults.ts"
import * as DefinitionSearch from "../codeNavigation/DefinitionSearch.ts"
import * as NameSearch from "../codeNavigation/NameSearch.ts"
import * as PackageSearch from "../codeNavigation/PackageSearch.ts"
import * as ReferenceSearch from "../codeNavigation/ReferenceSearch.ts"
import * as ClusterProcesses from "./ClusterProcesses.test-support.ts"
import * as CommitEvents from "./CommitEvents.ts"
import * as SearchEvents from "./SearchEvents.ts"

/** Seconds of the first commit. Several repositories have commits of the same second. */
const START = 1_700_000_000

/** Number of repositories, and of further files in each one. */
const REPOSITORIES = 9
const FILES = 34

const contentOf = (repository: number, file: number): string =>
  [
    `/** Part ${file} of ${repository}. */`,
    `export const common${file} = (value: number) => value + ${repository}`,
    ...(file % 3 === 0 ? ["// a rare word: zebra"] : []),
    ...(file % 5 === 0 ? [`export class Parser${file % 2} {\n  parse(text: string) {\n    return text\n  }\n}`] : []),
    `const unique${repository}x${file} = "${"common ".repeat(((file * 7 + repository) % 4) + 1)}"`,
    ""
  ].join("\n")

const historyOf = (repository: number): ClusterProcesses.History => {
  const files = Object.fromEntries(
    Array.from({ length: FILES }, (_, file) => [
      `${["src", "lib/inner", "test", "docs"][file % 4]}/part${file}.ts`,
      contentOf(repository, file)
    ])
  )
  const own: Readonly<Record<string, string>> = {
    "README.md": `# Repository ${repository}\n\nThe common introduction.\n`,
    "main.py": `def handle_${repository}(request):\n    return request\n`,
    "package.json": JSON.stringify({ name: `@demo/p${repository}` }),
    "src/index.ts": `export const draw${repository} = (size: number) => size\n`,
    "src/app.ts":
      `import { draw${(repository + 1) % REPOSITORIES} } from "@demo/p${(repository + 1) % REPOSITORIES}"\n\n` +
      `export const run = () => draw${(repository + 1) % REPOSITORIES}(1)\n`
  }
  return [
    [START + repository, `Add the first files of ${repository}`, { ...files, ...own }],
    [START + 1_000, "Fix the parser", { "src/fix.ts": `export const fixed = ${repository}\n` }],
    [START + 2_000 - 13 * repository, `Change ${repository}`, { "src/fix.ts": "export const changed = 2\n" }],
    ...Array.from(
      { length: 12 },
      (_, at) =>
        [START + 3_000 + 100 * at + ((7 * repository) % 5), `Step ${at}`, { "log.txt": `step ${at}\n` }] as const
    )
  ]
}

const histories = Object.fromEntries(
  Array.from({ length: REPOSITORIES }, (_, at) => [`r${at}`, historyOf(at)] as const)
)

type Process = Effect.Success<ReturnType<typeof ClusterProcesses.makeProcesses>>["processes"][number]

/** One process alone, and three processes of a cluster. */
class World extends Context.Service<World, Effect.Success<typeof makeWorld>>()("World") {
  static readonly layer = Layer.effect(
    World,
    Effect.suspend(() => makeWorld)
  )
}

const makeWorld = Effect.gen(function* () {
  const repositories = yield* ClusterProcesses.makeRepositories(histories)
  const single = yield* ClusterProcesses.makeProcesses(1, repositories, () => true)
  let moved = 0
  /** The owner of a repository. If `isDoubled`, the first process owns all repositories, too. */
  const owner = { of: (id: number) => (id + moved) % 3, isDoubled: false }
  const cluster = yield* ClusterProcesses.makeProcesses(
    3,
    repositories,
    (process, id) => owner.of(id) === process || (owner.isDoubled && process === 0)
  )
  return {
    repositories,
    alone: single.processes[0] as Process, // oxlint-disable-line typescript/no-unsafe-type-assertion -- one process was started
    ...cluster,
    owner,
    rotate: () => {
      moved += 1
      cluster.move()
    }
  }
})

const parse = (q: string) => Result.getOrThrow(CodeQueryParser.parse(q))

interface FileOptions {
  readonly limit?: number
  readonly countsAll?: boolean
  readonly show?: SearchEvents.Options["show"]
  readonly deadline?: number
}

/** Runs a search of files, and returns the hits and the totals. */
const files = (
  process: Process,
  q: string,
  repositories: ReadonlyArray<ServedRepository>,
  { countsAll = false, deadline = 20_000, limit = 1_000, show = { lines: "best", context: 1 } }: FileOptions = {}
) =>
  Effect.gen(function* () {
    const events = SearchEvents.make(yield* CodeSearch, parse(q), repositories, {
      limit,
      show,
      countsAll,
      searchesWorkTrees: false,
      notes: [],
      deadline: Duration.millis(deadline),
      waitsForFirst: false
    })
    const all = yield* Stream.runCollect(events)
    const hits = all.filter((one): one is FileHit => one._tag === "File")
    const done = all.find((one): one is Done => one._tag === "Done")
    return { hits, done: { ...done, took: 0 } }
  }).pipe(Effect.provide(process))

/** Runs a search of commits, and continues it until all are found. */
const commits = (process: Process, q: string, repositories: ReadonlyArray<ServedRepository>, limit = 1_000) =>
  Effect.gen(function* () {
    const search = yield* CommitSearch.make
    const pages: Array<ReadonlyArray<CommitHit>> = []
    const incomplete = new Set<string>()
    const notes = new Set<string>()
    let cursor: string | undefined
    do {
      const position = cursor === undefined ? undefined : CommitCursor.parse(cursor)
      const all = yield* Stream.runCollect(
        CommitEvents.make(search(parse(q), repositories, { cursor: position }), {
          limit,
          deadline: Duration.seconds(20)
        })
      )
      pages.push(all.filter((one): one is CommitHit => one._tag === "Commit"))
      const done = all.find((one): one is Done => one._tag === "Done")
      for (const reason of done?.incomplete ?? []) incomplete.add(reason)
      for (const note of done?.notes ?? []) notes.add(note)
      cursor = done?.incomplete.includes("limit") === true ? done.cursor : undefined
    } while (cursor !== undefined && pages.length < 30)
    return { pages, incomplete: [...incomplete], notes: [...notes] }
  }).pipe(Effect.provide(process))

const idsOf = (pages: ReadonlyArray<ReadonlyArray<CommitHit>>) => [
  ...new Set(pages.flat().map(({ repo, sha }) => `${repo} ${sha}`))
]

const nameOf = ({ owner, path, repo }: FileHit) => `${owner}/${repo} ${path}`

/** Number of attempts: on a busy machine, git can be slow, and the processes of the test silent for a second. */
const ATTEMPTS = 8

/** Runs a search until the results are complete. */
const untilComplete = <A, E, R>(results: Effect.Effect<A, E, R>, isComplete: (results: A) => boolean) =>
  Effect.repeat(results, { until: isComplete, times: ATTEMPTS })

/** Compares the results of two searches. */
const assertSame = <A, E, R>(
  expected: Effect.Effect<A, E, R>,
  found: Effect.Effect<A, E, R>,
  message: string,
  attempts = ATTEMPTS
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const one = yield* expected
    const other = yield* found
    if (attempts > 1 && !isDeepStrictEqual(one, other)) return yield* assertSame(expected, found, message, attempts - 1)
    assert.deepStrictEqual(other, one, message)
    return other
  })

/** Asserts the number of different files, that none is found twice, and the notes. */
const assertCounts = (results: ReturnType<typeof files>, count: number, notes: ReadonlyArray<string>) =>
  assertSame(
    Effect.succeed([count, count, notes] as const),
    Effect.map(results, ({ done, hits }) => [new Set(hits.map(nameOf)).size, hits.length, done.notes ?? []] as const),
    `${count} files`
  )

const statesOf = (process: Process, repositories: ReadonlyArray<ServedRepository>) =>
  Effect.provide(
    Effect.flatMap(IndexStates.make, (read) => read(repositories)),
    process
  )

/** Finds a package that the repository `r4` declares. */
const packagesOf = (process: Process, repositories: ReadonlyArray<ServedRepository>) =>
  Effect.provide(
    Effect.flatMap(PackageDirectory, ({ find }) => find("npm:@demo/p4", repositories)),
    process
  )

/** Searches of files, with the number of matching files. */
const fileQueries: ReadonlyArray<readonly [q: string, count: number, options?: FileOptions]> = [
  ["zebra", 108],
  ["ZEBRA case:yes", 0],
  ["zebra limit", 0],
  ["zebra repo:a/r3", 12],
  ["zebra -repo:a/r3", 96],
  ["zebra repo:/r[1-4]$/", 48],
  ["zebra repo:a/*", 108],
  ["zebra user:a", 108],
  ["zebra user:nobody", 0],
  ["zebra (repo:a/r1 OR path:lib)", 36],
  ["zebra (repo:/r1$/ OR path:lib)", 36],
  ["common", 315, { limit: 100 }],
  ["common", 315, { limit: 10, countsAll: true }],
  ["introduction", 9],
  ["common introduction", 9],
  ["zebra OR introduction", 117],
  ["zebra -path:test", 81],
  ["zebra path:lib/inner", 27],
  ["zebra path:*.md", 0],
  ["language:python handle", 9],
  ["language:pyton handle", 0],
  ["extension:md", 9],
  ["filename:README.md", 9],
  ["symbol:Parser0", 36],
  ["symbol:Parser1", 27],
  ["kind:class parse", 63],
  ["kind:function draw", 9],
  ["/zeb[a-z]a/", 108],
  ["/unique[0-8]x1[01]/", 18],
  ["/^def handle/", 9],
  ["path:/part3[0-3]/ zebra", 18],
  ["word:yes commo", 0],
  ["common33", 9],
  ["unique4x7", 1],
  ["size:>200 zebra", 18],
  ['"rare word"', 108],
  ["zebra rev:main", 108],
  ["zebra rev:nothing", 0],
  ["zebra rev:main rev:nothing", 108],
  ["zebra", 108, { show: { lines: "complete", context: 2 } }],
  ["zebra", 108, { limit: 20, show: "fragments" }]
]

const commitQueries: ReadonlyArray<readonly [q: string, count: number, limit?: number]> = [
  ["type:commit parser", 9],
  ["type:commit step", 108, 40],
  ["type:commit add OR fix OR change OR step", 135],
  ["type:commit author:Test change", 9],
  ["type:commit step after:2023-11-14T23:20:00Z", 18],
  ["type:commit step repo:a/r2", 12, 5],
  ["type:commit step repo:/r2$/", 12, 5],
  ["type:commit (repo:/r2$/ OR author:nobody) step", 12],
  ["type:commit step rev:nothing", 0],
  ["type:commit /step 1[01]/", 18],
  ["type:diff changed", 9],
  ["type:diff step path:log.txt", 108, 60],
  ["type:diff lang:typescript zebra", 9]
]

layer(Layer.provideMerge(World.layer, ClusterProcesses.gitLayer), { timeout: 120_000, excludeTestServices: true })(
  "search in a cluster",
  (it) => {
    it.effect(
      "finds the same as one process",
      () =>
        Effect.gen(function* () {
          const { alone, network, processes, repositories } = yield* World
          for (const [at, [q, count, options]] of fileQueries.entries()) {
            const door = processes[at % 3] ?? alone
            const found = yield* assertSame(
              files(alone, q, repositories, options),
              files(door, q, repositories, options),
              q
            )
            assert.strictEqual(found.hits.length, Math.min(count, options?.limit ?? count), q)
          }
          assert.isAbove(network.sent.length, 50)
        }),
      300_000
    )

    it.effect(
      "finds the same commits as one process, over several pages",
      () =>
        Effect.gen(function* () {
          const { alone, processes, repositories } = yield* World
          for (const [at, [q, count, limit]] of commitQueries.entries()) {
            // The order of commits of several repositories depends on the time that git takes.
            const all = (process: Process) =>
              Effect.map(commits(process, q, repositories, limit), ({ incomplete, notes, pages }) => ({
                ids: idsOf(pages).toSorted(),
                incomplete,
                notes
              }))
            const { ids } = yield* assertSame(all(alone), all(processes[at % 3] ?? alone), q)
            assert.strictEqual(ids.length, count, q)
          }
        }),
      300_000
    )

    it.effect(
      "gives the same pages and totals of the contract's search",
      () =>
        Effect.gen(function* () {
          const { alone, processes, repositories } = yield* World
          const collect = (process: Process, q: string, wanted: number) =>
            Effect.provide(SearchResults.collect(parse(q), repositories, wanted, "best"), process)
          for (const [at, q] of ["zebra", "common", "introduction", "parse symbol:Parser0"].entries()) {
            for (const wanted of [30, 100, 300]) {
              yield* assertSame(
                collect(alone, q, wanted),
                collect(processes[at % 3] ?? alone, q, wanted),
                `${q} ${wanted}`
              )
            }
          }
          for (const order of ["newest", "oldest"] as const) {
            const paths = (process: Process) =>
              Effect.map(
                Effect.provide(SearchResults.collect(parse("zebra"), repositories, 1_000, order), process),
                ({ hits, isIncomplete, total }) => [
                  hits.map(({ path, served }) => `${served.fullName} ${path}`).toSorted(),
                  total,
                  isIncomplete
                ]
              )
            yield* assertSame(paths(alone), paths(processes[1] ?? alone), order)
          }
        }),
      300_000
    )

    it.effect(
      "gives the same definitions, references, packages and states as one process",
      () =>
        Effect.gen(function* () {
          const { alone, processes, repositories } = yield* World
          const [first, second] = repositories
          if (first === undefined || second === undefined) return assert.fail("no repository")
          const navigation = (process: Process, served: ServedRepository) =>
            Effect.gen(function* () {
              const names = yield* NameSearch.make
              const packages = yield* PackageSearch.make
              const definitions = yield* DefinitionSearch.make(names, packages)
              const references = yield* ReferenceSearch.make(names, packages)
              const use = { path: "src/app.ts", line: 3, column: 27 }
              const definition = { path: "src/index.ts", line: 1, column: 13 }
              return {
                // From an import to the repository of the package, from there to its use, and by name only.
                imported: yield* definitions.find("draw1", use, first, repositories),
                uses: yield* references.find("draw1", definition, second, repositories),
                named: yield* definitions.find("Parser1", {}, served, repositories),
                found: yield* packagesOf(process, repositories)
              }
            }).pipe(Effect.provide(process))
          for (const [at, process] of processes.entries()) {
            const served = repositories[at] ?? first
            // The first search starts processes, and can end before they have read the packages.
            const all = (process: Process) =>
              untilComplete(
                navigation(process, served),
                ({ found, imported, named, uses }) => ![found, imported, named, uses].some((one) => one.isIncomplete)
              )
            const expected = yield* all(alone)
            const found = yield* all(process)
            assert.deepStrictEqual(found.imported, expected.imported)
            assert.deepStrictEqual(found.uses, expected.uses)
            assert.deepStrictEqual(found.found, expected.found)
            const placesOf = ({ items }: typeof found.named) =>
              items.map(({ line, path, repo }) => `${repo} ${path}:${line}`).toSorted()
            assert.deepStrictEqual(placesOf(found.named), placesOf(expected.named))
            assert.deepStrictEqual(
              expected.imported.items.slice(0, 1).map(({ certain, path, repo }) => ({ certain, path, repo })),
              [{ certain: true, path: "src/index.ts", repo: "r1" }]
            )
            assert.deepStrictEqual(
              expected.uses.items.map(({ line, path, repo }) => `${repo} ${path}:${line}`),
              ["r0 src/app.ts:1", "r0 src/app.ts:3"]
            )
            assert.strictEqual(expected.found.found.length, 1)
            const states = yield* assertSame(statesOf(alone, repositories), statesOf(process, repositories), "states")
            assert.deepStrictEqual(new Set(states.map(({ phase }) => phase)), new Set(["ready"]))
          }
        }),
      300_000
    )

    it.effect("asks no other process about its own repositories, and names thousands by a digest", () =>
      Effect.gen(function* () {
        const { alone, network, owner, processes, repositories } = yield* World
        const door = processes[0] ?? alone
        const own = repositories.filter(({ row }) => owner.of(row.id) === 0)
        network.sent.length = 0
        assert.strictEqual((yield* files(door, "zebra", own)).hits.length, 36)
        assert.strictEqual((yield* files(door, "zebra repo:a/r2", repositories)).hits.length, 12)
        assert.deepStrictEqual(network.sent, [])
        const copies = Array.from({ length: 400 }, (_, at) => {
          const served = repositories[at % REPOSITORIES]
          return served === undefined
            ? []
            : [{ ...served, row: { ...served.row, id: at < REPOSITORIES ? at + 1 : at + 1_000 } }]
        }).flat()
        yield* files(door, "zebra", copies)
        yield* files(door, "zebra", copies)
        const [first = 0, , second = 0] = network.sent.map(({ length }) => length)
        assert.isAbove(first, 2_000)
        assert.isBelow(second, 700)
        // A process that was restarted does not know the digest.
        network.sent.length = 0
        network.answers.set("host:1", () => {
          network.answers.delete("host:1")
          return new Response("", { status: 409 })
        })
        yield* files(door, "zebra", copies)
        const lengths = network.sent.filter(({ peer }) => peer === "host:1").map(({ length }) => length)
        assert.deepStrictEqual([lengths.length, (lengths[1] ?? 0) > 2_000], [2, true])
      })
    )

    it.effect(
      "names the repositories of a dead, silent or confused process within a second",
      () =>
        Effect.gen(function* () {
          const { alone, network, processes, repositories } = yield* World
          const door = processes[0] ?? alone
          const endless = (line: string) => () =>
            new Response(
              new ReadableStream({
                pull: (controller) => controller.enqueue(Buffer.from(line))
              })
            )
          const begin = '{"_tag":"Begin","covered":"SQA"}\n'
          const cases: ReadonlyArray<readonly [name: string, begins: () => void, ends: () => void]> = [
            ["dead", () => network.dead.add("host:1"), () => network.dead.clear()],
            ["silent", () => network.silent.add("host:1"), () => network.silent.clear()],
            ...(
              [
                ["another version", () => new Response("", { status: 404 })],
                ["an error", () => new Response("", { status: 500 })],
                ["garbage", () => new Response("<html>\n")],
                ["a cut answer", () => new Response(begin)],
                ["an unknown line", () => new Response(`${begin}{"_tag":"Other"}\n`)],
                [
                  "silent after the beginning",
                  () =>
                    new Response(new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from(begin)) }))
                ],
                ["an endless line", endless("x".repeat(8 * 1024 * 1024))]
              ] as const
            ).map(
              ([name, answer]) =>
                [name, () => network.answers.set("host:1", answer), () => network.answers.clear()] as const
            )
          ]
          const missing =
            /^Not searched(, because a process does not answer| completely, because a process stopped): a\/r0, a\/r3, a\/r6\.$/
          yield* files(door, "zebra", repositories)
          /** What a search, its duration, the history, the states and the packages say. */
          const outcome = Effect.gen(function* () {
            const begun = performance.now()
            const { done, hits } = yield* files(door, "zebra", repositories, { deadline: 10_000 })
            const isQuick = performance.now() - begun < 1_500
            const history = yield* commits(door, "type:commit step", repositories)
            const states = yield* statesOf(door, repositories)
            const { isIncomplete } = yield* packagesOf(door, repositories)
            return {
              isQuick,
              files: [hits.length, done.incomplete],
              commits: [idsOf(history.pages).length, history.incomplete],
              notes: [done.notes, history.notes].map(
                (notes = []) => notes.length === 1 && missing.test(notes[0] ?? "")
              ),
              states: states.map(({ commit, phase }) => (commit === null ? "none" : phase)),
              problem: states[0]?.problem?.slice(0, 32),
              isIncomplete
            }
          })
          for (const [name, begins, ends] of cases) {
            begins()
            const expected = {
              isQuick: true,
              files: [72, ["failed"]],
              commits: [72, ["failed"]],
              notes: [true, true],
              states: repositories.map(({ row }) => (row.id % 3 === 1 ? "none" : "ready")),
              problem: "The process host:1 of the forge ",
              isIncomplete: true
            }
            yield* assertSame(Effect.succeed(expected), outcome, name, 4)
            ends()
          }
          // An unreachable process does not matter for the repositories of others.
          network.dead.add("host:1")
          yield* assertCounts(files(door, "zebra (repo:a/r1 OR repo:a/r2)", repositories), 24, [])
          network.dead.clear()
        }),
      120_000
    )

    it.effect(
      "names repositories that no process owns, and searches those that have moved",
      () =>
        Effect.gen(function* () {
          const { alone, move, owner, processes, repositories, rotate } = yield* World
          const door = processes[0] ?? alone
          const { of } = owner
          owner.of = (id) => (id === 4 ? 99 : of(id))
          move()
          yield* assertCounts(files(door, "zebra", repositories), 96, [
            "Not searched, because they are moving to another process: a/r3."
          ])
          // Each repository moves to another process, which has not indexed it.
          owner.of = of
          rotate()
          yield* assertCounts(files(door, "zebra", repositories), 108, [])
          // While two processes own all repositories, each file is found once.
          const second = processes[1] ?? alone
          owner.isDoubled = true
          move()
          yield* assertCounts(files(second, "zebra", repositories), 108, [])
          owner.isDoubled = false
          move()
        }),
      120_000
    )
  }
)
