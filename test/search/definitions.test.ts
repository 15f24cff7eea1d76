/**
 * Definitions from the position of a use put the right one first. Runs with TONGS_TEST_CLONES, a folder with clones of
 * the repositories of `definitions.json` at the listed commits, each called like the repository (`linux`, `core`).
 * Other clones are skipped.
 */
import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { git } from "@tongs/service/git/Fixture.test-support"
import * as Forge from "@tongs/service/main/Forge.test-support"
import { definitionJudgements } from "./DefinitionJudgements.test-support.ts"
import * as ReadyIndex from "./ReadyIndex.test-support.ts"

const folder = process.env["TONGS_TEST_CLONES"]

const repositories = Object.entries(definitionJudgements.commits).flatMap(([fullName, commit]) => {
  const name = fullName.slice(fullName.indexOf("/") + 1)
  const path = join(folder ?? "", name)
  if (folder === undefined || !existsSync(path) || git(path, ["rev-parse", "HEAD"]) !== commit) return []
  return [{ fullName, name, path }]
})

type Judgement = (typeof definitionJudgements.names)[number]

const judgements = definitionJudgements.names.flatMap((one) => {
  const repository = repositories.find(({ fullName }) => fullName === one.repository)
  return repository === undefined ? [] : [{ ...one, repo: repository.name }]
})

const cloneAll = (repos: string): void => {
  mkdirSync(repos, { recursive: true })
  for (const { name, path } of repositories) {
    git(repos, ["clone", "--quiet", "--shared", "--no-checkout", path, join(repos, name)])
  }
}

const placeOf = (path: unknown, line: unknown) => `${String(path)}:${String(line)}`

/** The definitions that the forge lists for a use, best first. */
const definitionsOf = Effect.fnUntraced(function* (one: Judgement & { readonly repo: string }) {
  const { get, owner } = yield* Forge.TestForge
  const position = new URLSearchParams({ path: one.path, line: String(one.line), column: String(one.column) })
  const { json, status } = yield* get(`/tongs/repos/${owner}/${one.repo}/definitions/${one.name}?${position}`)
  assert.strictEqual(status, 200)
  return json.items.map((item: Readonly<Record<string, unknown>>) => placeOf(item["path"], item["line"]))
})

describe.skipIf(judgements.length === 0)("definitions from a position", () => {
  layer(Forge.layer(cloneAll), { excludeTestServices: true })((it) => {
    it.effect(
      "puts the right definition first",
      () =>
        Effect.gen(function* () {
          yield* ReadyIndex.wait
          const missed: Array<string> = []
          for (const one of judgements) {
            const { column, definition, line, name, path, repository } = one
            const right = placeOf(definition.path, definition.line)
            const found: ReadonlyArray<string> = yield* definitionsOf(one)
            if (found[0] === right) continue
            missed.push(
              `${repository}: ${name} at ${path}:${line}:${column} is ${right}, number ${found.indexOf(right) + 1} of ` +
                `${found.length}, first ${found[0] ?? "nothing"}`
            )
          }
          const right = judgements.length - missed.length
          yield* Effect.logInfo(`${right} of ${judgements.length} definitions first\n${missed.join("\n")}`)
          assert.isAtLeast(right, 0.9 * judgements.length, missed.join("\n"))
        }),
      30 * 60_000
    )
  })
})
