import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { TestClock } from "effect/testing"
import * as Zip from "./Zip.test-support.ts"
import * as Support from "../../main/Forge.test-support.ts"
import * as Fixtures from "../../main/Fixtures.ts"
import { App } from "../../http/App.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => {
  Support.repository(repos, "hello")
  mkdirSync(join(repos, "out", "sub"), { recursive: true })
  writeFileSync(join(repos, "out", "a.txt"), "one\n")
  writeFileSync(join(repos, "out", "sub", "b.txt"), "two\n".repeat(1000))
  symlinkSync("/etc/hostname", join(repos, "out", "link"))
})

/** Far after the start of the test clock in 1970. */
const NEVER = "2099-01-01T00:00:00Z"

const fill = Effect.fnUntraced(function* (more: ReadonlyArray<object> = []) {
  const { owner, repos } = yield* TestForge
  const file = join(repos, "fixtures.json")
  const artifact = { repository: `${owner}/hello`, name: "out", file: "out" }
  const content = {
    users: [{ login: "reader" }],
    tokens: [
      { token: "reader", user: "reader", scopes: ["repo"] },
      { token: "public", user: owner, scopes: ["public_repo"] },
      { token: "fine", user: owner, kind: "fine_grained", permissions: { actions: "read" } }
    ],
    artifacts: [
      { ...artifact, workflow_run: { id: 7, head_branch: "main", head_sha: "a".repeat(40) } },
      {
        ...artifact,
        name: "one file",
        file: "out/a.txt",
        workflow_run: { id: 7 },
        created_at: "1969-01-01T00:00:00Z",
        expires_at: NEVER
      },
      { ...artifact, name: "old", workflow_run: { id: 8 }, expires_at: "1969-12-31T23:59:59Z" },
      ...more
    ]
  }
  writeFileSync(file, JSON.stringify(content))
  yield* Fixtures.load(file)
})

/** Names of listed artifacts, in order. */
const listed = Effect.fnUntraced(function* (query: string, token?: string | null) {
  const { base, get } = yield* TestForge
  const { json } = yield* get(`${base}/hello/actions/${query}`, token === undefined ? {} : { token })
  assert.strictEqual(json.artifacts.length <= json.total_count, true)
  return json.artifacts.map(({ name }: { name: string }) => name)
})

const named = Effect.fnUntraced(function* (name: string) {
  const { base, get } = yield* TestForge
  const { json } = yield* get(`${base}/hello/actions/artifacts?name=${encodeURIComponent(name)}`)
  return json.artifacts[0]
})

/** Requests the archive at a signed URL without a token. */
const fetchSigned = Effect.fnUntraced(function* (url: string, method = "GET", headers: Record<string, string> = {}) {
  const app = yield* App
  const response = yield* app.handle(HttpServerRequest.fromWeb(new Request(url, { method, headers })))
  const body = new Uint8Array(yield* Effect.promise(() => HttpServerResponse.toWeb(response).arrayBuffer()))
  return { status: response.status, headers: response.headers, body }
})

const locate = Effect.fnUntraced(function* (name: string, token?: string) {
  const { get } = yield* TestForge
  const { archive_download_url } = yield* named(name)
  const { pathname } = new URL(archive_download_url)
  const answer = yield* get(pathname, token === undefined ? {} : { token })
  assert.deepStrictEqual([answer.status, answer.text], [302, ""])
  return answer.headers["location"] ?? ""
})

layer(forge)("artifacts", (it) => {
  it.effect("are valid zip files with correct size and digest", () =>
    Effect.gen(function* () {
      yield* fill()
      const { base, get, owner, repos } = yield* TestForge
      const { id, node_id, ...artifact } = yield* named("out")
      const archive = join(repos, "..", "data", "artifacts", `${artifact.digest.slice(7)}.zip`)
      const url = `http://forge.localhost/repos/${owner}/hello/actions/artifacts/${id}`
      assert.isString(node_id)
      assert.deepStrictEqual(artifact, {
        name: "out",
        size_in_bytes: statSync(archive).size,
        url,
        archive_download_url: `${url}/zip`,
        expired: false,
        created_at: "1970-01-01T00:00:00Z",
        expires_at: "1970-04-01T00:00:00Z",
        updated_at: "1970-01-01T00:00:00Z",
        digest: artifact.digest,
        workflow_run: {
          id: 7,
          repository_id: 1,
          head_repository_id: 1,
          head_branch: "main",
          head_sha: "a".repeat(40)
        }
      })
      assert.strictEqual(statSync(archive).mode & 0o777, 0o600)
      const { json } = yield* get(`${base}/hello/actions/artifacts/${id}`, { token: null })
      assert.deepStrictEqual(json, { id, node_id, ...artifact })
    })
  )

  it.effect("are listed by name and run, newest first by default", () =>
    Effect.gen(function* () {
      yield* fill()
      yield* fill() // replaces the artifact with the same name and run
      const { base, get } = yield* TestForge
      assert.deepStrictEqual(yield* listed("artifacts", null), ["old", "out", "one file"])
      assert.deepStrictEqual(yield* listed("artifacts?name=one%20file"), ["one file"])
      assert.deepStrictEqual(yield* listed("artifacts?name=none"), [])
      assert.deepStrictEqual(yield* listed("runs/7/artifacts"), ["out", "one file"])
      assert.deepStrictEqual(yield* listed("runs/7/artifacts?direction=asc"), ["one file", "out"])
      assert.deepStrictEqual(yield* listed("runs/7/artifacts?name=out"), ["out"])
      assert.deepStrictEqual(yield* listed("runs/9/artifacts"), [])
      assert.strictEqual((yield* get(`${base}/hello/actions/runs/7/artifacts?direction=up`)).status, 422)
      const page = yield* get(`${base}/hello/actions/artifacts?per_page=1&page=2`)
      assert.deepStrictEqual([page.json.total_count, page.json.artifacts[0].name], [3, "out"])
      assert.match(page.headers["link"] ?? "", /page=3>; rel="next"/)
    })
  )

  it.effect("are downloaded from a signed URL without a token", () =>
    Effect.gen(function* () {
      yield* fill()
      const url = yield* locate("out")
      const { body, headers, status } = yield* fetchSigned(url)
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(Zip.contents(body), { "a.txt": "one\n", "sub/b.txt": "two\n".repeat(1000) })
      const { etag = "" } = headers
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
        assert.strictEqual((yield* fetchSigned(url, "GET", { "if-none-match": known })).status, 304, known)
      }
      const { digest, size_in_bytes } = yield* named("out")
      assert.strictEqual(`sha256:${createHash("sha256").update(body).digest("hex")}`, digest)
      assert.deepStrictEqual(
        [headers["content-type"], headers["content-length"], headers["content-disposition"], headers["accept-ranges"]],
        ["application/zip", String(size_in_bytes), `attachment; filename="out.zip"; filename*=UTF-8''out.zip`, "bytes"]
      )
      const head = yield* fetchSigned(url, "HEAD")
      assert.deepStrictEqual(
        [head.status, head.headers["content-length"], head.body.length],
        [200, String(size_in_bytes), 0]
      )
      assert.deepStrictEqual(Zip.contents((yield* fetchSigned(yield* locate("one file"))).body), { "a.txt": "one\n" })
    })
  )

  it.effect("are downloaded in parts", () =>
    Effect.gen(function* () {
      yield* fill()
      const url = yield* locate("out")
      const whole = yield* fetchSigned(url)
      const size = whole.body.length
      const part = (range: string, more: Record<string, string> = {}) => fetchSigned(url, "GET", { range, ...more })
      const middle = yield* part("bytes=10-19")
      assert.deepStrictEqual(
        [middle.status, middle.headers["content-range"], middle.headers["content-length"]],
        [206, `bytes 10-19/${size}`, "10"]
      )
      assert.deepStrictEqual(middle.body, whole.body.slice(10, 20))
      assert.deepStrictEqual((yield* part("bytes=-5")).body, whole.body.slice(-5))
      const beyond = yield* part(`bytes=${size}-`)
      assert.deepStrictEqual([beyond.status, beyond.headers["content-range"]], [416, `bytes */${size}`])
      const etag = whole.headers["etag"] ?? ""
      assert.strictEqual((yield* part("bytes=0-1", { "if-range": etag })).status, 206)
      assert.strictEqual((yield* part("bytes=0-1", { "if-range": '"another"' })).status, 200)
    })
  )

  it.effect("reject a URL with a wrong signature or older than one minute", () =>
    Effect.gen(function* () {
      yield* fill()
      const url = yield* locate("out")
      const other = yield* named("one file")
      const forged = [
        url.replace(/signature=../, (text) => (text.endsWith("00") ? "signature=11" : "signature=00")),
        url.replace(/signature=.*/, ""),
        url.replace(/\?.*/, ""),
        `${url}0`,
        url.replace(/expires=\d+/, "expires=9999999999999"),
        url.replace(/\/\d+\/out/, `/${other.id}/out`),
        url.replace("out.zip", "other.zip")
      ]
      for (const one of forged) {
        const { body, status } = yield* fetchSigned(one)
        assert.strictEqual(status, 403, one)
        assert.strictEqual(JSON.parse(Buffer.from(body).toString()).status, "403")
      }
      assert.strictEqual((yield* fetchSigned(url, "POST")).status, 405)
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual((yield* fetchSigned(url)).status, 200)
      yield* TestClock.adjust("1 second")
      const late = yield* fetchSigned(url)
      assert.strictEqual(late.status, 403)
      assert.match(JSON.parse(Buffer.from(late.body).toString()).message, /has expired/)
    })
  )

  it.effect("reject a URL that was signed while the clock was ahead", () =>
    Effect.gen(function* () {
      yield* fill()
      const now = yield* Clock.currentTimeMillis
      yield* TestClock.adjust("5 minutes")
      const url = yield* locate("out")
      assert.strictEqual((yield* fetchSigned(url)).status, 200)
      yield* TestClock.setTime(now)
      const early = yield* fetchSigned(url)
      assert.strictEqual(early.status, 403)
      assert.match(JSON.parse(Buffer.from(early.body).toString()).message, /in the future/)
      // A clock change of a few seconds is tolerated.
      const fresh = yield* locate("out")
      yield* TestClock.setTime(now - 3_000)
      assert.strictEqual((yield* fetchSigned(fresh)).status, 200)
      yield* TestClock.setTime(now + 300_000)
    })
  )

  it.effect("cannot be downloaded after expiry, and stay listed", () =>
    Effect.gen(function* () {
      yield* fill()
      const { base, get } = yield* TestForge
      const { expired, id } = yield* named("old")
      assert.isTrue(expired)
      const gone = yield* get(`${base}/hello/actions/artifacts/${id}/zip`)
      assert.deepStrictEqual([gone.status, gone.json.message], [410, "Artifact has expired"])
    })
  )

  it.effect("require the permissions to download and delete", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, base, get } = yield* TestForge
      const { id } = yield* named("out")
      const path = `${base}/hello/actions/artifacts/${id}`
      const zip = (token: string | null) => get(`${path}/zip`, { token })
      assert.strictEqual((yield* zip(null)).status, 401)
      const narrow = yield* zip("public")
      assert.deepStrictEqual([narrow.status, narrow.headers["x-accepted-oauth-scopes"]], [403, "repo"])
      assert.strictEqual((yield* zip("reader")).status, 302)
      assert.strictEqual((yield* zip("fine")).status, 302)
      const remove = (token: string | null) => Effect.map(ask("DELETE", path, { token }), ({ status }) => status)
      assert.strictEqual(yield* remove(null), 401)
      assert.strictEqual(yield* remove("reader"), 403)
      assert.strictEqual(yield* remove("public"), 403)
      assert.strictEqual(yield* remove("fine"), 403)
    })
  )

  it.effect("remove their archive on deletion, unless another artifact uses it", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, base, get, repos } = yield* TestForge
      const folder = join(repos, "..", "data", "artifacts")
      const has = (digest: string) => readdirSync(folder).includes(`${digest.slice(7)}.zip`)
      const url = yield* locate("out")
      const [one, same] = [yield* named("out"), yield* named("old")]
      assert.strictEqual(one.digest, same.digest)
      const path = (artifact: { id: number }) => `${base}/hello/actions/artifacts/${artifact.id}`
      assert.strictEqual((yield* ask("DELETE", path(one))).status, 204)
      assert.strictEqual((yield* ask("DELETE", path(one))).status, 404)
      assert.strictEqual((yield* get(`${path(one)}/zip`)).status, 404)
      assert.strictEqual((yield* fetchSigned(url)).status, 404)
      assert.isTrue(has(one.digest))
      assert.strictEqual((yield* ask("DELETE", path(same))).status, 204)
      assert.isFalse(has(one.digest))
      assert.isTrue(readdirSync(folder).every((name) => /^[0-9a-f]{64}\.zip$/.test(name)))
    })
  )

  it.effect("remove archives when all artifacts that use them have expired", () =>
    Effect.gen(function* () {
      const { owner, repos } = yield* TestForge
      const expires_at = "1970-01-01T00:00:00Z"
      yield* fill([{ repository: `${owner}/hello`, name: "spent", file: "out/sub", expires_at }])
      const folder = join(repos, "..", "data", "artifacts")
      const has = (digest: string) => readdirSync(folder).includes(`${digest.slice(7)}.zip`)
      const [unreferencedDigests, shared] = [yield* named("spent"), yield* named("old")]
      assert.isTrue(has(unreferencedDigests.digest))
      yield* TestClock.adjust("1 hour")
      while (has(unreferencedDigests.digest)) yield* Effect.promise(() => new Promise(setImmediate))
      assert.isTrue(has(shared.digest))
      assert.strictEqual((yield* named("spent")).id, unreferencedDigests.id)
    })
  )

  it.effect("are not found if missing, and reject formats other than zip", () =>
    Effect.gen(function* () {
      yield* fill()
      const { base, get } = yield* TestForge
      const { id } = yield* named("out")
      const status = (path: string) => Effect.map(get(`${base}/hello/actions/${path}`), (answer) => answer.status)
      assert.strictEqual(yield* status("artifacts/999"), 404)
      assert.strictEqual(yield* status("artifacts/x"), 404)
      assert.strictEqual(yield* status("artifacts/999/zip"), 404)
      assert.strictEqual(yield* status("runs/x/artifacts"), 404)
      assert.strictEqual(yield* status(`artifacts/${id}/tar.gz`), 422)
    })
  )

  it.effect("store a zip file unchanged, and reject an invalid one", () =>
    Effect.gen(function* () {
      yield* fill()
      const { owner, repos } = yield* TestForge
      const { body } = yield* fetchSigned(yield* locate("out"))
      writeFileSync(join(repos, "given.zip"), body)
      writeFileSync(join(repos, "broken.zip"), "not a zip file")
      const artifact = { repository: `${owner}/hello`, name: "given", file: "given.zip" }
      yield* fill([artifact])
      assert.strictEqual((yield* named("given")).digest, (yield* named("out")).digest)
      assert.isNull((yield* named("given")).workflow_run)
      const wrong = (row: object) => Effect.map(Effect.flip(fill([{ ...artifact, ...row }])), ({ message }) => message)
      assert.match(yield* wrong({ file: "broken.zip" }), /^artifacts\[3\]\.file: .*not a zip file/)
      assert.match(yield* wrong({ file: "missing" }), /^artifacts\[3\]\.file: no such file: /)
      assert.match(yield* wrong({ name: "a/b" }), /^artifacts\[3\]\.name: invalid artifact name "a\/b"/)
      assert.match(yield* wrong({ expires_at: "2026-13-01T00:00:00Z" }), /^artifacts\[3\]\.expires_at: /)
      assert.isTrue(readdirSync(join(repos, "..", "data", "artifacts")).every((name) => name.endsWith(".zip")))
    })
  )

  it.effect("expire after the retention time of the organization", () =>
    Effect.gen(function* () {
      const { ask, get, owner, repos } = yield* TestForge
      const file = join(repos, "organization.json")
      const content = (more: object) =>
        writeFileSync(
          file,
          JSON.stringify({
            organizations: [{ login: "acme", members: [{ login: owner, role: "owner" }] }],
            repositories: [{ full_name: "acme/tool" }],
            ...more
          })
        )
      content({})
      yield* Fixtures.load(file)
      const path = "/orgs/acme/actions/permissions/artifact-and-log-retention"
      assert.strictEqual((yield* ask("PUT", path, { body: { days: 2 } })).status, 204)
      content({
        artifacts: [{ repository: "acme/tool", name: "out", file: "out/a.txt", created_at: "2000-01-01T00:00:00Z" }]
      })
      yield* Fixtures.load(file)
      const { json } = yield* get("/repos/acme/tool/actions/artifacts")
      assert.strictEqual(json.artifacts[0].expires_at, "2000-01-03T00:00:00Z")
    })
  )
})
