/** Operations of GitHub's description that the forge does not implement answer 404 and say so, to all callers. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Forge from "@tongs/service/main/Forge.test-support"
import { git } from "@tongs/service/git/Fixture.test-support"
import * as AppWithKey from "./AppWithKey.test-support.ts"
import * as GitHubOperations from "../coverage/GitHubOperations.ts"
import * as UnimplementedTable from "../coverage/UnimplementedTable.ts"
import { entries } from "@tongs/core/contract/Catalog"
import * as Dialect from "@tongs/core/contract/Dialect"

const { TestForge } = Forge

const parameters: Readonly<Record<string, string>> = { owner: "keeper", repo: "hello", ref: "main", branch: "main" }

const pathOf = (template: string, values: Readonly<Record<string, string>> = {}) =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? parameters[name] ?? "1")

const forge = Forge.layer(
  (repos) => {
    const path = Forge.repository(repos, "hello")
    for (const branch of ["feature/status", "feature/protection"]) git(path, ["branch", branch])
  },
  { dialect: "github" }
)

layer(forge, { excludeTestServices: true, timeout: 60_000 })("operations of GitHub's description", (it) => {
  it("have the ids that the declarations name, by method and path; extensions have none", () => {
    const described = ["api.github.com", "ghec"].flatMap(GitHubOperations.described)
    const shapes = Map.groupBy(described, GitHubOperations.shapeOf)
    for (const entry of entries) {
      const { endpoint, group, name, operation } = entry
      const shape = GitHubOperations.shapeOf({ method: endpoint.method, path: Dialect.pathOf("github", entry) })
      const ids = (shapes.get(shape) ?? []).map(({ id }) => id)
      assert.strictEqual(operation.operationId === undefined, operation.extension, `${group}.${name}`)
      if (!operation.extension) assert.include(ids, operation.operationId ?? "", `${group}.${name}`)
    }
  })

  it("are in the table unless the contract has them, so that a new description or endpoint updates the table", () => {
    const file = new URL("../../packages/service/src/http/UnimplementedTable.ts", import.meta.url)
    assert.strictEqual(readFileSync(file, "utf8"), UnimplementedTable.make(), "Run pnpm coverage")
  })

  it.effect("are 404 with a sentence and the documentation if they are not implemented, for every caller", () =>
    Effect.gen(function* () {
      const jwt = yield* AppWithKey.load()
      const { ask } = yield* TestForge
      const missing = new Set(GitHubOperations.missing().map(GitHubOperations.shapeOf))
      const callers = [{}, { token: jwt }, { token: null }, { token: "wrong" }]
      const wrong: Array<string> = []
      for (const operation of GitHubOperations.described()) {
        const { method, page, path, section } = operation
        const isMissing = missing.has(GitHubOperations.shapeOf(operation))
        // Only refused requests: a body that is not a JSON object changes nothing.
        const body = method === "GET" ? {} : { body: isMissing ? "{}" : "[]" }
        for (const caller of isMissing ? callers : callers.slice(1)) {
          const { json, status } = yield* ask(method, pathOf(path), { ...caller, ...body })
          const isDeclared =
            status === 404 &&
            json.message === `This forge does not implement ${method} ${path}` &&
            json.documentation_url === new URL(`${page}#${section}`, "https://docs.github.com/rest/").href
          if (isMissing ? !isDeclared : isDeclared || status === 405 || status >= 500)
            wrong.push(`${method} ${path}: ${status} ${JSON.stringify(json)}`)
        }
      }
      assert.deepStrictEqual(wrong, [])
    })
  )

  it.effect("have other paths than names with slashes", () =>
    Effect.gen(function* () {
      const { ask, base, get } = yield* TestForge
      const sentence = (answer: Forge.Answer) => [answer.status, answer.json.message]
      const path = "/repos/{owner}/{repo}"
      for (const [method, requested, operation] of [
        ["GET", "dependabot/secrets/main", "dependabot/secrets/{secret_name}"],
        ["HEAD", "dependabot/secrets/main", "dependabot/secrets/{secret_name}"],
        ["GET", "pages/builds", "pages/builds"]
      ] as const) {
        const answer = yield* ask(method, `${base}/hello/${requested}`)
        if (method === "HEAD") assert.strictEqual(answer.status, 404)
        else
          assert.deepStrictEqual(sentence(answer), [
            404,
            `This forge does not implement ${method} ${path}/${operation}`
          ])
      }
      // An encoded slash belongs to the name.
      assert.strictEqual((yield* get(`${base}/hello/commits/feature%2Fstatus`)).status, 200)
      assert.strictEqual((yield* get(`${base}/hello/branches/feature%2Fprotection`)).status, 200)
      assert.strictEqual((yield* get(`${base}/hello/git/ref/heads/feature/status`)).status, 200)
      assert.strictEqual((yield* get(`${base}/hello/commits/main/nothing`)).status, 422)
    })
  )

  it.effect("differ by method: those of other operations are not 405, and methods that GitHub lacks are", () =>
    Effect.gen(function* () {
      const { ask, base } = yield* TestForge
      const wrong = yield* ask("DELETE", `${base}/hello/languages`)
      assert.deepStrictEqual([wrong.status, wrong.headers["allow"]], [405, "GET"])
      assert.strictEqual((yield* ask("DELETE", "/user/social_accounts", { token: null })).status, 404)
      assert.strictEqual((yield* ask("PUT", "/user/social_accounts", { token: null })).status, 404)
      const preflight = yield* ask("OPTIONS", "/user/social_accounts", { token: null })
      assert.deepStrictEqual([preflight.status, preflight.headers["allow"]], [204, "GET, POST, DELETE"])
    })
  )
})

/** Paths of self-hosted forges and enterprises are not in the table. */
const editions = ["ghec", "ghes-3.19"]

layer(forge, { excludeTestServices: true, timeout: 60_000 })("operations of other editions", (it) => {
  for (const edition of editions) {
    it.effect(`are 404 in ${edition}`, () =>
      Effect.gen(function* () {
        const { ask } = yield* TestForge
        const file = createRequire(import.meta.url).resolve(`@octokit/openapi/generated/${edition}.json`)
        const { paths } = JSON.parse(readFileSync(file, "utf8"))
        const known = new Set(GitHubOperations.described().map(GitHubOperations.shapeOf))
        const wrong: Array<string> = []
        for (const [path, operations] of Object.entries<object>(paths)) {
          for (const name of Object.keys(operations)) {
            const method = name.toUpperCase()
            if (known.has(GitHubOperations.shapeOf({ method, path }))) continue
            const { status } = yield* ask(method, pathOf(path), method === "GET" ? {} : { body: "{}" })
            // A path of an extension has no other methods.
            const isExtension = status === 405 && path === "/admin/users/{username}"
            if (status !== 404 && !isExtension) wrong.push(`${method} ${path}: ${status}`)
          }
        }
        assert.deepStrictEqual(wrong, [])
      })
    )
  }
})
