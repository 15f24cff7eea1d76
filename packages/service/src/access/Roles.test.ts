import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { collaboratorPermissions } from "../accounts/OrganizationRows.ts"
import * as Fixtures from "../main/Fixtures.ts"
import * as Forge from "../main/Forge.test-support.ts"

const { TestForge } = Forge

/** Creates a private repository with one collaborator of each role, who is named after the role. */
const setUp = Effect.fnUntraced(function* (name: string) {
  const { repos } = yield* TestForge
  const file = join(repos, "fixtures.json")
  const logins = collaboratorPermissions.map((permission) => ({ login: permission }))
  const content = {
    users: [{ login: "olga" }, ...logins],
    organizations: [{ login: "acme", members: [{ login: "olga", role: "owner" }] }],
    repositories: [{ full_name: `acme/${name}`, private: true, git: Forge.repository(repos, name) }],
    collaborators: logins.map(({ login }) => ({ repository: `acme/${name}`, login, permission: login })),
    tokens: logins.map(({ login }) => ({ token: login, user: login, scopes: ["repo"] }))
  }
  writeFileSync(file, JSON.stringify(content))
  yield* Fixtures.load(file)
  return `/repos/acme/${name}`
})

layer(Forge.layer((repos) => mkdirSync(repos)))("the role of a collaborator", (it) => {
  const each = <A, E, R>(f: (role: string) => Effect.Effect<A, E, R>) => Effect.forEach(collaboratorPermissions, f)

  it.effect("is shown by the permissions of a repository and by GraphQL", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const path = yield* setUp("shown")
      const granted = yield* each((token) =>
        Effect.map(get(path, { token }), ({ json }) =>
          Object.entries(json.permissions).flatMap(([name, isGranted]) => (isGranted === true ? [name] : []))
        )
      )
      const all = ["admin", "maintain", "push", "triage", "pull"]
      assert.deepStrictEqual(
        granted,
        [4, 3, 2, 1, 0].map((first) => all.slice(first))
      )
      const query = '{ repository(owner: "acme", name: "shown") { viewerPermission } }'
      const shown = yield* each((token) =>
        Effect.map(ask("POST", "/graphql", { token, body: { query } }), ({ json }) => json.data.repository)
      )
      assert.deepStrictEqual(
        shown.map(({ viewerPermission }) => viewerPermission),
        ["READ", "TRIAGE", "WRITE", "MAINTAIN", "ADMIN"]
      )
    })
  )

  it.effect("decides which settings a user can change", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestForge
      const path = yield* setUp("settings")
      const statuses = (method: string, target: string, body: object) =>
        each((token) => Effect.map(ask(method, target, { token, body }), ({ status }) => status))
      const topics = yield* statuses("PUT", `${path}/topics`, { names: ["ships"] })
      assert.deepStrictEqual(topics, [403, 403, 403, 200, 200])
      const settings = { description: "Ships", squash_merge_commit_title: "PR_TITLE" }
      assert.deepStrictEqual(yield* statuses("PATCH", path, settings), [403, 403, 403, 200, 200])
      for (const setting of [
        { name: "settings" },
        { private: true },
        { default_branch: "main" },
        { archived: false }
      ]) {
        assert.deepStrictEqual(yield* statuses("PATCH", path, setting), [403, 403, 403, 403, 200])
      }
      const refused = yield* ask("PATCH", path, { token: "maintain", body: { description: "x", visibility: "public" } })
      assert.strictEqual(refused.json.message, "Only an administrator of acme/settings can change its visibility")
      assert.strictEqual((yield* ask("PATCH", path, { token: "maintain", body: {} })).json.description, "Ships")
    })
  )

  it.effect("allows changes of an archived repository only to administrators", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestForge
      const path = yield* setUp("archived")
      const change = (token: string, body: object) =>
        Effect.map(ask("PATCH", path, { token, body }), ({ json, status }) => [status, json.message])
      const archived = [403, "The repository is archived and read-only"]
      assert.deepStrictEqual(yield* change("admin", { archived: true }), [200, undefined])
      assert.deepStrictEqual(yield* change("maintain", { description: "x" }), archived)
      assert.deepStrictEqual(yield* change("maintain", { archived: false }), archived)
      assert.deepStrictEqual(yield* change("admin", { archived: false }), [200, undefined])
      assert.deepStrictEqual(yield* change("maintain", { description: "x" }), [200, undefined])
    })
  )
})
