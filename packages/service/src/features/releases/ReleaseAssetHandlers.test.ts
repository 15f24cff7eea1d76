import { createHash } from "node:crypto"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { App } from "../../http/App.ts"
import * as Support from "../../main/Forge.test-support.ts"
import { RepositoryRows } from "../../repositories/RepositoryRows.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => {
  for (const name of ["hello", "hidden", "gone"]) Support.repository(repos, name)
})

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex")

const prepare = Effect.fnUntraced(function* (tag: string, repo = "hello") {
  const { ask, base, get, repos, token, user } = yield* TestForge
  const { json: release } = yield* ask("POST", `${base}/${repo}/releases`, { body: { tag_name: tag } })
  const path = new URL(release.assets_url).pathname
  const upload = (query: string, body: string, headers: Readonly<Record<string, string>> = {}, prefix = "") =>
    ask("POST", `${prefix}${path}?${query}`, {
      body,
      headers: { "content-type": "text/html", "content-length": String(Buffer.byteLength(body)), ...headers }
    })
  const folder = join(repos, "..", "data", "release-assets")
  const files = () => (existsSync(folder) ? readdirSync(folder).toSorted() : [])
  const reader = yield* token({ userId: yield* user({ login: "reader" }), kind: "classic", scopes: ["repo"] })
  return { ask, base, files, get, path, reader, release, upload }
})

/** Follows a redirect without a token. */
const follow = Effect.fnUntraced(function* (
  { headers, status }: Support.Answer,
  more: Readonly<Record<string, string>> = {}
) {
  assert.strictEqual(status, 302)
  const { ask } = yield* TestForge
  const { pathname, search } = new URL(headers["location"] ?? "")
  return yield* ask("GET", pathname + search, { token: null, headers: more })
})

layer(forge)("assets of releases", (it) => {
  it.effect("are uploaded, listed, downloaded, renamed and deleted", () =>
    Effect.gen(function* () {
      const { ask, base, files, get, path, release, upload } = yield* prepare("v1")
      const made = yield* upload("name=my+notes.html&label=Notes", "<b>one</b>")
      assert.strictEqual(made.status, 201)
      const { json: asset } = made
      assert.deepInclude(asset, {
        name: "my.notes.html",
        label: "Notes",
        state: "uploaded",
        content_type: "text/html",
        size: 10,
        digest: `sha256:${digestOf("<b>one</b>")}`,
        download_count: 0,
        browser_download_url: "http://forge.localhost/keeper/hello/releases/download/v1/my.notes.html"
      })
      assert.strictEqual(asset.uploader.login, "keeper")
      assert.deepStrictEqual((yield* get(path)).json, [asset])
      assert.deepStrictEqual((yield* get(new URL(release.url).pathname)).json.assets, [asset])
      const own = new URL(asset.url).pathname
      assert.deepStrictEqual((yield* get(own)).json, asset)

      const octets = { accept: "application/octet-stream" }
      const whole = yield* follow(yield* get(own, { headers: octets }))
      assert.deepStrictEqual([whole.status, whole.text], [200, "<b>one</b>"])
      assert.strictEqual(whole.headers["content-type"], "application/octet-stream")
      assert.strictEqual(whole.headers["x-content-type-options"], "nosniff")
      assert.match(whole.headers["content-disposition"] ?? "", /^attachment; filename="my.notes.html"/)
      // Some clients refuse redirects to other paths than those of the API.
      const below = yield* get(`/api/v3${own}`, { headers: octets })
      assert.match(below.headers["location"] ?? "", /^http:\/\/forge\.localhost\/api\/v3\//)
      assert.strictEqual((yield* follow(below)).status, 200)
      const part = yield* follow(yield* get(own, { headers: octets }), {
        range: "bytes=3-",
        "if-range": whole.headers["etag"] ?? ""
      })
      assert.deepStrictEqual([part.status, part.text], [206, "one</b>"])
      assert.strictEqual(part.headers["content-range"], "bytes 3-9/10")
      for (const page of ["download/v1", "latest/download"]) {
        const answer = yield* get(`/keeper/hello/releases/${page}/my.notes.html`, { token: null })
        assert.strictEqual((yield* follow(answer)).text, "<b>one</b>", page)
      }
      assert.strictEqual((yield* get("/keeper/hello/releases/download/v1/other", { token: null })).status, 404)
      assert.strictEqual((yield* get(own)).json.download_count, 4)

      const renamed = yield* ask("PATCH", own, { body: { name: "notes.html" } })
      assert.deepStrictEqual([renamed.json.name, renamed.json.label], ["notes.html", "Notes"])
      // The address for uploads on self-hosted forges, which some clients know.
      const copy = yield* upload("name=copy", "<b>one</b>", {}, "/api/uploads")
      assert.include(copy.json.url, "/api/v3/")
      assert.deepStrictEqual(files(), [digestOf("<b>one</b>")])
      assert.strictEqual((yield* ask("PATCH", own, { body: { name: "copy" } })).status, 422)
      assert.strictEqual((yield* ask("DELETE", own)).status, 204)
      assert.strictEqual((yield* get(own)).status, 404)
      assert.deepStrictEqual(files(), [digestOf("<b>one</b>")])
      assert.strictEqual((yield* ask("DELETE", new URL(copy.json.url).pathname)).status, 204)
      assert.deepStrictEqual(files(), [])
      yield* upload("name=last", "last")
      assert.strictEqual((yield* ask("DELETE", `${base}/hello/releases/${release.id}`)).status, 204)
      assert.deepStrictEqual(files(), [])
    })
  )

  it.effect("are refused without leaving a file", () =>
    Effect.gen(function* () {
      const { ask, files, path, reader, upload } = yield* prepare("v2")
      const taken = yield* upload("name=a.txt", "a")
      const problem = ({ json, status }: Support.Answer) => [status, json.errors?.[0]?.field, json.errors?.[0]?.code]
      assert.deepStrictEqual(problem(yield* upload("name=a.txt", "b")), [422, "name", "already_exists"])
      assert.deepStrictEqual(problem(yield* upload("name=.", "b")), [422, "name", "missing_field"])
      assert.strictEqual((yield* upload("", "b")).status, 422)
      assert.strictEqual((yield* upload("name=b", "b", { "content-length": "2" })).status, 400)
      assert.match((yield* upload("name=b", "bbb", { "content-length": "2" })).json.message, /more than 2 bytes/)
      assert.strictEqual((yield* upload("name=b", "b", { "content-length": "x" })).status, 400)
      const size = String(2 * 1024 ** 3 + 1)
      assert.deepStrictEqual(problem(yield* upload("name=b", "b", { "content-length": size })), [422, "size", "custom"])
      for (const [token, status] of [
        [reader, 403],
        [null, 401]
      ] as const)
        assert.strictEqual((yield* ask("POST", `${path}?name=b`, { body: "b", token })).status, status)
      assert.deepStrictEqual(files(), [digestOf("a")])
      yield* ask("DELETE", new URL(taken.json.url).pathname)
    })
  )

  it.effect("leave nothing of an upload that breaks off", () =>
    Effect.gen(function* () {
      const { files, get, path } = yield* prepare("v3")
      const app = yield* App
      const owner = yield* get("/user")
      assert.strictEqual(owner.status, 200)
      const broken = new ReadableStream({
        pull: (controller) => {
          controller.enqueue(new TextEncoder().encode("half"))
          controller.error(new Error("gone"))
        }
      })
      const { token } = yield* TestForge
      const { id } = owner.json
      const secret = yield* token({ userId: id, kind: "classic", scopes: ["repo"] })
      const request = new Request(`http://forge.localhost${path}?name=half`, {
        method: "POST",
        headers: { "user-agent": "test", authorization: `Bearer ${secret}`, "content-length": "100" },
        body: broken,
        duplex: "half"
      })
      const response = yield* app.handle(HttpServerRequest.fromWeb(request))
      assert.strictEqual(response.status, 400)
      assert.deepStrictEqual(files(), [])
      assert.deepStrictEqual((yield* get(path)).json, [])
    })
  )

  it.effect("of private repositories are downloaded with a token only", () =>
    Effect.gen(function* () {
      const { get, reader, upload } = yield* prepare("v1", "hidden")
      assert.strictEqual((yield* upload("name=a.txt", "secret")).status, 201)
      const rows = yield* RepositoryRows
      const { json } = yield* get("/repos/keeper/hidden")
      yield* Effect.orDie(rows.update(json.id, { private: true }))
      const page = "/keeper/hidden/releases/download/v1/a.txt"
      for (const token of [reader, null]) assert.strictEqual((yield* get(page, { token })).status, 404)
      assert.strictEqual((yield* follow(yield* get(page))).text, "secret")
    })
  )

  it.effect("are deleted with the repository", () =>
    Effect.gen(function* () {
      const { ask, files, upload } = yield* prepare("v1", "gone")
      yield* upload("name=a.txt", "only here")
      assert.include(files(), digestOf("only here"))
      assert.strictEqual((yield* ask("DELETE", "/repos/keeper/gone")).status, 204)
      assert.notInclude(files(), digestOf("only here"))
    })
  )
})
