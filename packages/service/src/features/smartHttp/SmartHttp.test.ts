import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commit, git } from "../../git/Fixture.test-support.ts"
import * as Forge from "../../main/Forge.test-support.ts"
import { RepositoryRows } from "../../repositories/RepositoryRows.ts"

const UPLOAD_PACK = "info/refs?service=git-upload-pack"

/** Everything in a repository that could make git run a program or hide something. */
const prepareHostile = (repos: string) => {
  const path = Forge.repository(repos, "hostile")
  const marker = join(repos, "marker")
  const program = join(repos, "program.sh")
  writeFileSync(program, `#!/bin/sh\ntouch '${marker}'\nexec "$@"\n`, { mode: 0o755 })
  const config: ReadonlyArray<readonly [string, string]> = [
    ["uploadpack.packObjectsHook", program],
    ["core.fsmonitor", program],
    ["core.hooksPath", join(path, "hooks")],
    ["uploadpack.hideRefs", "refs/heads/main"],
    ["transfer.hideRefs", "refs"],
    ["uploadpack.allowFilter", "false"],
    ["remote.origin.url", `ext::${program} %S`],
    ["remote.origin.promisor", "true"],
    ["remote.origin.uploadpack", program],
    ["protocol.ext.allow", "always"]
  ]
  for (const [name, value] of config) git(path, ["config", name, value])
  mkdirSync(join(path, "hooks"))
  for (const hook of ["post-upload-pack", "pre-receive"])
    writeFileSync(join(path, "hooks", hook), `#!/bin/sh\ntouch '${marker}'\n`, { mode: 0o755 })
  return { path, marker }
}

const prepare = (repos: string) => {
  Forge.repository(repos, "app")
  Forge.repository(repos, "secret")
  prepareHostile(repos)
  git(repos, ["init", "--quiet", "--bare", "--initial-branch=trunk", join(repos, "empty.git")])
  const detached = Forge.repository(repos, "detached")
  const first = git(detached, ["rev-parse", "HEAD"])
  commit(detached, {}, "second")
  git(detached, ["checkout", "--quiet", "--detach", first])
}

layer(Forge.layer(prepare), { timeout: 60_000 })("git over HTTP", (it) => {
  const hide = Effect.gen(function* () {
    const rows = yield* RepositoryRows
    const row = (yield* rows.list).find(({ name }) => name === "secret")
    if (row !== undefined) yield* Effect.orDie(rows.update(row.id, { private: true }))
  })

  it.effect("advertises the references with the first packet of the protocol, and capabilities for version 2", () =>
    Effect.gen(function* () {
      const { get, owner } = yield* Forge.TestForge
      const zero = yield* get(`/${owner}/app.git/${UPLOAD_PACK}`, { token: null })
      assert.strictEqual(zero.status, 200)
      assert.strictEqual(zero.headers["content-type"], "application/x-git-upload-pack-advertisement")
      assert.strictEqual(zero.headers["cache-control"], "no-store")
      assert.match(
        zero.text,
        /^001e# service=git-upload-pack\n0000[0-9a-f]{4}([0-9a-f]{40}) HEAD\0.*symref=HEAD:refs\/heads\/main.*\n[0-9a-f]{4}\1 refs\/heads\/main\n0000$/
      )
      assert.match(zero.text, / filter /)
      assert.match(zero.text, / allow-tip-sha1-in-want allow-reachable-sha1-in-want /)
      const two = yield* get(`/${owner}/app.git/${UPLOAD_PACK}`, {
        token: null,
        headers: { "git-protocol": "version=2" }
      })
      assert.match(two.text, /^000eversion 2\n/)
      assert.match(two.text, /fetch=shallow wait-for-done filter/)
      const one = yield* get(`/${owner}/app/${UPLOAD_PACK}`, { token: null, headers: { "git-protocol": "version=1" } })
      assert.match(one.text, /^001e# service=git-upload-pack\n0000000eversion 1\n/)
      const strange = { "git-protocol": "version=2x:$(touch x)" }
      assert.strictEqual(
        (yield* get(`/${owner}/app/${UPLOAD_PACK}`, { token: null, headers: strange })).text,
        zero.text
      )
    })
  )

  it.effect("names the default branch as HEAD for a detached HEAD, and for an empty repository", () =>
    Effect.gen(function* () {
      const { get, owner } = yield* Forge.TestForge
      const detached = yield* get(`/${owner}/detached.git/${UPLOAD_PACK}`)
      assert.match(detached.text, /symref=HEAD:refs\/heads\/main/)
      const empty = yield* get(`/${owner}/empty.git/${UPLOAD_PACK}`)
      assert.match(empty.text, /^001e# service=git-upload-pack\n0000.*0000$/)
      const headers = { "git-protocol": "version=2", "content-type": "application/x-git-upload-pack-request" }
      const refs = yield* (yield* Forge.TestForge).ask("POST", `/${owner}/empty.git/git-upload-pack`, {
        headers,
        body: "0014command=ls-refs\n0001000bunborn\n000csymrefs\n0000"
      })
      assert.strictEqual(refs.text, "002funborn HEAD symref-target:refs/heads/trunk\n0000")
    })
  )

  it.effect("asks for a token, in the same way whether a repository is hidden or does not exist", () =>
    Effect.gen(function* () {
      yield* hide
      const { ask, get, owner, token, user } = yield* Forge.TestForge
      const answers: Array<unknown> = []
      for (const name of ["secret", "absent"]) {
        const { headers, status, text } = yield* get(`/${owner}/${name}.git/${UPLOAD_PACK}`, { token: null })
        answers.push([status, headers["www-authenticate"], headers["content-type"], text])
      }
      assert.deepStrictEqual(answers[0], [
        401,
        'Basic realm="Tongs"',
        "text/plain; charset=utf-8",
        "Authentication required. Use an access token of this forge as password.\n"
      ])
      assert.deepStrictEqual(answers[1], answers[0])

      const stranger = yield* token({ kind: "classic", userId: yield* user({ login: "stranger" }), scopes: ["repo"] })
      for (const name of ["secret", "absent"]) {
        const { status, text } = yield* get(`/${owner}/${name}.git/${UPLOAD_PACK}`, { token: stranger })
        assert.deepStrictEqual([status, text], [404, "Repository not found.\n"])
      }
      const bad = yield* get(`/${owner}/app.git/${UPLOAD_PACK}`, { token: "bad" })
      assert.deepStrictEqual([bad.status, bad.headers["www-authenticate"]], [401, 'Basic realm="Tongs"'])
      assert.strictEqual(bad.text, "Invalid token. Use an access token of this forge as password.\n")

      const post = (service: string) =>
        ask("POST", `/${owner}/secret.git/${service}`, {
          token: null,
          headers: { "content-type": `application/x-${service}-request` },
          body: "0000"
        })
      for (const service of ["git-upload-pack", "git-receive-pack"]) {
        assert.strictEqual((yield* post(service)).status, 401, service)
      }
      // A push to a public repository needs a token as well.
      const push = yield* get(`/${owner}/app.git/info/refs?service=git-receive-pack`, { token: null })
      assert.strictEqual(push.status, 401)
      const denied = yield* get(`/${owner}/app.git/info/refs?service=git-receive-pack`, { token: stranger })
      assert.strictEqual(denied.status, 403)
    })
  )

  it.effect("accepts a token as password, as user name and as bearer", () =>
    Effect.gen(function* () {
      yield* hide
      const { get, owner, token, user } = yield* Forge.TestForge
      const secret = yield* token({ kind: "classic", userId: yield* user({ login: owner }), scopes: ["repo"] })
      const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`
      const headers = [
        basic(`anyone:${secret}`),
        basic(`x-access-token:${secret}`),
        basic(`${secret}:`),
        basic(`${secret}:x-oauth-basic`),
        `Bearer ${secret}`,
        `token ${secret}`
      ]
      for (const authorization of headers) {
        const { status } = yield* get(`/${owner}/secret.git/${UPLOAD_PACK}`, {
          token: null,
          headers: { authorization }
        })
        assert.strictEqual(status, 200, authorization)
      }
      const unscoped = yield* token({ kind: "classic", userId: yield* user({ login: owner }), scopes: [] })
      assert.strictEqual((yield* get(`/${owner}/secret.git/${UPLOAD_PACK}`, { token: unscoped })).status, 404)
      assert.strictEqual((yield* get(`/${owner}/app.git/${UPLOAD_PACK}`, { token: unscoped })).status, 200)
    })
  )

  it.effect("refuses the dumb protocol, unknown services, other methods and types, and Git LFS", () =>
    Effect.gen(function* () {
      const { ask, get, owner } = yield* Forge.TestForge
      const base = `/${owner}/app.git`
      const refusals: ReadonlyArray<readonly [string, string, number, RegExp]> = [
        ["GET", `${base}/info/refs`, 403, /^This forge serves git-upload-pack and git-receive-pack\./],
        ["GET", `${base}/info/refs?service=git-upload-archive`, 403, /^This forge serves/],
        ["GET", `${base}/HEAD`, 403, /^This forge has no dumb HTTP protocol\./],
        ["GET", `${base}/objects/info/packs`, 403, /^This forge has no dumb HTTP protocol\./],
        ["GET", `${base}/config`, 403, /^This forge has no dumb HTTP protocol\./],
        ["POST", `${base}/${UPLOAD_PACK}`, 405, /^Method POST not allowed/],
        ["GET", `${base}/git-upload-pack`, 405, /^Method GET not allowed/],
        ["POST", `${base}/git-upload-pack`, 415, /^Content-Type must be application\/x-git-upload-pack-request/]
      ]
      for (const [method, path, status, text] of refusals) {
        const answer = yield* ask(method, path)
        assert.strictEqual(answer.status, status, path)
        assert.match(answer.text, text)
        assert.strictEqual(answer.headers["content-type"], "text/plain; charset=utf-8")
      }
      const lfs = yield* ask("POST", `${base}/info/lfs/objects/batch`, { body: {} })
      assert.strictEqual(lfs.status, 501)
      assert.strictEqual(lfs.headers["content-type"], "application/vnd.git-lfs+json")
      assert.match(JSON.parse(lfs.text).message, /no Git LFS/)
      const huge = yield* ask("POST", `${base}/git-upload-pack`, {
        headers: { "content-type": "application/x-git-upload-pack-request", "content-length": "999999999" },
        body: "x"
      })
      assert.strictEqual(huge.status, 413)
      assert.strictEqual((yield* get(`${base}/git-receive-pack`)).status, 405)
    })
  )

  it.effect("redirects the first request for a former name, to readers only", () =>
    Effect.gen(function* () {
      const { ask, get, owner } = yield* Forge.TestForge
      yield* ask("PATCH", `/repos/${owner}/app`, { body: { name: "renamed" } })
      const moved = yield* get(`/${owner}/app.git/${UPLOAD_PACK}`, { token: null })
      assert.strictEqual(moved.status, 301)
      assert.strictEqual(
        moved.headers["location"],
        `http://forge.localhost/${owner}/renamed.git/info/refs?service=git-upload-pack`
      )
      yield* ask("PATCH", `/repos/${owner}/renamed`, { body: { private: true } })
      assert.strictEqual((yield* get(`/${owner}/app.git/${UPLOAD_PACK}`, { token: null })).status, 401)
      yield* ask("PATCH", `/repos/${owner}/renamed`, { body: { name: "app", private: false } })
      assert.strictEqual((yield* get(`/${owner}/app.git/${UPLOAD_PACK}`, { token: null })).status, 200)
    })
  )

  it.effect("ignores configuration and hooks of the served repository", () =>
    Effect.gen(function* () {
      const { ask, get, owner, repos } = yield* Forge.TestForge
      const advertised = yield* get(`/${owner}/hostile.git/${UPLOAD_PACK}`)
      assert.match(advertised.text, /refs\/heads\/main\n/)
      assert.match(advertised.text, / filter /)
      const [, oid = ""] = /([0-9a-f]{40}) refs\/heads\/main\n/.exec(advertised.text) ?? []
      const want = `want ${oid} side-band-64k\n`
      const line = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text
      const fetch = (body: string) =>
        ask("POST", `/${owner}/hostile.git/git-upload-pack`, {
          headers: { "content-type": "application/x-git-upload-pack-request" },
          body
        })
      const pack = yield* fetch(`${line(want)}0000${line("done\n")}`)
      assert.strictEqual(pack.status, 200)
      assert.include(pack.text, "PACK")
      // A missing object, which a partial clone would fetch from the remote.
      const missing = yield* fetch(`${line(`want ${"1".repeat(40)} side-band-64k\n`)}0000${line("done\n")}`)
      assert.match(missing.text, /^[0-9a-f]{4}ERR upload-pack: not our ref 1{40}/)
      assert.throws(() => git(repos, ["hash-object", "marker"]), /marker/)
    })
  )
})
