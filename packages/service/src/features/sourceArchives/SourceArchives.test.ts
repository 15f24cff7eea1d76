import { execFileSync } from "node:child_process"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { TestClock } from "effect/testing"
import * as Zip from "../artifacts/Zip.test-support.ts"
import { git } from "../../git/Fixture.test-support.ts"
import { App } from "../../http/App.ts"
import * as Support from "../../main/Forge.test-support.ts"
import { RepositoryRows } from "../../repositories/RepositoryRows.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => {
  const path = Support.repository(repos, "hello")
  git(path, ["branch", "feature/a"])
  git(path, ["tag", "v1.0"])
  Support.repository(repos, "secret")
})

/** Requests the URL of a redirect, without a token. */
const download = Effect.fnUntraced(function* (url: string, method = "GET", headers: Record<string, string> = {}) {
  const app = yield* App
  const response = yield* app.handle(HttpServerRequest.fromWeb(new Request(url, { method, headers })))
  const body = Buffer.from(yield* Effect.promise(() => HttpServerResponse.toWeb(response).arrayBuffer()))
  return { status: response.status, headers: response.headers, body }
})

const locate = Effect.fnUntraced(function* (path: string, options?: Support.Ask) {
  const { get } = yield* TestForge
  const answer = yield* get(path, options)
  assert.deepStrictEqual([answer.status, answer.text], [302, ""], path)
  return answer.headers["location"] ?? ""
})

layer(forge)("archives", (it) => {
  it.effect("are those of a branch, a tag, a commit or the default branch", () =>
    Effect.gen(function* () {
      const { base, get, owner, repos } = yield* TestForge
      const oid = git(`${repos}/hello`, ["rev-parse", "HEAD"])
      const folder = `${owner}-hello-${oid.slice(0, 7)}`
      for (const ref of ["", "/", "/main", "/feature/a", "/feature%2Fa", "/refs/tags/v1.0", "/v1.0", `/${oid}`]) {
        const url = yield* locate(`${base}/hello/zipball${ref}`, { token: null })
        const { body, headers, status } = yield* download(url)
        assert.strictEqual(status, 200, ref)
        assert.sameMembers(Object.keys(Zip.contents(body)), [`${folder}/`, `${folder}/a.txt`], ref)
        assert.strictEqual(headers["content-disposition"], `attachment; filename=${folder}.zip`)
        assert.strictEqual(headers["content-type"], "application/zip")
      }
      const { body, headers } = yield* download(yield* locate(`${base}/hello/tarball/main`))
      const listed = execFileSync("tar", ["-tz"], { input: body }).toString()
      assert.deepStrictEqual(listed.trim().split("\n"), [`${folder}/`, `${folder}/a.txt`])
      assert.strictEqual(headers["content-disposition"], `attachment; filename=${folder}.tar.gz`)
      assert.strictEqual(headers["content-type"], "application/x-gzip")
      for (const wrong of ["none", "main..v1.0", "main:a.txt", "--output=x", "HEAD~1"]) {
        assert.strictEqual((yield* get(`${base}/hello/tarball/${wrong}`)).status, 404, wrong)
      }
    })
  )

  it.effect("answer conditional and HEAD requests", () =>
    Effect.gen(function* () {
      const { base, repos } = yield* TestForge
      const url = yield* locate(`${base}/hello/tarball`)
      const head = yield* download(url, "HEAD")
      const oid = git(`${repos}/hello`, ["rev-parse", "HEAD"])
      assert.deepStrictEqual([head.status, head.body.length, head.headers["etag"]], [200, 0, `W/"${oid}.tar.gz"`])
      const same = yield* download(url, "GET", { "if-none-match": `W/"${oid}.tar.gz"` })
      assert.deepStrictEqual([same.status, same.body.length], [304, 0])
      assert.strictEqual((yield* download(url, "GET", { "if-none-match": `W/"${oid}.zip"` })).status, 200)
      assert.strictEqual((yield* download(url, "POST")).status, 405)
    })
  )

  it.effect("have a URL that is valid for one minute and cannot be changed", () =>
    Effect.gen(function* () {
      const { base } = yield* TestForge
      const url = yield* locate(`${base}/hello/tarball`)
      for (const changed of [
        url.replace("/hello/", "/secret/"),
        url.replace(".tar.gz?", ".zip?"),
        url.replace(/signature=\w+/, "signature=00"),
        url.replace(/\?.*/, "")
      ]) {
        assert.strictEqual((yield* download(changed)).status, 403, changed)
      }
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual((yield* download(url)).status, 200)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* download(url)).status, 403)
    })
  )

  it.effect("of a private repository need a token that can read its files", () =>
    Effect.gen(function* () {
      const { base, get, owner, token } = yield* TestForge
      const rows = yield* RepositoryRows
      const { json } = yield* get(`${base}/secret`)
      yield* Effect.orDie(rows.update(json.id, { private: true }))
      const weak = yield* token({ userId: json.owner.id, kind: "fine_grained", permissions: { metadata: "read" } })
      const able = yield* token({ userId: json.owner.id, kind: "fine_grained", permissions: { contents: "read" } })
      for (const path of [`${base}/secret/zipball/main`, `/${owner}/secret/archive/main.zip`]) {
        assert.strictEqual((yield* get(path, { token: null })).status, 404, path)
        assert.strictEqual((yield* get(path, { token: weak })).status, 403, path)
        assert.strictEqual((yield* download(yield* locate(path, { token: able }))).status, 200, path)
      }
    })
  )

  it.effect("have web addresses, with the names of the web", () =>
    Effect.gen(function* () {
      const { get, owner } = yield* TestForge
      for (const [path, name] of [
        ["archive/refs/heads/main.zip", "hello-main"],
        ["archive/refs/heads/feature/a.zip", "hello-feature-a"],
        ["archive/v1.0.zip", "hello-1.0"]
      ] as const) {
        const { body, headers } = yield* download(yield* locate(`/${owner}/hello/${path}`, { token: null }))
        assert.sameMembers(Object.keys(Zip.contents(body)), [`${name}/`, `${name}/a.txt`])
        assert.strictEqual(headers["content-disposition"], `attachment; filename=${name}.zip`)
      }
      const missing = yield* get(`/${owner}/hello/archive/none.zip`, { token: null })
      assert.deepStrictEqual([missing.status, missing.json.message], [404, "Not Found"])
    })
  )
})
