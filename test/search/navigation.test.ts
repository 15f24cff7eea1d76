/**
 * Definitions and references of random names beside the language services: TypeScript's, and gopls. Runs with
 * TONGS_TEST_CLONES, a folder with clones of vuejs/core, honojs/hono and spf13/cobra, each called like the repository;
 * cobra needs gopls and its modules. The seed is in the name of the test; TONGS_TEST_SEED repeats one.
 *
 * Only certain answers count. A name whose definition is outside of the repository (the standard library, an installed
 * package) has no certain answer.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { git } from "@tongs/service/git/Fixture.test-support"
import * as Forge from "@tongs/service/main/Forge.test-support"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { program } from "../acceptance/TongsCommand.test-support.ts"
import * as McpSession from "../bench/mcp/McpSession.ts"
import * as CompilerReferences from "./CompilerReferences.test-support.ts"
import * as GoReferences from "./GoReferences.test-support.ts"
import * as NavigationScore from "./NavigationScore.test-support.ts"
import * as ReadyIndex from "./ReadyIndex.test-support.ts"

const folder = process.env["TONGS_TEST_CLONES"] ?? "/nonexistent"
const seed = Number(process.env["TONGS_TEST_SEED"] ?? Date.now() % 1_000_000)

/** Number of times that an incomplete answer without a certain place is asked for again. */
const MAX_REPEATS = 5

/** Numbers of names to draw, by repository: 100 in all. */
const names = { core: 34, hono: 33, cobra: 33 }

const repositories = Object.entries(names).filter(
  ([repo]) => existsSync(join(folder, repo)) && (repo !== "cobra" || hasPrograms("gopls"))
)

const cloneAll = (repos: string): void => {
  for (const [repo] of repositories)
    git(folder, ["clone", "--quiet", "--shared", join(folder, repo), join(repos, repo)])
}

const filesOf = (root: string, pattern: RegExp): ReadonlyArray<string> =>
  git(root, ["ls-files"])
    .split("\n")
    .filter((path) => pattern.test(path))

/** Returns what the language service of a repository finds for names drawn from all of its names. */
const expectedOf = async (root: string, repo: string, count: number, random: () => number) => {
  if (repo === "cobra") {
    const drawn = NavigationScore.draw(
      filesOf(root, /\.go$/).flatMap((path) => GoReferences.names(root, path)),
      count,
      random
    )
    const server = GoReferences.start(root)
    try {
      const expected: Array<NavigationScore.Expected> = []
      for (const name of drawn) {
        const definitions = await server.definitions(name)
        const references = await server.references(name)
        expected.push({ ...name, repo, definitions, references, declarations: definitions })
      }
      return expected
    } finally {
      server.stop()
    }
  }
  const compiler = CompilerReferences.make(root)
  const drawn = NavigationScore.draw(
    filesOf(root, /\.[cm]?tsx?$/).flatMap((path) => compiler.names(path)),
    count,
    random
  )
  return drawn.map((name): NavigationScore.Expected => {
    const definitions = compiler.definitions(name)
    const isDeclared = definitions.has(`${name.path}:${name.line}`)
    const { related, uses } = compiler.references(name, isDeclared)
    const declarations = compiler.declarations(name).union(definitions).union(related)
    return { ...name, repo, definitions, references: uses, declarations }
  })
}

const placeOf = (item: Readonly<Record<string, unknown>>) => `${String(item["path"])}:${String(item["line"])}`

/** The certain definitions or references that the forge lists for a position. */
const found = Effect.fnUntraced(function* (kind: string, { column, line, name, path, repo }: NavigationScore.Expected) {
  const { get, owner } = yield* Forge.TestForge
  const places = new Set<string>()
  let repeats = 0
  for (let page = 1; ; page++) {
    const query = new URLSearchParams({ path, line: String(line), column: String(column), page: String(page) })
    const { json, status } = yield* get(
      `/tongs/repos/${owner}/${repo}/${kind}/${encodeURIComponent(name)}?${query}&per_page=100`
    )
    assert.strictEqual(status, 200)
    for (const item of json.items) if (item.certain === true) places.add(placeOf(item))
    // As the tool for agents does.
    if (json.incomplete_results === true && places.size === 0 && repeats++ < MAX_REPEATS) {
      yield* Effect.sleep(500)
      page = 0
      continue
    }
    // Certain references come first.
    if (json.items.length < 100 || json.items.at(-1).certain !== true)
      return { places, isIncomplete: json.incomplete_results === true }
  }
})

/** The numbers of tokens of the tool's answers, for each name its definitions and its references. */
const tokensOf = async (folder: string, expected: ReadonlyArray<NavigationScore.Expected>) => {
  const home = join(folder, "..")
  const session = await McpSession.connect({
    command: process.execPath,
    args: [program, "mcp", "--repos", folder],
    env: { PATH: process.env["PATH"] ?? "", HOME: home },
    cwd: folder
  })
  try {
    const tokens: Array<number> = []
    for (const { line, name, path, repo } of expected) {
      for (const kind of ["definitions", "references"]) {
        const { text } = await session.call("symbols", { kind, name, path, line, repo })
        tokens.push(McpSession.tokens(text))
      }
    }
    return tokens
  } finally {
    await session.close()
  }
}

const measure = Effect.fnUntraced(function* (title: string, expected: ReadonlyArray<NavigationScore.Expected>) {
  const results: Array<NavigationScore.Result> = []
  for (const one of expected) {
    const start = performance.now()
    const definitions = yield* found("definitions", one)
    const references = yield* found("references", one)
    results.push({ expected: one, definitions, references, millis: performance.now() - start })
  }
  yield* Effect.logInfo(`${title}\n${NavigationScore.report(results)}`)
  return NavigationScore.score(results)
})

describe.skipIf(repositories.length < 3)("navigation beside language services", () => {
  layer(Forge.layer(cloneAll), { excludeTestServices: true })((it) => {
    it.effect(
      `finds what language services find (TONGS_TEST_SEED=${seed})`,
      () =>
        Effect.gen(function* () {
          const { repos } = yield* Forge.TestForge
          const random = NavigationScore.randomFrom(seed)
          const all: Array<NavigationScore.Expected> = []
          for (const [repo, count] of repositories)
            all.push(...(yield* Effect.promise(() => expectedOf(join(repos, repo), repo, count, random))))
          yield* measure("cold", all)
          yield* ReadyIndex.wait
          const { definitions, references } = yield* measure("warm", all)
          for (const { precision, recall } of [definitions, references]) {
            assert.isAtLeast(precision, 0.95)
            assert.isAtLeast(recall, 0.85)
          }
          const tokens = yield* Effect.promise(() => tokensOf(repos, all))
          const mean = tokens.reduce((sum, one) => sum + one, 0) / tokens.length
          yield* Effect.logInfo(`tokens of an answer: ${mean.toFixed(0)} on average, at most ${Math.max(...tokens)}`)
          assert.isAtMost(Math.max(...tokens), 300)
        }),
      30 * 60_000
    )
  })
})
