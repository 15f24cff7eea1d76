import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Forge from "../../main/Forge.test-support.ts"
import { git } from "../../git/Fixture.test-support.ts"

const { TestForge } = Forge

layer(Forge.layer((repos) => Forge.repository(repos, "hello", { "a.ts": "export {}\n", "b.md": "x" })))(
  "repositories",
  (it) => {
    const create = (body: unknown) => Effect.flatMap(TestForge, ({ ask }) => ask("POST", "/user/repos", { body }))

    it.effect("creates an empty repository, or one with a README", () =>
      Effect.gen(function* () {
        const { base, get, repos } = yield* TestForge
        const empty = yield* create({ name: "empty", description: "nothing yet", homepage: "https://example.org" })
        assert.strictEqual(empty.status, 201)
        assert.deepInclude(empty.json, {
          full_name: `${base.slice(7)}/empty`,
          description: "nothing yet",
          homepage: "https://example.org",
          private: false,
          visibility: "public",
          default_branch: "main",
          pushed_at: empty.json.created_at,
          size: 0
        })
        const begun = yield* create({ name: "begun", description: "words", auto_init: true })
        const folder = join(repos, "../data/repositories", base.slice(7))
        const path = join(folder, readdirSync(folder).find((name) => name.startsWith("begun-")) ?? "missing")
        assert.strictEqual(git(path, ["show", "main:README.md"]), "# begun\n\nwords")
        assert.strictEqual(git(path, ["fsck", "--strict"]), "")
        assert.isString(begun.json.pushed_at)
        assert.strictEqual((yield* get(`${base}/begun`)).json.id, begun.json.id)
      })
    )

    it.effect("lists the bytes of code by language", () =>
      Effect.gen(function* () {
        const { base, get } = yield* TestForge
        assert.deepStrictEqual((yield* get(`${base}/hello/languages`)).json, { TypeScript: 10, Markdown: 1 })
        yield* create({ name: "without-commits" })
        assert.deepStrictEqual((yield* get(`${base}/without-commits/languages`)).json, {})
      })
    )

    it.effect("version 2026-03-10 replaces use_squash_pr_title_as_default by squash_merge_commit_title", () =>
      Effect.gen(function* () {
        const { ask, base, get } = yield* TestForge
        const version = (name: string) => ({ headers: { "x-service-api-version": name } })
        const [old, since] = [version("2022-11-28"), version("2026-03-10")]
        const titles = (repository: Record<string, unknown>) => [
          repository["squash_merge_commit_title"],
          repository["use_squash_pr_title_as_default"]
        ]
        const made = yield* ask("POST", "/user/repos", {
          ...old,
          body: { name: "squashed", use_squash_pr_title_as_default: true }
        })
        assert.deepStrictEqual(titles(made.json), ["PR_TITLE", true])
        assert.deepStrictEqual(titles((yield* get(`${base}/squashed`, since)).json), ["PR_TITLE", undefined])
        const listed = (yield* get("/user/repos?per_page=100", old)).json
        assert.isTrue(listed.every((one: object) => "use_squash_pr_title_as_default" in one))

        const change = (options: object, body: object) => ask("PATCH", `${base}/squashed`, { ...options, body })
        const ignored = yield* change(since, { use_squash_pr_title_as_default: false })
        assert.deepStrictEqual(titles(ignored.json), ["PR_TITLE", undefined])
        const taken = yield* change(old, { use_squash_pr_title_as_default: false })
        assert.deepStrictEqual(titles(taken.json), ["COMMIT_OR_PR_TITLE", false])
        const both = { squash_merge_commit_title: "PR_TITLE", use_squash_pr_title_as_default: false }
        assert.deepStrictEqual(titles((yield* change(old, both)).json), ["PR_TITLE", true])
        assert.strictEqual((yield* change(since, { squash_merge_commit_title: "TITLE" })).status, 422)

        yield* ask("PATCH", `${base}/hello`, { body: { is_template: true } })
        for (const [path, name] of Object.entries({ generate: "generated", forks: "forked" })) {
          const { json, text } = yield* ask("POST", `${base}/hello/${path}`, { ...old, body: { name } })
          assert.deepStrictEqual(titles(json), ["COMMIT_OR_PR_TITLE", false], text)
          assert.deepStrictEqual(titles(json.template_repository ?? json.parent), ["COMMIT_OR_PR_TITLE", false], text)
        }
      })
    )

    it.effect("rejects a name that exists in any case, and keeps the existing repository", () =>
      Effect.gen(function* () {
        const { base, get } = yield* TestForge
        const first = yield* create({ name: "taken", auto_init: true })
        for (const name of ["taken", "TAKEN", "hello"]) {
          const again = yield* create({ name })
          assert.strictEqual(again.status, 422)
          assert.strictEqual(again.json.errors[0].message, "name already exists on this account")
        }
        const there = yield* get(`${base}/taken`)
        assert.deepStrictEqual([there.status, there.json.id], [200, first.json.id])
        assert.strictEqual((yield* get(`${base}/taken/git/ref/heads/main`)).status, 200)
        const many = yield* Effect.forEach(
          Array.from({ length: 5 }, () => "race"),
          (name) => create({ name }),
          {
            concurrency: "unbounded"
          }
        )
        assert.deepStrictEqual(
          many.map(({ status }) => status).toSorted((a, b) => a - b),
          [201, 422, 422, 422, 422]
        )
      })
    )

    it.effect("rejects a name that is not a valid folder name, and creates none", () =>
      Effect.gen(function* () {
        const { repos } = yield* TestForge
        const folders = () => readdirSync(join(repos, ".."), { recursive: true }).length
        const before = folders()
        for (const name of [
          "",
          ".",
          "..",
          "../x",
          "a/b",
          "x.git",
          "x.LOCK",
          "a b",
          "é",
          "\0",
          "x".repeat(101),
          "-\n"
        ]) {
          const refused = yield* create({ name })
          assert.deepStrictEqual([refused.status, refused.json.errors[0].field], [422, "name"], JSON.stringify(name))
        }
        assert.strictEqual(folders(), before)
        assert.isFalse(existsSync(join(repos, "../x")))
      })
    )

    it.effect("completes a repository after its process was killed", () =>
      Effect.gen(function* () {
        const { base, repos } = yield* TestForge
        yield* create({ name: "before" })
        const path = join(repos, "../data/repositories", base.slice(7), "left.git")
        git(repos, ["init", "--quiet", "--bare", "--initial-branch=main", path])
        assert.strictEqual((yield* create({ name: "left", auto_init: true })).status, 201)
      })
    )

    it.effect("redirects from the old name of a repository to permitted users, until the name is reused", () =>
      Effect.gen(function* () {
        const { ask, base, get } = yield* TestForge
        yield* create({ name: "old", auto_init: true, private: true })
        const rename = (from: string, name: string) => ask("PATCH", `${base}/${from}`, { body: { name } })
        assert.strictEqual((yield* rename("old", "newer")).status, 200)
        assert.strictEqual((yield* rename("newer", "new")).status, 200)
        for (const name of ["old", "OLD", "newer"]) {
          const moved = yield* get(`/api/v3${base}/${name}/branches?per_page=1`)
          assert.strictEqual(moved.status, 301)
          assert.strictEqual(moved.headers["location"], `http://forge.localhost/api/v3${base}/new/branches?per_page=1`)
          assert.strictEqual(moved.json.url, moved.headers["location"])
        }
        const written = yield* ask("POST", `${base}/old/git/refs`, { body: {} })
        assert.strictEqual(written.status, 307)
        assert.strictEqual(written.headers["location"], `http://forge.localhost${base}/new/git/refs`)
        assert.strictEqual((yield* get(`${base}/old`, { token: null })).status, 404)

        const another = yield* create({ name: "old" })
        assert.strictEqual(another.status, 201, another.text)
        assert.strictEqual((yield* get(`${base}/old`)).json.id, another.json.id)
        assert.strictEqual((yield* get(`${base}/old/branches`)).json.length, 0)
        assert.strictEqual((yield* rename("new", "newer")).status, 200)
        assert.strictEqual((yield* get(`${base}/newer`)).status, 200)
        assert.strictEqual((yield* get(`${base}/new`)).status, 301)
      })
    )

    it.effect("applies all parts of a change or none", () =>
      Effect.gen(function* () {
        const { ask, base, get } = yield* TestForge
        yield* create({ name: "whole", auto_init: true })
        yield* create({ name: "taken" })
        const sha = (yield* get(`${base}/whole/git/ref/heads/main`)).json.object.sha
        yield* ask("POST", `${base}/whole/git/refs`, { body: { ref: "refs/heads/next", sha } })
        const change = (body: object) => ask("PATCH", `${base}/whole`, { body })
        const refused = yield* change({ default_branch: "next", name: "taken", description: "new" })
        assert.strictEqual(refused.status, 422)
        assert.deepInclude((yield* get(`${base}/whole`)).json, { default_branch: "main", description: null })
        const made = yield* change({ default_branch: "next", description: "new" })
        assert.deepInclude(made.json, { default_branch: "next", description: "new" })
        // A work tree has the default branch checked out. Setting that branch changes nothing, setting another branch
        // fails.
        const hello = (body: object) => ask("PATCH", `${base}/hello`, { body })
        assert.strictEqual((yield* hello({ default_branch: "main" })).status, 200)
        yield* ask("POST", `${base}/hello/git/refs`, {
          body: { ref: "refs/heads/next", sha: (yield* get(`${base}/hello/git/ref/heads/main`)).json.object.sha }
        })
        assert.strictEqual((yield* hello({ default_branch: "next", description: "new" })).status, 409)
        assert.deepInclude((yield* get(`${base}/hello`)).json, { default_branch: "main", description: null })
      })
    )

    it.effect("announces a new default branch to webhooks, by an update or a rename", () =>
      Effect.gen(function* () {
        const { ask, base, get } = yield* TestForge
        yield* create({ name: "watched", auto_init: true })
        const { object } = (yield* get(`${base}/watched/git/ref/heads/main`)).json
        yield* ask("POST", `${base}/watched/git/refs`, { body: { ref: "refs/heads/next", sha: object.sha } })
        const config = { url: "https://hooks.example.org/", content_type: "json" }
        const hook = (yield* ask("POST", `${base}/watched/hooks`, { body: { config, events: ["repository"] } })).json
        yield* ask("PATCH", `${base}/watched`, { body: { default_branch: "next" } })
        yield* ask("PATCH", `${base}/watched`, { body: { default_branch: "next" } })
        yield* ask("POST", `${base}/watched/branches/next/rename`, { body: { new_name: "trunk" } })
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ readonly payload: string }>`
          SELECT payload FROM deliveries WHERE hook_id = ${hook.id} AND event = 'repository' ORDER BY id`
        assert.deepStrictEqual(
          rows.map(({ payload }) => {
            const { action, changes, repository } = JSON.parse(payload)
            return [action, changes, repository.default_branch]
          }),
          [
            ["edited", { default_branch: { from: "main" } }, "next"],
            ["edited", { default_branch: { from: "next" } }, "trunk"]
          ]
        )
      })
    )

    it.effect("records one public event for concurrent requests", () =>
      Effect.gen(function* () {
        const { ask, base, get } = yield* TestForge
        yield* create({ name: "secret", private: true })
        const publish = ask("PATCH", `${base}/secret`, { body: { private: false } })
        const made = yield* Effect.all(
          Array.from({ length: 10 }, () => publish),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual([...new Set(made.map(({ status }) => status))], [200])
        const events = yield* get(`${base}/secret/events`)
        assert.deepStrictEqual(
          events.json.map(({ type }: { readonly type: string }) => type),
          ["PublicEvent", "CreateEvent"]
        )
      })
    )

    it.effect("reads and unarchives an archived repository", () =>
      Effect.gen(function* () {
        const { ask, base, get } = yield* TestForge
        yield* create({ name: "kept", auto_init: true })
        const change = (body: object) => ask("PATCH", `${base}/kept`, { body })
        assert.strictEqual((yield* change({ archived: true })).json.archived, true)
        const sha = (yield* get(`${base}/kept/git/ref/heads/main`)).json.object.sha
        const write = (branch: string) =>
          ask("POST", `${base}/kept/git/refs`, { body: { ref: `refs/heads/${branch}`, sha } })
        for (const refused of [yield* write("x"), yield* change({ description: "new" })]) {
          assert.strictEqual(refused.status, 403)
          assert.include(refused.json.message, "archived")
        }
        assert.strictEqual((yield* change({ archived: false, description: "new" })).json.archived, false)
        assert.strictEqual((yield* write("x")).status, 201)
      })
    )

    it.effect("gives language, size and commit time of an adopted repository", () =>
      Effect.gen(function* () {
        const { base, get } = yield* TestForge
        const { json } = yield* get(`${base}/hello`)
        assert.deepInclude(json, {
          name: "hello",
          default_branch: "main",
          language: "TypeScript",
          pushed_at: "2023-11-14T22:13:20Z"
        })
        assert.strictEqual((yield* get(`${base}/absent`)).status, 404)
        assert.strictEqual((yield* get("/repos/nobody/hello")).status, 404)
      })
    )
  }
)
