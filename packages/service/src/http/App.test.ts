import { chmodSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, References } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Forge from "../main/Forge.test-support.ts"
import { commit, git } from "../git/Fixture.test-support.ts"

const { TestForge } = Forge

const repositories = (repos: string) => {
  const path = Forge.repository(repos, "hello", { "README.md": "# hello\n", "src/a.ts": "export const answer = 42\n" })
  git(path, ["branch", "feature"])
  git(path, ["update-index", "--add", "--cacheinfo", `160000,${git(path, ["rev-parse", "HEAD"])},module`])
  git(path, ["commit", "--quiet", "-m", "a submodule"])
  Forge.repository(repos, "moving")
}

const isErrorBody = (answer: Forge.Answer, status: number) => {
  assert.strictEqual(answer.status, status, answer.text)
  assert.match(answer.headers["content-type"] ?? "", /^application\/json/)
  assert.strictEqual(answer.json.status, String(status))
  assert.isString(answer.json.message)
  assert.notStrictEqual(answer.json.message, "")
  assert.match(answer.json.documentation_url, /^https:\/\//)
  assert.isString(answer.headers["x-request-id"])
}

layer(Forge.layer(repositories))("responses", (it) => {
  describe("to invalid requests", () => {
    it.effect("have the error body for unknown routes and wrong methods", () =>
      Effect.gen(function* () {
        const { ask, base, get } = yield* TestForge
        isErrorBody(yield* get("/nothing/here"), 404)
        isErrorBody(yield* get(`${base}/hello/git/refs/heads/main/`), 404)
        isErrorBody(yield* get(`${base}/hello/branches/`), 404)
        isErrorBody(yield* get(`${base}//hello`), 404)
        const wrong = yield* ask("PUT", `${base}/hello/git/refs`)
        isErrorBody(wrong, 405)
        assert.strictEqual(wrong.headers["allow"], "GET, POST")
        isErrorBody(yield* ask("DELETE", "/user/repos"), 405)
      })
    )

    it.effect("have the error body for unreadable requests", () =>
      Effect.gen(function* () {
        const { ask, base } = yield* TestForge
        const refs = `${base}/hello/git/refs`
        for (const body of [`{"ref":`, "[]", "7", `"text"`, '{"a":"\xff']) {
          isErrorBody(yield* ask("POST", refs, { body }), 400)
        }
        isErrorBody(yield* ask("POST", refs, { body: "<a/>", headers: { "content-type": "text/xml" } }), 415)
        const large = JSON.stringify({ ref: "refs/heads/x", sha: "a".repeat(11 * 1024 * 1024) })
        isErrorBody(yield* ask("POST", refs, { body: large }), 413)
        isErrorBody(yield* ask("POST", refs, { body: "{}", headers: { "content-length": "99999999" } }), 413)
      })
    )

    it.effect("accept other JSON media types, and an empty body for an empty object", () =>
      Effect.gen(function* () {
        const { ask, base } = yield* TestForge
        const refs = `${base}/hello/git/refs`
        for (const type of [
          "application/vnd.service+json",
          "application/json; charset=utf-8",
          "application/x-www-form-urlencoded"
        ]) {
          const answer = yield* ask("POST", refs, { body: {}, headers: { "content-type": type } })
          isErrorBody(answer, 422)
        }
        isErrorBody(yield* ask("POST", refs), 422)
      })
    )

    it.effect("name the invalid fields", () =>
      Effect.gen(function* () {
        const { ask, base, get } = yield* TestForge
        const missing = yield* ask("POST", `${base}/hello/git/refs`, { body: { ref: 7 } })
        isErrorBody(missing, 422)
        assert.deepStrictEqual(
          missing.json.errors.map(({ code, field, resource }: Record<string, string>) => [resource, field, code]),
          [
            ["gitRefs", "ref", "invalid"],
            ["gitRefs", "sha", "missing_field"]
          ]
        )
        const query = yield* get("/user/repos?visibility=hidden")
        isErrorBody(query, 422)
        assert.strictEqual(query.json.errors[0].field, "visibility")
        isErrorBody(yield* get(`${base}/hello/commits?since=yesterday`), 422)
      })
    )

    it.effect("require a User-Agent", () =>
      Effect.gen(function* () {
        const { get } = yield* TestForge
        for (const agent of ["", "  "]) isErrorBody(yield* get("/", { headers: { "user-agent": agent } }), 403)
      })
    )
  })

  describe("depend on the version", () => {
    const header = (version: string) => ({ headers: { "x-service-api-version": version } })

    it.effect("default to 2022-11-28, and errors name the version too", () =>
      Effect.gen(function* () {
        const { base, get } = yield* TestForge
        for (const old of [yield* get("/"), yield* get("/", header("2022-11-28")), yield* get("/", header(""))]) {
          assert.strictEqual(old.headers["x-service-api-version-selected"], "2022-11-28")
          assert.strictEqual(old.json.authorizations_url, "http://forge.localhost/authorizations")
        }
        const now = yield* get("/", header("2026-03-10"))
        assert.strictEqual(now.headers["x-service-api-version-selected"], "2026-03-10")
        assert.notProperty(now.json, "authorizations_url")
        const missing = yield* get(`${base}/nothing`, header("2026-03-10"))
        assert.strictEqual(missing.headers["x-service-api-version-selected"], "2026-03-10")
      })
    )

    it.effect("list a submodule as a file in the old version", () =>
      Effect.gen(function* () {
        const { base, get } = yield* TestForge
        const typeIn = (answer: Forge.Answer) =>
          answer.json.find(({ name }: { readonly name: string }) => name === "module").type
        assert.strictEqual(typeIn(yield* get(`${base}/hello/contents`)), "file")
        assert.strictEqual(typeIn(yield* get(`${base}/hello/contents`, header("2026-03-10"))), "submodule")
        const alone = yield* get(`${base}/hello/contents/module`)
        assert.strictEqual(alone.json.type, "submodule")
      })
    )

    it.effect("reject an unknown version and list the known ones", () =>
      Effect.gen(function* () {
        const { get } = yield* TestForge
        const answer = yield* get("/", header("2021-01-01"))
        isErrorBody(answer, 400)
        assert.include(answer.json.message, "2022-11-28")
        assert.include(answer.json.message, "2026-03-10")
      })
    )
  })

  describe("are conditional", () => {
    const since = (etag: string | undefined) => ({ headers: { "if-none-match": etag ?? "" } })

    it.effect("are 304 without a body for a matching ETag: weak, in lists, and `*`", () =>
      Effect.gen(function* () {
        const { ask, base, get } = yield* TestForge
        const path = `${base}/hello/branches`
        const { headers } = yield* get(path)
        const etag = headers["etag"] ?? ""
        assert.match(etag, /^W\/"[0-9a-f]+"$/)
        assert.strictEqual(headers["cache-control"], "private, max-age=60")
        assert.strictEqual(headers["vary"], "Accept, Authorization, Accept-Encoding")
        for (const given of [etag, etag.slice(2), `"other", ${etag}`, "*"]) {
          const answer = yield* get(path, since(given))
          assert.strictEqual(answer.status, 304, given)
          assert.strictEqual(answer.text, "")
          assert.strictEqual(answer.headers["etag"], etag)
        }
        for (const given of ['"other"', "", etag.toUpperCase()]) {
          assert.strictEqual((yield* get(path, since(given))).status, 200, given)
        }
        const head = yield* ask("HEAD", path, since(etag))
        assert.strictEqual(head.status, 304)
        assert.strictEqual((yield* ask("HEAD", path)).headers["etag"], etag)
      })
    )

    it.effect("have a different ETag for each token", () =>
      Effect.gen(function* () {
        const { base, get, token, user } = yield* TestForge
        const other = yield* token({ userId: yield* user({ login: "etag-reader" }), kind: "classic", scopes: ["repo"] })
        const path = `${base}/hello/branches`
        const mine = yield* get(path)
        const theirs = yield* get(path, { token: other })
        const nobodys = yield* get(path, { token: null })
        assert.strictEqual(mine.text, theirs.text)
        assert.strictEqual(new Set([mine, theirs, nobodys].map(({ headers }) => headers["etag"])).size, 3)
        assert.strictEqual((yield* get(path, { token: other, ...since(mine.headers["etag"]) })).status, 200)
      })
    )

    it.effect("have a new ETag after any move of a branch", () =>
      Effect.gen(function* () {
        const { base, get, repos } = yield* TestForge
        const path = `${base}/moving/git/ref/heads/main`
        const before = yield* get(path)
        const sha = commit(`${repos}/moving`, { "b.txt": "two\n" }, "second")
        const after = yield* get(path, since(before.headers["etag"]))
        assert.strictEqual(after.status, 200)
        assert.strictEqual(after.json.object.sha, sha)
        assert.notStrictEqual(after.headers["etag"], before.headers["etag"])
      })
    )

    it.effect("have `last-modified` if the resource has a date", () =>
      Effect.gen(function* () {
        const { base, get } = yield* TestForge
        const modified = (path: string) => Effect.map(get(path), ({ headers }) => headers["last-modified"])
        const pushed = "Tue, 14 Nov 2023 22:13:20 GMT"
        assert.strictEqual(yield* modified(`${base}/hello`), pushed)
        assert.strictEqual(yield* modified(`${base}/hello/commits/main`), pushed)
        const { sha } = (yield* get(`${base}/hello/commits/main`)).json
        assert.strictEqual(yield* modified(`${base}/hello/git/commits/${sha}`), pushed)
        assert.isUndefined(yield* modified(`${base}/hello/branches`))
        assert.isUndefined(yield* modified(`${base}/hello/git/ref/heads/main`))
        const status = (headers: Record<string, string>) =>
          Effect.map(get(`${base}/hello`, { headers }), (answer) => answer.status)
        const later = "Tue, 14 Nov 2023 22:13:21 GMT"
        const earlier = "Tue, 14 Nov 2023 22:13:19 GMT"
        assert.strictEqual(yield* status({ "if-modified-since": pushed }), 304)
        assert.strictEqual(yield* status({ "if-modified-since": later }), 304)
        assert.strictEqual(yield* status({ "if-modified-since": earlier }), 200)
        assert.strictEqual(yield* status({ "if-modified-since": "yesterday" }), 200)
        assert.strictEqual(yield* status({ "if-modified-since": later, "if-none-match": '"other"' }), 200)
      })
    )

    it.effect("have a new ETag when only the last page of the list changes", () =>
      Effect.gen(function* () {
        const { base, get, repos } = yield* TestForge
        const list = `${base}/hello/tags?per_page=1`
        const path = join(repos, "hello")
        git(path, ["tag", "v0.1"])
        git(path, ["tag", "v0.2"])
        const before = yield* get(list)
        git(path, ["tag", "v0.3"])
        const after = yield* get(list, since(before.headers["etag"]))
        assert.deepStrictEqual([after.status, after.text], [200, before.text])
        assert.notStrictEqual(after.headers["link"], before.headers["link"])
      })
    )

    it.effect("are unconditional for writes, and without an ETag for errors", () =>
      Effect.gen(function* () {
        const { ask, base, get } = yield* TestForge
        const made = yield* ask("POST", "/user/repos", { body: { name: "conditional" }, ...since("*") })
        assert.strictEqual(made.status, 201)
        assert.isUndefined(made.headers["etag"])
        assert.isUndefined((yield* get(`${base}/nothing`)).headers["etag"])
      })
    )
  })

  describe("have URLs of the caller's host and prefix", () => {
    it.effect("use the Host header, `/api/v3`, and https behind a proxy", () =>
      Effect.gen(function* () {
        const { base, get } = yield* TestForge
        const url = (answer: Forge.Answer) => answer.json.url
        const at = (path: string, headers: Record<string, string> = {}) => get(path, { headers })
        assert.strictEqual(url(yield* at("/user")), `http://forge.localhost/users/${base.slice(7)}`)
        assert.strictEqual(url(yield* at("/api/v3/user")), `http://forge.localhost/api/v3/users/${base.slice(7)}`)
        assert.strictEqual(
          url(yield* at("/user", { "x-forwarded-proto": "https" })),
          `https://forge.localhost/users/${base.slice(7)}`
        )
        const { link } = (yield* at(`/api/v3${base}/hello/branches?per_page=1`)).headers
        assert.include(link, `<http://forge.localhost/api/v3${base}/hello/branches?per_page=1&page=2>; rel="next"`)
        assert.strictEqual((yield* at("/api/v3")).status, 200)
        assert.strictEqual((yield* at("/api/v3/")).status, 200)
        assert.strictEqual((yield* at("/api/v33")).status, 404)
      })
    )
  })

  describe("in other media types", () => {
    const accept = (type: string) => ({ headers: { accept: type } })

    it.effect("have the raw bytes of a blob and a file", () =>
      Effect.gen(function* () {
        const { base, get } = yield* TestForge
        const file = yield* get(`${base}/hello/contents/src/a.ts`, accept("application/vnd.service.raw+json"))
        assert.strictEqual(file.text, "export const answer = 42\n")
        assert.match(file.headers["content-type"] ?? "", /^application\/vnd\.service\.raw/)
        assert.isDefined(file.headers["etag"])
        const { sha } = (yield* get(`${base}/hello/contents/src/a.ts`)).json
        const blob = yield* get(`${base}/hello/git/blobs/${sha}`, accept("application/vnd.service.raw"))
        assert.strictEqual(blob.text, "export const answer = 42\n")
        const plain = yield* get(`${base}/hello/git/blobs/${sha}`, accept("application/vnd.service+json"))
        assert.strictEqual(Buffer.from(plain.json.content, "base64").toString(), "export const answer = 42\n")
      })
    )

    it.effect("have the diff, patch and SHA of a commit", () =>
      Effect.gen(function* () {
        const { base, get, repos } = yield* TestForge
        const path = `${base}/hello/commits/main`
        const head = git(`${repos}/hello`, ["rev-parse", "main"])
        const sha = yield* get(path, accept("application/vnd.service.sha"))
        assert.strictEqual(sha.text, head)
        assert.match((yield* get(path, accept("application/vnd.service.diff"))).text, /^diff --git /)
        const patch = yield* get(path, accept("application/vnd.service+json, application/vnd.service.patch"))
        assert.match(patch.text, new RegExp(`^From ${head} `))
        assert.match(patch.headers["content-type"] ?? "", /^application\/vnd\.service\.patch/)
      })
    )

    it.effect("have the text matches of a search", () =>
      Effect.gen(function* () {
        const { base, get } = yield* TestForge
        const path = `/search/code?q=answer+repo:${base.slice(7)}/hello`
        assert.notProperty((yield* get(path)).json.items[0], "text_matches")
        const [item] = (yield* get(path, accept("application/vnd.service.text-match+json"))).json.items
        const [{ fragment, matches }] = item.text_matches
        const [{ indices, text }] = matches
        assert.strictEqual(fragment.slice(...indices), text)
        assert.strictEqual(text, "answer")
      })
    )
  })
})

layer(Forge.layer(repositories, { dialect: "github" }))("in the github dialect", (it) => {
  it.effect("names headers, media types and members in the dialect, below both prefixes", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      for (const prefix of ["", "/api/v3"]) {
        const user = yield* get(`${prefix}/user`, { headers: { "x-github-api-version": "2026-03-10" } })
        assert.strictEqual(user.status, 200)
        assert.strictEqual(user.headers["x-github-api-version-selected"], "2026-03-10")
        assert.property(user.json, "gravatar_id")
        assert.notProperty(user.json, "avatar_service_id")
        for (const name of [
          "application/vnd.github.raw+json",
          "application/vnd.github.v3.raw",
          "application/vnd.github.raw"
        ]) {
          const raw = yield* get(`${prefix}${base}/hello/contents/README.md`, { headers: { accept: name } })
          assert.strictEqual(raw.text, "# hello\n")
          assert.match(raw.headers["content-type"] ?? "", /^application\/vnd\.github\.raw/)
        }
      }
      const ignored = yield* get("/user", { headers: { "x-service-api-version": "nonsense" } })
      assert.strictEqual(ignored.status, 200)
      isErrorBody(yield* get("/user", { headers: { "x-github-api-version": "nonsense" } }), 400)
    })
  )

  it.effect("rejects paths, values and media types of the other dialect", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      assert.strictEqual((yield* get(`${base}/hello/copilot/cloud-agent/configuration`)).status, 200)
      isErrorBody(yield* get(`${base}/hello/assistant/cloud-agent/configuration`), 404)
      const raw = { accept: "application/vnd.service.raw+json" }
      const file = yield* get(`${base}/hello/contents/README.md`, { headers: raw })
      assert.strictEqual(file.json.type, "file")
    })
  )

  it.effect("does not rename text that equals a member name", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestForge
      const description = `{"avatar_service_id":1,"avatar_service_id" : 2}`
      const made = yield* ask("POST", "/user/repos", { body: { name: "quoting", description } })
      assert.strictEqual(made.json.description, description)
      assert.property(made.json.owner, "gravatar_id")
    })
  )
})

layer(Forge.layer((repos) => Forge.repository(repos, "hello")))("a forge with a defect", (it) => {
  it.effect("responds with a request id, and logs the details", () =>
    Effect.gen(function* () {
      const { base, get, repos } = yield* TestForge
      const sql = yield* SqlClient.SqlClient
      yield* sql`ALTER TABLE users RENAME TO elsewhere`
      const broken = yield* get("/users/anna")
      isErrorBody(broken, 500)
      assert.include(broken.json.message, broken.headers["x-request-id"])
      for (const inside of ["sql", "SQL", "users", "no such", "node_modules", ".ts", "at "])
        assert.notInclude(broken.text, inside)
      yield* sql`ALTER TABLE elsewhere RENAME TO users`
      assert.strictEqual((yield* get(`${base}/hello`)).status, 200)

      const object = git(join(repos, "hello"), ["rev-parse", "main:a.txt"])
      const file = join(repos, "hello/.git/objects", object.slice(0, 2), object.slice(2))
      chmodSync(file, 0o600)
      writeFileSync(file, "garbage")
      const damaged = yield* get(`${base}/hello/git/blobs/${object}`)
      assert.isAtLeast(damaged.status, 400)
      isErrorBody(damaged, damaged.status)
      assert.notInclude(damaged.text, repos)
    }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
  )

  it.effect("reports a deleted repository as not found, and serves the others", () =>
    Effect.gen(function* () {
      const { base, get, repos } = yield* TestForge
      rmSync(join(repos, "hello"), { recursive: true })
      isErrorBody(yield* get(`${base}/hello/git/ref/heads/main`), 404)
      isErrorBody(yield* get(`${base}/hello/branches`), 404)
      isErrorBody(yield* get(`${base}/hello`), 404)
      assert.deepStrictEqual((yield* get("/user/repos")).json, [])
      assert.strictEqual((yield* get("/search/code?q=one")).status, 200)
    })
  )
})
