/**
 * Definitions of imported names in the repositories of their packages, judged by hand. Runs with TONGS_TEST_PACKAGES, a
 * folder with clones of the repositories in `packages.json`, each called like the repository, that have these commits.
 */
import { existsSync } from "node:fs"
import { basename, join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { git } from "@tongs/service/git/Fixture.test-support"
import * as Forge from "@tongs/service/main/Forge.test-support"
import judged from "./packages.json" with { type: "json" }

const folder = process.env["TONGS_TEST_PACKAGES"] ?? "/nonexistent"

const repositories = Object.entries(judged.repositories).map(
  ([fullName, commit]) => [basename(fullName), commit] as const
)

const isComplete = repositories.every(([repo]) => existsSync(join(folder, repo)))

const cloneAll = (repos: string): void => {
  for (const [repo, commit] of repositories) {
    git(folder, ["clone", "--quiet", "--shared", "--no-checkout", join(folder, repo), join(repos, repo)])
    git(join(repos, repo), ["update-ref", "--no-deref", "HEAD", commit])
  }
}

interface Item {
  readonly repo: string
  readonly path: string
  readonly line: number
  readonly certain?: boolean
}

/** Number of requests for a use while the forge is still indexing. */
const MAX_REQUESTS = 10

/** Uses without a certain definition: a local import and a macro of Rust. */
const MAX_MISSING = 3

describe.skipIf(!isComplete)("packages of real repositories", () => {
  layer(Forge.layer(cloneAll), { excludeTestServices: true })((it) => {
    it.effect(
      "leads to the right definitions, and to no wrong ones",
      () =>
        Effect.gen(function* () {
          const { base, get } = yield* Forge.TestForge
          const wrong: Array<string> = []
          let missing = 0
          for (const { column, definition, line, name, path, repo } of judged.uses) {
            const query = new URLSearchParams({ path, line: String(line), column: String(column) })
            let certain: ReadonlyArray<string> = []
            for (let request = 0; request < MAX_REQUESTS && certain.length === 0; request++) {
              const { json } = yield* get(`/tongs${base}/${repo}/definitions/${name}?${query}`)
              const items: ReadonlyArray<Item> = json.items
              certain = items.filter((one) => one.certain === true).map((one) => `${one.repo} ${one.path}:${one.line}`)
              if (json.incomplete_results !== true) break
              yield* Effect.sleep("1 second")
            }
            if (certain.length === 0) missing++
            else if (!certain.includes(definition)) wrong.push(`${repo} ${path}:${line} ${name}: ${certain.join(", ")}`)
          }
          assert.deepStrictEqual(wrong, [])
          assert.isAtMost(missing, MAX_MISSING)
        }),
      600_000
    )
  })
})
