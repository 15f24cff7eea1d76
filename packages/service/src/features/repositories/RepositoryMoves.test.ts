import { readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Forge from "../../main/Forge.test-support.ts"
import { git } from "../../git/Fixture.test-support.ts"
import { UserRows } from "../../accounts/UserRows.ts"

const { TestForge } = Forge

layer(Forge.layer((repos) => Forge.repository(repos, "hello", { "a.ts": "export {}\n", "b/c.md": "x" })))(
  "templates and transfers",
  (it) => {
    const create = (body: object) => Effect.flatMap(TestForge, ({ ask }) => ask("POST", "/user/repos", { body }))

    /** Paths of the folders of repositories, by owner. */
    const folders = Effect.map(TestForge, ({ base, repos }) => join(repos, "../data/repositories", base.slice(7)))

    const folderOf = (name: string) =>
      Effect.map(folders, (all) => join(all, readdirSync(all).find((one) => one.startsWith(`${name}-`)) ?? "missing"))

    it.effect("answers paths with the id of a repository, also after it was renamed", () =>
      Effect.gen(function* () {
        const { ask, base, get } = yield* TestForge
        const { id } = (yield* create({ name: "before", private: true, auto_init: true })).json
        yield* ask("PATCH", `${base}/before`, { body: { name: "after" } })
        assert.deepInclude((yield* get(`/repositories/${id}`)).json, { id, name: "after" })
        assert.lengthOf((yield* get(`/repositories/${id}/commits`)).json, 1)
        const pages = yield* get(`/repositories/${id}/labels?per_page=1`)
        assert.match(pages.headers["link"] ?? "", new RegExp(`/repositories/${id}/labels\\?per_page=1&page=2`))
        assert.deepInclude((yield* ask("PATCH", `/repositories/${id}`, { body: { name: "later" } })).json, { id })
        assert.strictEqual((yield* get(`/repositories/${id}`)).json.name, "later")
        assert.strictEqual((yield* ask("DELETE", `/repositories/${id}`)).status, 204)
        // A hidden repository is answered as one that does not exist.
        const hidden = (yield* create({ name: "hidden", private: true })).json.id
        const answers = yield* Effect.forEach([hidden, id, 999_999], (one) =>
          get(`/repositories/${one}`, { token: null })
        )
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [404, 404, 404]
        )
        assert.strictEqual(new Set(answers.map(({ text }) => text)).size, 1)
        for (const path of ["x", "1x", "-1", `${hidden}/absent`]) {
          assert.strictEqual((yield* get(`/repositories/${path}`)).status, 404, path)
        }
      })
    )

    it.effect("creates a repository from a template: one commit for each branch, and no shared objects", () =>
      Effect.gen(function* () {
        const { ask, base, get, repos } = yield* TestForge
        const source = join(repos, "hello")
        git(source, ["branch", "next"])
        git(source, ["branch", "other", "HEAD"])
        const generate = (body: object) => ask("POST", `${base}/hello/generate`, { body })
        const refused = yield* generate({ name: "copy" })
        assert.deepStrictEqual([refused.status, refused.json.errors[0].field], [422, "template"])
        yield* ask("PATCH", `${base}/hello`, { body: { is_template: true } })

        const one = yield* generate({ name: "copy", description: "copied", private: true })
        assert.strictEqual(one.status, 201)
        assert.deepInclude(one.json, { description: "copied", private: true, is_template: false })
        assert.strictEqual(one.json.template_repository.full_name, `${base.slice(7)}/hello`)
        assert.strictEqual((yield* get(`${base}/copy`)).json.template_repository.name, "hello")
        const path = yield* folderOf("copy")
        assert.strictEqual(git(path, ["rev-list", "--all", "--count"]), "1")
        assert.strictEqual(git(path, ["rev-parse", "HEAD^{tree}"]), git(source, ["rev-parse", "HEAD^{tree}"]))
        assert.strictEqual(git(path, ["fsck", "--strict", "--full"]), "")
        assert.notInclude(readdirSync(join(path, "objects", "info")), "alternates")
        assert.deepStrictEqual(
          (yield* get(`${base}/copy/branches`)).json.map(({ name }: { name: string }) => name),
          [one.json.default_branch]
        )
        const all = yield* generate({ name: "whole", include_all_branches: true })
        assert.strictEqual((yield* get(`${base}/whole/branches`)).json.length, 3)
        assert.strictEqual(all.json.default_branch, (yield* get(`${base}/hello`)).json.default_branch)

        const before = readdirSync(yield* folders)
        const wrong = [
          [{ name: "copy" }, "name"],
          [{ name: "a b" }, "name"],
          [{ name: "new", owner: "missing" }, "owner"]
        ] as const
        for (const [body, field] of wrong) {
          const answer = yield* generate(body)
          assert.deepStrictEqual([answer.status, answer.json.errors[0].field], [422, field])
        }
        assert.deepStrictEqual(readdirSync(yield* folders), before)
        assert.strictEqual((yield* ask("POST", `${base}/missing/generate`, { body: { name: "x" } })).status, 404)
      })
    )

    it.effect("copies a template without commits, as an empty repository", () =>
      Effect.gen(function* () {
        const { ask, base } = yield* TestForge
        yield* create({ name: "blank", is_template: true })
        const made = yield* ask("POST", `${base}/blank/generate`, { body: { name: "blank-copy" } })
        assert.deepStrictEqual([made.status, made.json.size], [201, 0])
      })
    )

    it.effect("transfers a repository to an organization, with redirects from the old name", () =>
      Effect.gen(function* () {
        const { ask, base, get } = yield* TestForge
        const users = yield* UserRows
        const sql = yield* SqlClient.SqlClient
        const owner = base.slice(7)
        yield* users.ensure({ login: "harbor", type: "Organization" })
        yield* users.ensure({ login: "ann" })
        const harbor = (yield* users.byLogin("harbor"))?.id ?? 0
        const me = (yield* users.byLogin(owner))?.id ?? 0
        yield* sql`INSERT INTO organizations (user_id) VALUES (${harbor}) ON CONFLICT DO NOTHING`
        yield* sql`INSERT INTO memberships (organization_id, user_id, role) VALUES (${harbor}, ${me}, 'owner')`
        yield* create({ name: "boat", auto_init: true })
        yield* ask("POST", `${base}/boat/issues`, { body: { title: "keep me", assignees: [owner] } })
        const move = (body: object) => ask("POST", `${base}/boat/transfer`, { body })
        for (const [body, field] of [
          [{ new_owner: "ann" }, "new_owner"],
          [{ new_owner: "nobody-here" }, "new_owner"],
          [{ new_owner: owner }, "new_owner"],
          [{ new_owner: "harbor", new_name: "a b" }, "name"],
          [{ new_owner: "harbor", team_ids: [1] }, "team_ids"]
        ] as const) {
          const refused = yield* move(body)
          assert.deepStrictEqual([refused.status, refused.json.errors?.[0].field], [422, field], JSON.stringify(body))
        }
        const moved = yield* move({ new_owner: "harbor", new_name: "ship" })
        assert.strictEqual(moved.status, 202)
        assert.strictEqual(moved.json.full_name, `${owner}/boat`)
        const now = yield* get("/repos/harbor/ship")
        assert.strictEqual(now.json.id, moved.json.id)
        assert.strictEqual((yield* get("/repos/harbor/ship/issues")).json[0].assignees[0].login, owner)
        const redirect = yield* get(`${base}/boat/issues`)
        assert.strictEqual(redirect.status, 301)
        assert.strictEqual((yield* get(`${base}/boat/contents/README.md`)).status, 301)

        // A new repository takes the name, also after its deletion.
        yield* create({ name: "boat" })
        assert.strictEqual((yield* get(`${base}/boat`)).status, 200)
        assert.strictEqual((yield* ask("DELETE", `${base}/boat`)).status, 204)
        assert.strictEqual((yield* get(`${base}/boat`)).status, 404)

        yield* create({ name: "ship" })
        const taken = yield* ask("POST", `${base}/ship/transfer`, { body: { new_owner: "harbor" } })
        assert.strictEqual(taken.status, 422)
        assert.include(taken.json.errors[0].message, "harbor/ship exists already")
        assert.strictEqual((yield* get(`${base}/ship`)).status, 200)

        // And back to the caller's account.
        const back = yield* ask("POST", "/repos/harbor/ship/transfer", { body: { new_owner: owner, new_name: "home" } })
        assert.strictEqual(back.status, 202)
        assert.strictEqual((yield* get(`${base}/home`)).json.id, moved.json.id)
        assert.strictEqual((yield* get("/repos/harbor/ship")).status, 301)
      })
    )

    it.effect("lists the public repositories by id", () =>
      Effect.gen(function* () {
        const { get } = yield* TestForge
        yield* create({ name: "hidden", private: true })
        const all = (yield* get("/repositories")).json
        assert.isFalse(all.some(({ private: hidden }: { private: boolean }) => hidden))
        const rest = (yield* get(`/repositories?since=${all[0].id}`)).json
        assert.deepStrictEqual(rest, all.slice(1))
      })
    )
  }
)
