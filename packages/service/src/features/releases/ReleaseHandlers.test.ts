import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { commit, git } from "../../git/Fixture.test-support.ts"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => {
  const path = Support.repository(repos, "hello")
  git(path, ["tag", "v0.1"])
  commit(path, { "b.txt": "two\n" }, "second")
  Support.repository(repos, "rules")
  Support.repository(repos, "many")
  Support.repository(repos, "fixed")
})

const prepare = Effect.gen(function* () {
  const { ask, base, get, token, user } = yield* TestForge
  const releases = `${base}/hello/releases`
  const create = (body: object, path = releases) => ask("POST", path, { body })
  const reader = yield* token({ userId: yield* user({ login: "reader" }), kind: "classic", scopes: ["repo"] })
  return { ask, base, create, get, reader, releases }
})

/** The names of the errors of a 422. */
const problems = ({ json, status }: Support.Answer) => [
  status,
  ...(json.errors ?? []).map(({ code, field, message }: Record<string, string>) => message ?? `${field} ${code}`)
]

const tagsOf = (list: ReadonlyArray<{ readonly tag_name: string }>) => list.map((one) => one.tag_name)

layer(forge)("releases", (it) => {
  it.effect("create their tag, and are listed, read, changed and deleted", () =>
    Effect.gen(function* () {
      const { ask, base, create, get, releases } = yield* prepare
      const made = yield* create({ tag_name: "v1.0.0", name: "One", body: "Thanks @keeper" })
      assert.strictEqual(made.status, 201)
      const url = `http://forge.localhost${releases}/${made.json.id}`
      assert.deepInclude(made.json, {
        url,
        assets_url: `${url}/assets`,
        upload_url: `${url}/assets{?name,label}`,
        html_url: "http://forge.localhost/keeper/hello/releases/tag/v1.0.0",
        tarball_url: `http://forge.localhost${base}/hello/tarball/v1.0.0`,
        tag_name: "v1.0.0",
        target_commitish: "main",
        name: "One",
        body: "Thanks @keeper",
        draft: false,
        prerelease: false,
        immutable: false,
        mentions_count: 1,
        assets: []
      })
      assert.strictEqual(made.headers["location"], url)
      const ref = yield* get(`${base}/hello/git/ref/tags/v1.0.0`)
      assert.strictEqual(ref.json.object.sha, (yield* get(`${base}/hello/git/ref/heads/main`)).json.object.sha)
      const { json } = yield* get(`${base}/hello/commits/main`)
      assert.strictEqual(made.json.created_at, json.commit.committer.date)
      assert.deepStrictEqual((yield* get(releases)).json, [made.json])
      for (const path of [`${made.json.id}`, "latest", "tags/v1.0.0"])
        assert.deepStrictEqual((yield* get(`${releases}/${path}`)).json, made.json, path)
      const html = yield* get(`${releases}/latest`, { headers: { accept: "application/vnd.service.html" } })
      assert.include(html.json.body_html, `href="http://forge.localhost/keeper"`)
      const changed = yield* ask("PATCH", `${releases}/${made.json.id}`, { body: { name: "First" } })
      assert.deepStrictEqual([changed.status, changed.json.name, changed.json.body], [200, "First", "Thanks @keeper"])
      assert.strictEqual((yield* ask("DELETE", `${releases}/${made.json.id}`)).status, 204)
      for (const path of [`${made.json.id}`, "latest", "tags/v1.0.0"])
        assert.strictEqual((yield* get(`${releases}/${path}`)).status, 404, path)
      assert.strictEqual((yield* get(`${base}/hello/git/ref/tags/v1.0.0`)).status, 200)
    })
  )

  it.effect("are refused with GitHub's errors", () =>
    Effect.gen(function* () {
      const { ask, create, reader, releases } = yield* prepare
      const first = yield* create({ tag_name: "v0.1" })
      assert.strictEqual(first.status, 201)
      assert.deepStrictEqual(problems(yield* create({ tag_name: "v0.1" })), [422, "tag_name already_exists"])
      assert.deepStrictEqual(problems(yield* create({ tag_name: "" })), [422, "tag_name missing_field"])
      assert.include(problems(yield* create({ tag_name: "a..b" })), "tag_name is not well-formed")
      const missing = yield* create({ tag_name: "v9", target_commitish: "nothing" })
      assert.deepStrictEqual(problems(missing), [422, "target_commitish invalid"])
      const long = yield* create({ tag_name: "v9", body: "x".repeat(125_001) })
      assert.deepStrictEqual(problems(long), [422, "body is too long (maximum is 125000 characters)"])
      assert.strictEqual((yield* create({ tag_name: "v9", discussion_category_name: "news" })).status, 404)
      const draft = yield* create({ tag_name: "v0.1", draft: true })
      const path = `${releases}/${draft.json.id}`
      assert.deepStrictEqual(problems(yield* ask("PATCH", path, { body: { draft: false } })), [
        422,
        "tag_name already_exists"
      ])
      for (const [token, status] of [
        [reader, 403],
        [null, 401]
      ] as const)
        assert.strictEqual((yield* ask("POST", releases, { token, body: { tag_name: "v9" } })).status, status)
      for (const { id } of [first.json, draft.json]) yield* ask("DELETE", `${releases}/${id}`)
    })
  )

  it.effect("are drafts only for those who can write, and have no tag before they are published", () =>
    Effect.gen(function* () {
      const { ask, base, create, get, reader, releases } = yield* prepare
      const { json: draft } = yield* create({ tag_name: "v2", draft: true, target_commitish: "main" })
      assert.deepStrictEqual([draft.published_at, draft.tarball_url], [null, null])
      assert.match(draft.html_url, /releases\/tag\/untagged-[0-9a-f]{20}$/)
      const path = `${releases}/${draft.id}`
      assert.strictEqual((yield* get(`${base}/hello/git/ref/tags/v2`)).status, 404)
      assert.deepStrictEqual(tagsOf((yield* get(releases)).json), ["v2"])
      for (const token of [reader, null]) {
        assert.deepStrictEqual((yield* get(releases, { token })).json, [])
        for (const hidden of [path, `${path}/assets`, `${path}/reactions`])
          assert.strictEqual((yield* get(hidden, { token })).status, 404)
      }
      assert.strictEqual((yield* get(`${releases}/tags/v2`)).status, 404)
      const published = yield* ask("PATCH", path, { body: { draft: false } })
      assert.deepStrictEqual([published.status, published.json.draft], [200, false])
      assert.strictEqual((yield* get(`${base}/hello/git/ref/tags/v2`)).status, 200)
      assert.deepStrictEqual(tagsOf((yield* get(releases, { token: null })).json), ["v2"])
      yield* ask("DELETE", path)
    })
  )

  it.effect("have one latest release", () =>
    Effect.gen(function* () {
      const { ask, create, get, releases } = yield* prepare
      const latest = Effect.map(get(`${releases}/latest`), ({ json, status }) => json.tag_name ?? status)
      yield* create({ tag_name: "v3.0.0-rc.1", prerelease: true })
      assert.strictEqual(yield* latest, 404)
      const three = yield* create({ tag_name: "v3.0.0" })
      yield* create({ tag_name: "v2.9.0", make_latest: "false" })
      assert.strictEqual(yield* latest, "v3.0.0")
      yield* create({ tag_name: "v2.9.1", make_latest: "legacy" })
      assert.strictEqual(yield* latest, "v3.0.0")
      yield* create({ tag_name: "v3.1.0", make_latest: "legacy" })
      assert.strictEqual(yield* latest, "v3.1.0")
      yield* ask("PATCH", `${releases}/${three.json.id}`, { body: { make_latest: "true" } })
      assert.strictEqual(yield* latest, "v3.0.0")
      yield* ask("PATCH", `${releases}/${three.json.id}`, { body: { prerelease: true } })
      assert.strictEqual(yield* latest, "v3.1.0")
    })
  )

  it.effect("create no tag that a ruleset forbids", () =>
    Effect.gen(function* () {
      const { ask, base, create, get } = yield* prepare
      const rules = { name: "tags", target: "tag", enforcement: "active", rules: [{ type: "creation" }] }
      const conditions = { ref_name: { include: ["~ALL"], exclude: [] } }
      const made = yield* ask("POST", `${base}/rules/rulesets`, { body: { ...rules, conditions } })
      assert.strictEqual(made.status, 201)
      const refused = yield* create({ tag_name: "v1" }, `${base}/rules/releases`)
      assert.strictEqual(refused.status, 422)
      assert.deepStrictEqual((yield* get(`${base}/rules/releases`)).json, [])
      assert.strictEqual((yield* get(`${base}/rules/git/ref/tags/v1`)).status, 404)
    })
  )

  it.effect("are announced to webhooks, and a publication is an event", () =>
    Effect.gen(function* () {
      const { ask, base, create, get } = yield* prepare
      const config = { url: "https://hooks.example.com/", content_type: "json" }
      const hook = yield* ask("POST", `${base}/many/hooks`, { body: { config, events: ["release", "create"] } })
      const releases = `${base}/many/releases`
      const { json: release } = yield* create({ tag_name: "v5", draft: true, prerelease: true }, releases)
      const path = `${releases}/${release.id}`
      for (const body of [{ body: "notes" }, { draft: false }, { prerelease: false }, { draft: true }])
        assert.strictEqual((yield* ask("PATCH", path, { body })).status, 200)
      yield* ask("DELETE", path)
      const sql = yield* SqlClient.SqlClient
      const sent = yield* sql<{ readonly event: string; readonly payload: string }>`
        SELECT event, payload FROM deliveries WHERE hook_id = ${hook.json.id} AND event <> 'ping' ORDER BY id`
      const payloads = sent.map(({ event, payload }) => ({ event, ...JSON.parse(payload) }))
      assert.deepStrictEqual(
        payloads.map(({ action, event, ref }) => `${event} ${action ?? ref}`),
        ["created", "edited", "published", "prereleased", "released", "unpublished", "deleted"]
          .map((action) => `release ${action}`)
          .toSpliced(2, 0, "create v5")
      )
      assert.deepStrictEqual(payloads[1].changes, { body: { from: "" } })
      const { json } = yield* get(`${base}/many/events`)
      const published = json.filter(({ type }: { type: string }) => type === "ReleaseEvent")
      assert.deepStrictEqual(
        published.map(({ payload }: Support.Answer["json"]) => [payload.action, payload.release.tag_name]),
        [["published", "v5"]]
      )
    })
  )

  it.effect("have reactions", () =>
    Effect.gen(function* () {
      const { ask, create, get, reader, releases } = yield* prepare
      const { json: release } = yield* create({ tag_name: "v6" })
      const path = `${releases}/${release.id}/reactions`
      const react = (content: string) => ask("POST", path, { token: reader, body: { content } })
      const heart = yield* react("heart")
      assert.deepStrictEqual([heart.status, (yield* react("heart")).status], [201, 200])
      assert.strictEqual((yield* react("confused")).status, 422)
      assert.deepStrictEqual((yield* get(path)).json, [heart.json])
      assert.deepInclude((yield* get(`${releases}/${release.id}`)).json.reactions, { total_count: 1, heart: 1 })
      assert.strictEqual((yield* ask("DELETE", `${path}/${heart.json.id}`)).status, 403)
      assert.strictEqual((yield* ask("DELETE", `${path}/${heart.json.id}`, { token: reader })).status, 204)
    })
  )

  it.effect("are immutable with a setting: the tag cannot move, and no other release can have it", () =>
    Effect.gen(function* () {
      const { ask, base, create, get } = yield* prepare
      const setting = `${base}/fixed/immutable-releases`
      const releases = `${base}/fixed/releases`
      assert.strictEqual((yield* get(setting)).status, 404)
      assert.strictEqual((yield* ask("PUT", setting)).status, 204)
      assert.deepStrictEqual((yield* get(setting)).json, { enabled: true, enforced_by_owner: false })
      const { json: release } = yield* create({ tag_name: "v1" }, releases)
      assert.strictEqual(release.immutable, true)
      const path = `${releases}/${release.id}`
      assert.strictEqual((yield* ask("PATCH", path, { body: { name: "New" } })).json.name, "New")
      for (const body of [{ draft: true }, { tag_name: "v2" }])
        assert.strictEqual((yield* ask("PATCH", path, { body })).status, 422)
      const upload = yield* ask("POST", `${path}/assets?name=a`, { body: "a", headers: { "content-length": "1" } })
      assert.deepStrictEqual(
        [upload.status, upload.json.message],
        [422, "Cannot upload assets to an immutable release."]
      )
      const ref = `${base}/fixed/git/refs/tags/v1`
      assert.strictEqual((yield* ask("DELETE", ref)).status, 422)
      assert.strictEqual((yield* ask("DELETE", path)).status, 204)
      assert.strictEqual((yield* ask("DELETE", ref)).status, 204)
      assert.include(problems(yield* create({ tag_name: "v1" }, releases)), "tag_name was used by an immutable release")
      const { json: head } = yield* get(`${base}/fixed/git/ref/heads/main`)
      const again = { ref: "refs/tags/v1", sha: head.object.sha }
      assert.strictEqual((yield* ask("POST", `${base}/fixed/git/refs`, { body: again })).status, 422)
      assert.strictEqual((yield* ask("DELETE", setting)).status, 204)
      assert.strictEqual((yield* create({ tag_name: "v3" }, releases)).json.immutable, false)
    })
  )

  it.effect("need three statements in a list of a hundred", () =>
    Effect.gen(function* () {
      const { ask, base, create, get } = yield* prepare
      const releases = `${base}/many/releases`
      const sql = yield* SqlClient.SqlClient
      const { json: first } = yield* create({ tag_name: "v0" }, releases)
      for (let at = 1; at < 100; at++) {
        const tag = `v${at}`
        yield* sql`
          INSERT INTO releases (repository_id, author_id, tag_name, target_commitish, name, body, draft, prerelease,
            immutable, mentions_count, created_at, published_at, updated_at)
          SELECT repository_id, author_id, ${tag}, target_commitish, name, body, 0, 0, 0, 0, created_at, published_at,
            updated_at FROM releases WHERE id = ${first.id}`
      }
      yield* sql`
        INSERT INTO release_assets (release_id, name, content_type, size, digest, download_count, created_at, updated_at)
        SELECT r.id, 'a.zip', 'application/zip', 1, 'none', 0, r.created_at, r.updated_at FROM releases r
        WHERE r.repository_id = (SELECT repository_id FROM releases WHERE id = ${first.id})`
      const count = Effect.fnUntraced(function* (size: number) {
        yield* ask("PATCH", `${releases}/${first.id}`, { body: { name: `for ${size}` } })
        yield* get(`${base}/many/branches`)
        const answer = Effect.map(get(`${releases}?per_page=${size}`), ({ json }) => {
          assert.strictEqual(json.length, size)
          assert.strictEqual(json[0].assets.length, 1)
        })
        return yield* Support.statements(answer)
      })
      const few = yield* count(2)
      assert.strictEqual(yield* count(100), few)
      assert.isAtMost(few, 3)
    })
  )
})
