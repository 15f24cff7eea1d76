import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commit, git } from "../../git/Fixture.test-support.ts"
import * as Support from "../../main/Forge.test-support.ts"
import * as Fixtures from "../../main/Fixtures.ts"

const { TestForge } = Support

/** Conditions that all references of all repositories fulfill. */
export const everything = { ref_name: { include: ["~ALL"], exclude: [] }, repository_name: { include: ["~ALL"] } }
export const pattern = (type: string, parameters: object) => ({ type, parameters })

export const forge = Support.layer((repos) => void Support.repository(repos, "seed"))

let organizations = 0

/** Creates an organization for one test, with a repository `hello` that has two commits on `main`. */
export const setUp = Effect.gen(function* () {
  const { ask, get, repos } = yield* TestForge
  const org = `acme${organizations++}`
  const path = join(repos, `${org}-hello`)
  Support.repository(repos, `${org}-hello`)
  const first = git(path, ["rev-parse", "HEAD"])
  const second = commit(path, { "b.txt": "two\n" }, "second")
  const file = join(repos, "fixtures.json")
  const load = (content: object) =>
    Effect.suspend(() => {
      writeFileSync(file, JSON.stringify(content))
      return Fixtures.load(file)
    })
  yield* load({
    users: [{ login: "olga" }, { login: "mia", emails: [{ email: "mia@example.org" }] }, { login: "max" }],
    organizations: [{ login: org, members: [{ login: "olga", role: "owner" }, { login: "mia" }] }],
    repositories: [{ full_name: `${org}/hello`, git: path, custom_properties: { tier: "gold", teams: ["a", "b"] } }],
    collaborators: [
      { repository: `${org}/hello`, login: "mia", permission: "write" },
      { repository: `${org}/hello`, login: "max", permission: "maintain" }
    ],
    tokens: [
      { token: "olga", user: "olga", scopes: ["admin:org", "repo"] },
      { token: "mia", user: "mia", scopes: ["admin:org", "repo"] },
      { token: "max", user: "max", scopes: ["repo"] },
      { token: "narrow", user: "olga", scopes: ["repo"] },
      { token: "fine", user: "olga", kind: "fine_grained", permissions: { organization_administration: "read" } },
      { token: "of-repositories", user: "olga", kind: "fine_grained", permissions: { administration: "write" } }
    ]
  })
  const rulesets = `/orgs/${org}/rulesets`
  const refs = `/repos/${org}/hello/git/refs`
  const add = (rules: ReadonlyArray<object>, more: object = {}) =>
    Effect.map(
      ask("POST", rulesets, {
        token: "olga",
        body: {
          name: `rules ${JSON.stringify(rules).slice(0, 100)}`,
          enforcement: "active",
          conditions: everything,
          rules,
          ...more
        }
      }),
      ({ json, status }) => {
        assert.strictEqual(status, 201, JSON.stringify(json))
        return json
      }
    )
  const create = (name: string, sha: string, token = "mia") =>
    ask("POST", refs, { token, body: { ref: `refs/${name}`, sha } })
  const move = (name: string, sha: string, force = false, token = "mia") =>
    ask("PATCH", `${refs}/${name}`, { token, body: { sha, force } })
  const remove = (name: string, token = "mia") => ask("DELETE", `${refs}/${name}`, { token })
  /** The results of the rule suites of the organization, newest first. */
  const results = Effect.map(get(`${rulesets}/rule-suites`, { token: "olga" }), ({ json }) =>
    json.map(({ result }: { readonly result: string }) => result)
  )
  return { add, ask, create, first, get, load, move, org, path, refs, remove, results, rulesets, second }
})
