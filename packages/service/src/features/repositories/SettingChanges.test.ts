import { readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Forge from "../../main/Forge.test-support.ts"

const { TestForge } = Forge

layer(Forge.layer((repos) => Forge.repository(repos, "hello", { "a.ts": "export {}\n" })))(
  "settings of repositories",
  (it) => {
    const create = (body: object) => Effect.flatMap(TestForge, ({ ask }) => ask("POST", "/user/repos", { body }))
    const change = (name: string, body: object) =>
      Effect.flatMap(TestForge, ({ ask, base }) => ask("PATCH", `${base}/${name}`, { body }))

    it.effect("has GitHub's defaults, and keeps what a change sets", () =>
      Effect.gen(function* () {
        const made = yield* create({ name: "settings" })
        const defaults = {
          has_issues: true,
          has_projects: true,
          has_wiki: true,
          has_discussions: false,
          has_downloads: true,
          is_template: false,
          allow_squash_merge: true,
          allow_merge_commit: true,
          allow_rebase_merge: true,
          allow_auto_merge: false,
          allow_update_branch: false,
          delete_branch_on_merge: false,
          web_commit_signoff_required: false,
          squash_merge_commit_title: "COMMIT_OR_PR_TITLE",
          squash_merge_commit_message: "COMMIT_MESSAGES",
          merge_commit_title: "MERGE_MESSAGE",
          merge_commit_message: "PR_TITLE"
        }
        assert.deepInclude(made.json, defaults)
        const changed = {
          has_wiki: false,
          has_discussions: true,
          is_template: true,
          allow_merge_commit: false,
          allow_auto_merge: true,
          allow_update_branch: true,
          delete_branch_on_merge: true,
          web_commit_signoff_required: true,
          squash_merge_commit_title: "PR_TITLE",
          squash_merge_commit_message: "PR_BODY"
        }
        assert.deepInclude((yield* change("settings", changed)).json, { ...defaults, ...changed })
        const created = yield* create({ name: "created", allow_rebase_merge: false, is_template: true })
        assert.deepInclude(created.json, { ...defaults, allow_rebase_merge: false, is_template: true })
      })
    )

    it.effect("keeps one merge method, also over several requests", () =>
      Effect.gen(function* () {
        yield* create({ name: "methods" })
        assert.strictEqual((yield* change("methods", { allow_squash_merge: false })).status, 200)
        assert.strictEqual((yield* change("methods", { allow_rebase_merge: false })).status, 200)
        const refused = yield* change("methods", { allow_merge_commit: false })
        assert.strictEqual(refused.status, 422)
        assert.include(refused.json.errors[0].message, "at least one merge strategy")
        assert.strictEqual(
          (yield* change("methods", { allow_merge_commit: false, allow_squash_merge: true })).status,
          200
        )
        const none = { allow_merge_commit: false, allow_squash_merge: false, allow_rebase_merge: false }
        assert.strictEqual((yield* create({ name: "no-methods", ...none })).status, 422)
        assert.strictEqual((yield* Effect.flatMap(TestForge, ({ base, get }) => get(`${base}/no-methods`))).status, 404)
      })
    )

    it.effect("takes only titles and messages that a merge can have together", () =>
      Effect.gen(function* () {
        yield* create({ name: "texts" })
        const allowed = [
          { squash_merge_commit_title: "PR_TITLE", squash_merge_commit_message: "BLANK" },
          { squash_merge_commit_title: "COMMIT_OR_PR_TITLE", squash_merge_commit_message: "COMMIT_MESSAGES" },
          { merge_commit_title: "PR_TITLE", merge_commit_message: "BLANK" },
          { merge_commit_title: "MERGE_MESSAGE", merge_commit_message: "PR_TITLE" }
        ]
        for (const one of allowed) assert.deepInclude((yield* change("texts", one)).json, one)
        const refused = [
          { squash_merge_commit_title: "COMMIT_OR_PR_TITLE", squash_merge_commit_message: "PR_BODY" },
          { squash_merge_commit_message: "COMMIT_MESSAGES" },
          { merge_commit_title: "MERGE_MESSAGE", merge_commit_message: "PR_BODY" },
          { merge_commit_message: "PR_TITLE" }
        ]
        for (const one of refused) assert.strictEqual((yield* change("texts", one)).status, 422, JSON.stringify(one))
        const title = yield* change("texts", { merge_commit_title: "PR_TITLE" })
        assert.strictEqual(title.json.merge_commit_message, "PR_BODY")
      })
    )

    it.effect("starts with a license and a .gitignore file, and leaves nothing for unknown names", () =>
      Effect.gen(function* () {
        const { base, get, repos } = yield* TestForge
        const folder = join(repos, "../data/repositories", base.slice(7))
        const made = yield* create({ name: "files", gitignore_template: "Node", license_template: "MIT" })
        assert.strictEqual(made.status, 201)
        const root = yield* get(`${base}/files/contents`)
        assert.deepStrictEqual(
          root.json.map(({ name }: { name: string }) => name),
          [".gitignore", "LICENSE"]
        )
        assert.strictEqual((yield* get(`${base}/files/license`)).json.license.key, "mit")
        const before = readdirSync(folder)
        for (const unknown of [{ gitignore_template: "Nodejs" }, { license_template: "my-own" }, { team_id: 1 }]) {
          const refused = yield* create({ name: "unknown", ...unknown })
          assert.deepStrictEqual([refused.status, refused.json.errors[0].field], [422, Object.keys(unknown)[0]])
        }
        assert.deepStrictEqual(readdirSync(folder), before)
      })
    )

    it.effect("without issues, reads and writes of issues get 410, and other lists leave them out", () =>
      Effect.gen(function* () {
        const { ask, base, get } = yield* TestForge
        yield* create({ name: "quiet" })
        yield* ask("POST", `${base}/quiet/issues`, { body: { title: "before the switch" } })
        const listed = () => Effect.map(get(`${base}/quiet/issues`), ({ json }) => json.length)
        const found = () => Effect.map(get("/search/issues?q=switch"), ({ json }) => json.total_count)
        const created = () => Effect.map(get("/issues?filter=created"), ({ json }) => json.length)
        assert.deepStrictEqual(yield* Effect.all([listed(), found(), created()]), [1, 1, 1])
        assert.strictEqual((yield* change("quiet", { has_issues: false })).json.has_issues, false)
        assert.deepStrictEqual(yield* Effect.all([listed(), found(), created()]), [0, 0, 0])
        const refused = yield* ask("POST", `${base}/quiet/issues`, { body: { title: "after" } })
        assert.deepStrictEqual([refused.status, refused.json.message], [410, "Issues are disabled for this repo"])
        for (const path of ["", "/comments", "/labels", "/events", "/timeline"]) {
          assert.strictEqual((yield* get(`${base}/quiet/issues/1${path}`)).status, 410, path)
        }
        assert.strictEqual((yield* get(`${base}/quiet/labels`)).status, 200)
        yield* change("quiet", { has_issues: true })
        assert.deepStrictEqual(yield* Effect.all([listed(), found(), created()]), [1, 1, 1])
      })
    )
  }
)
