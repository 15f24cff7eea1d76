import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { webcrypto } from "node:crypto"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Forge from "../main/Forge.test-support.ts"
import { commit, folder, git } from "../git/Fixture.test-support.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { HookRows } from "./HookRows.ts"
import { Outbox } from "./Outbox.ts"
import * as Receiver from "./Receiver.test-support.ts"
import { requireRow } from "../storage/RowDecoder.ts"

const { TestForge } = Forge

const hasOpenssl = spawnSync("openssl", ["version"]).error === undefined

/** Signs with WebCrypto, independently of the implementation under test. */
const hmac = (hash: "SHA-1" | "SHA-256", secret: string, body: string) =>
  Effect.promise(async () => {
    const bytes = (text: string) => new TextEncoder().encode(text)
    const key = await webcrypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash }, false, ["sign"])
    return Buffer.from(await webcrypto.subtle.sign("HMAC", key, bytes(body))).toString("hex")
  })

/** Polls until the response is as expected, because deliveries are recorded after the receiver responded. */
const eventually = Effect.fnUntraced(function* (
  ask: Effect.Effect<Forge.Answer>,
  awaited: (json: { readonly length: number }) => boolean
) {
  for (let attempt = 0; attempt < 10_000; attempt++) {
    const answer = yield* ask
    if (awaited(answer.json)) return answer
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  }
  return assert.fail("it never came")
})

const hook = Effect.fnUntraced(function* (repository: string, config: object, events: ReadonlyArray<string> = ["*"]) {
  const { ask, base } = yield* TestForge
  const made = yield* ask("POST", `${base}/${repository}/hooks`, { body: { config, events } })
  assert.strictEqual(made.status, 201, made.text)
  const path = `${base}/${repository}/hooks/${made.json.id}`
  return {
    path,
    json: made.json,
    deliveries: (count: number) => eventually(ask("GET", `${path}/deliveries`), (json) => json.length >= count)
  }
})

const head = Effect.fnUntraced(function* (repository: string) {
  const { base, get } = yield* TestForge
  const sha: string = (yield* get(`${base}/${repository}/git/ref/heads/main`)).json.object.sha
  return sha
})

/** The row of a hook, and the id of the repository. */
const stored = Effect.fnUntraced(function* (repository: string, id: number) {
  const { owner } = yield* TestForge
  const { row } = yield* requireRow((yield* RepositoryRegistry).find(owner, repository))
  return {
    place: row.id,
    row: yield* requireRow((yield* HookRows).find({ kind: "repository", id: row.id }, id))
  }
})

/** Creates one repository and copies the folder, which is faster than creating each with git. */
const repositories = (repos: string) => {
  const path = Forge.repository(repos, "ping")
  git(path, ["checkout", "--quiet", "--detach"])
  for (const name of [
    "login",
    "refs",
    "again",
    "answers",
    "slow",
    "form",
    "tls",
    "test",
    "many",
    "large",
    "huge",
    "names"
  ]) {
    cpSync(path, join(repos, name), { recursive: true })
  }
  const whole = join(repos, "whole")
  cpSync(path, whole, { recursive: true })
  git(whole, ["checkout", "--quiet", "main"])
  commit(whole, { "b.txt": "two\n" }, "second")
  git(whole, ["config", "uploadpack.allowFilter", "true"])
  git(repos, ["clone", "--quiet", "--bare", "--filter=tree:0", `file://${whole}`, join(repos, "partial.git")])
}

layer(Forge.layer(repositories, { allowLocalWebhooks: true }))("webhooks", (it) => {
  it.effect("pings a new hook, with headers and a signature of the raw body", () =>
    Effect.gen(function* () {
      const { owner } = yield* TestForge
      const receiver = yield* Receiver.make()
      const made = yield* hook("ping", { url: `${receiver.url}/in?a=b`, content_type: "json", secret: "sésame" })
      const { body, headers, path } = yield* receiver.next
      assert.strictEqual(path, "/in?a=b")
      assert.strictEqual(headers["content-type"], "application/json")
      assert.strictEqual(headers["user-agent"], "Service-Hookshot/tongs")
      assert.strictEqual(headers["x-service-event"], "ping")
      assert.strictEqual(headers["x-service-hook-id"], String(made.json.id))
      assert.strictEqual(headers["x-service-hook-installation-target-type"], "repository")
      assert.match(String(headers["x-service-delivery"]), /^[0-9a-f]{8}-[0-9a-f]{4}-/)
      assert.strictEqual(headers["x-hub-signature-256"], `sha256=${yield* hmac("SHA-256", "sésame", body)}`)
      assert.strictEqual(headers["x-hub-signature"], `sha1=${yield* hmac("SHA-1", "sésame", body)}`)
      const ping = JSON.parse(body)
      assert.strictEqual(ping.hook_id, made.json.id)
      assert.strictEqual(ping.hook.config.secret, "********")
      assert.strictEqual(ping.repository.full_name, `${owner}/ping`)
      assert.strictEqual(headers["x-service-hook-installation-target-id"], String(ping.repository.id))
      assert.strictEqual(ping.sender.login, owner)
      assert.deepStrictEqual(made.json.last_response, { code: null, status: "unused", message: null })
      yield* made.deliveries(1)
      const { get } = yield* TestForge
      assert.deepStrictEqual((yield* get(made.path)).json.last_response, { code: 200, status: "active", message: "OK" })
    })
  )

  it.effect("shows no password of a URL, and delivers with it, also after a change that sends it back", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const receiver = yield* Receiver.make()
      const secretUrl = receiver.url.replace("://", "://ada:s3cret@")
      const shown = receiver.url.replace("://", "://ada:********@")
      const made = yield* hook("login", { url: secretUrl, content_type: "json" })
      const ping = yield* receiver.next
      const basic = `Basic ${Buffer.from("ada:s3cret").toString("base64")}`
      assert.strictEqual(ping.headers.authorization, basic)
      assert.strictEqual(made.json.config.url, shown)
      const [delivery] = (yield* made.deliveries(1)).json
      const config = { url: `${shown}/moved`, content_type: "json" }
      const changed = yield* ask("PATCH", made.path, { body: { config } })
      assert.strictEqual(changed.json.config.url, `${shown}/moved`)
      yield* ask("POST", `${made.path}/pings`)
      const again = yield* receiver.next
      assert.deepStrictEqual([again.path, again.headers.authorization], ["/moved", basic])
      const answers = [
        yield* get(made.path),
        yield* get(`${made.path}/config`),
        yield* get(`${made.path}/deliveries/${delivery.id}`),
        yield* get(`${made.path}/deliveries`)
      ]
      for (const text of [ping.body, again.body, changed.text, ...answers.map(({ text }) => text)]) {
        assert.notInclude(text, "s3cret")
      }
      const other = yield* ask("PATCH", `${made.path}/config`, { body: { url: "https://ada:********@example.org/" } })
      assert.strictEqual(other.status, 422)
    })
  )

  it.effect("sends create, push and delete for changes of references", () =>
    Effect.gen(function* () {
      const { ask, base } = yield* TestForge
      const receiver = yield* Receiver.make()
      const made = yield* hook("refs", { url: receiver.url, content_type: "json" }, ["create", "delete", "push"])
      const before = yield* head("refs")
      const tree: string = (yield* ask("GET", `${base}/refs/git/commits/${before}`)).json.tree.sha
      const body = { message: "second", tree, parents: [before] }
      const after: string = (yield* ask("POST", `${base}/refs/git/commits`, { body })).json.sha
      const told = Effect.fnUntraced(function* (...events: ReadonlyArray<string>) {
        const got = yield* Effect.forEach(events, () => receiver.next)
        const bodies = new Map(got.map(({ body, headers }) => [String(headers["x-service-event"]), JSON.parse(body)]))
        assert.deepStrictEqual([...bodies.keys()].toSorted(), events.toSorted())
        return (name: string) => bodies.get(name)
      })
      assert.strictEqual((yield* receiver.next).headers["x-service-event"], "ping")

      yield* ask("POST", `${base}/refs/git/refs`, { body: { ref: "refs/heads/a/b", sha: before } })
      const came = yield* told("create", "push")
      assert.include(came("create"), {
        ref: "a/b",
        ref_type: "branch",
        full_ref: "refs/heads/a/b",
        master_branch: "main"
      })
      assert.include(came("push"), {
        ref: "refs/heads/a/b",
        before: "0".repeat(40),
        after: before,
        created: true,
        deleted: false
      })
      assert.deepStrictEqual(came("push").commits, [])
      assert.strictEqual(came("push").head_commit.id, before)

      yield* ask("PATCH", `${base}/refs/git/refs/heads/a/b`, { body: { sha: after } })
      const moved = (yield* told("push"))("push")
      assert.include(moved, { before, after, created: false, forced: false })
      assert.deepStrictEqual(
        moved.commits.map(({ id, message }: { id: string; message: string }) => [id, message]),
        [[after, "second"]]
      )
      yield* ask("PATCH", `${base}/refs/git/refs/heads/a/b`, { body: { sha: before, force: true } })
      assert.include((yield* told("push"))("push"), { before: after, after: before, forced: true })
      // An unchanged reference sends no webhook.
      yield* ask("PATCH", `${base}/refs/git/refs/heads/a/b`, { body: { sha: before } })

      yield* ask("DELETE", `${base}/refs/git/refs/heads/a/b`)
      const went = yield* told("delete", "push")
      assert.include(went("delete"), { ref: "a/b", ref_type: "branch" })
      assert.include(went("push"), { before, after: "0".repeat(40), deleted: true, head_commit: null })
      assert.lengthOf((yield* made.deliveries(7)).json, 7)
    })
  )

  it.effect("starts links with the public URL for any Host header", () =>
    Effect.gen(function* () {
      const { ask, base } = yield* TestForge
      const receiver = yield* Receiver.make()
      const origin = "http://stranger.example"
      const config = { url: receiver.url, content_type: "json" }
      const made = yield* ask("POST", `${base}/names/hooks`, { origin, body: { config, events: ["*"] } })
      assert.include(made.json.url, origin)
      const sha = yield* head("names")
      yield* ask("POST", `${base}/names/git/refs`, { origin, body: { ref: "refs/heads/new", sha } })
      yield* ask("PATCH", `${base}/names`, { origin, body: { description: "new" } })
      yield* ask("POST", `/api/v3${base}/names/hooks/${made.json.id}/pings`, { origin })
      yield* ask("POST", `${base}/names/hooks/${made.json.id}/tests`, { origin })
      const events: Array<string> = []
      while (events.length < 6) {
        const { body, headers } = yield* receiver.next
        events.push(String(headers["x-service-event"]))
        assert.include(body, "http://forge.localhost/")
        assert.notInclude(body, "stranger")
        assert.notInclude(body, "/api/v3")
      }
      assert.deepStrictEqual(events.toSorted(), ["create", "ping", "ping", "push", "push", "repository"])
    })
  )

  it.effect("lists the newest 2,048 commits of a push, oldest first", () =>
    Effect.gen(function* () {
      const { ask, base, repos } = yield* TestForge
      const receiver = yield* Receiver.make()
      yield* hook("large", { url: receiver.url, content_type: "json" }, ["push"])
      yield* receiver.next
      const before = yield* head("large")
      const commits = Array.from({ length: 2049 }, (_, index) => {
        const message = `number ${index}`
        const person = "A <a@example.org> 1700000000 +0000"
        const from = index === 0 ? `from ${before}\n` : ""
        const files = index === 2048 ? "D a.txt\nM 100644 inline é\ndata 0\n\n" : ""
        return `commit refs/made/many\ncommitter ${person}\ndata ${message.length}\n${message}\n${from}${files}`
      })
      execFileSync("git", ["-C", join(repos, "large"), "fast-import", "--quiet"], { input: commits.join("") })
      const sha = git(join(repos, "large"), ["rev-parse", "refs/made/many"])
      assert.strictEqual((yield* ask("PATCH", `${base}/large/git/refs/heads/main`, { body: { sha } })).status, 200)
      const told = JSON.parse((yield* receiver.next).body)
      assert.lengthOf(told.commits, 2048)
      assert.include(told.commits[0], { message: "number 1" })
      assert.deepStrictEqual([told.commits[0].added, told.commits[0].removed], [[], []])
      assert.deepStrictEqual(told.commits[2047], told.head_commit)
      assert.deepInclude(told.head_commit, { id: sha, added: ["é"], modified: [], removed: ["a.txt"] })
    })
  )

  it.effect("omits files in a push to a clone without them", () =>
    Effect.gen(function* () {
      const { ask, base, repos } = yield* TestForge
      const receiver = yield* Receiver.make()
      yield* hook("partial", { url: receiver.url, content_type: "json" }, ["push"])
      yield* receiver.next
      const [sha, parent] = git(join(repos, "partial.git"), ["rev-list", "main"]).split("\n")
      const move = (sha: string | undefined) =>
        ask("PATCH", `${base}/partial/git/refs/heads/main`, { body: { sha, force: true } })
      assert.strictEqual((yield* move(parent)).status, 200)
      yield* receiver.next
      assert.strictEqual((yield* move(sha)).status, 200)
      const { commits } = JSON.parse((yield* receiver.next).body)
      assert.lengthOf(commits, 1)
      assert.deepInclude(commits[0], { id: sha, added: [], removed: [], modified: [] })
    })
  )

  it.effect("does not deliver payloads over 25 MB", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const receiver = yield* Receiver.make()
      const made = yield* hook("huge", { url: receiver.url, content_type: "json" })
      yield* receiver.next
      const { place, row } = yield* stored("huge", made.json.id)
      const { put } = yield* Outbox
      const message = (size: number) => ({
        event: "push",
        action: null,
        repositoryId: place,
        payload: { message: "é".repeat(size / 2) }
      })
      yield* put(row, message(25 * 1024 * 1024))
      yield* put(row, message(1024))
      assert.lengthOf((yield* receiver.next).body, 512 + '{"message":""}'.length)
      assert.lengthOf((yield* made.deliveries(2)).json, 2)
      assert.deepStrictEqual((yield* get(`${made.path}/deliveries?status=failure`)).json, [])
    })
  )

  it.effect("redelivers under the same GUID, with a record of its own", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const receiver = yield* Receiver.make()
      const made = yield* hook("again", { url: receiver.url, content_type: "json", secret: "s" })
      const first = yield* receiver.next
      const [{ guid, id }] = (yield* made.deliveries(1)).json
      const record = (yield* get(`${made.path}/deliveries/${id}`)).json
      assert.strictEqual(guid, first.headers["x-service-delivery"])
      assert.include(record, { redelivery: false, status: "OK", status_code: 200, event: "ping", url: receiver.url })
      assert.strictEqual(record.request.headers["X-Service-Delivery"], guid)
      assert.deepStrictEqual(record.request.payload, JSON.parse(first.body))
      assert.strictEqual(record.response.payload, "ok")
      const again = yield* ask("POST", `${made.path}/deliveries/${id}/attempts`)
      assert.deepStrictEqual([again.status, again.json], [202, {}])
      const second = yield* receiver.next
      assert.strictEqual(second.headers["x-service-delivery"], guid)
      assert.strictEqual(second.body, first.body)
      const [latest] = (yield* made.deliveries(2)).json
      assert.include(latest, { guid, redelivery: true })
      assert.notStrictEqual(latest.id, id)
      for (const path of [`${made.path}/deliveries/999999`, `${made.path}/deliveries/x`]) {
        assert.strictEqual((yield* get(path)).status, 404)
      }
    })
  )

  it.effect("lists deliveries newest first, by cursor and by outcome", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      let status = 200
      const receiver = yield* Receiver.make(() => ({ status }))
      const made = yield* hook("many", { url: receiver.url })
      yield* receiver.next
      yield* made.deliveries(1)
      for (status of [500, 204, 302, 404]) {
        assert.strictEqual((yield* ask("POST", `${made.path}/pings`)).status, 204)
        yield* receiver.next
      }
      const all = (yield* made.deliveries(5)).json
      const ids = all.map(({ id }: { id: number }) => id)
      assert.deepStrictEqual(
        ids,
        ids.toSorted((a: number, b: number) => b - a)
      )
      const first = yield* get(`${made.path}/deliveries?per_page=2`)
      assert.match(first.headers.link ?? "", /^<[^>]*[?&]cursor=v1_\d+[^>]*>; rel="next"$/)
      const seen: Array<number> = []
      let path: string | undefined = `${made.path}/deliveries?per_page=2`
      while (path !== undefined) {
        const page: Forge.Answer = yield* get(path)
        for (const { id } of page.json) seen.push(id)
        path = /<https?:\/\/[^/]+([^>]*)>; rel="next"/.exec(page.headers.link ?? "")?.[1]
      }
      assert.deepStrictEqual(seen, ids)
      // Each page links to the previous page; the newest does not.
      const idsOf = (answer: Forge.Answer) => answer.json.map(({ id }: { id: number }) => id)
      const link = ({ headers }: Forge.Answer, rel: string) =>
        new RegExp(`<https?://[^/]+([^>]*)>; rel="${rel}"`).exec(headers.link ?? "")?.[1]
      const second = yield* get(link(first, "next") ?? "")
      const third = yield* get(link(second, "next") ?? "")
      const secondAgain = yield* get(link(third, "prev") ?? "")
      const firstAgain = yield* get(link(secondAgain, "prev") ?? "")
      assert.deepStrictEqual([idsOf(secondAgain), idsOf(firstAgain)], [ids.slice(2, 4), ids.slice(0, 2)])
      assert.deepStrictEqual([link(third, "next"), link(firstAgain, "prev")], [undefined, undefined])
      assert.deepStrictEqual(idsOf(yield* get(link(firstAgain, "next") ?? "")), ids.slice(2, 4))
      const codes = (answer: Forge.Answer) =>
        answer.json.map((one: { status_code: number }) => one.status_code).toSorted()
      assert.deepStrictEqual(codes(yield* get(`${made.path}/deliveries?status=failure`)), [404, 500])
      assert.deepStrictEqual(codes(yield* get(`${made.path}/deliveries?status=success`)), [200, 204, 302])
      assert.strictEqual((yield* get(`${made.path}/deliveries?cursor=nonsense`)).status, 422)
      assert.strictEqual((yield* get(`${made.path}/deliveries?status=other`)).status, 422)
    })
  )

  it.effect("follows no redirect, and records error statuses", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const elsewhere = yield* Receiver.make()
      const receiver = yield* Receiver.make(() => ({
        status: 307,
        headers: { location: elsewhere.url, "set-cookie": "a=b" },
        body: "x".repeat(100_000)
      }))
      const made = yield* hook("answers", { url: receiver.url })
      const [{ id }] = (yield* made.deliveries(1)).json
      const record = (yield* get(`${made.path}/deliveries/${id}`)).json
      assert.include(record, { status_code: 307, status: "Invalid HTTP Response: 307" })
      assert.strictEqual(record.response.headers.location, elsewhere.url)
      assert.lengthOf(record.response.payload, 64 * 1024)
      assert.deepStrictEqual(yield* elsewhere.rest, [])
      assert.include((yield* get(made.path)).json.last_response, { code: 307, status: "misconfigured" })
    })
  )

  it.effect("gives a receiver 10 seconds", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const receiver = yield* Receiver.make(() => "never")
      const made = yield* hook("slow", { url: receiver.url })
      yield* receiver.next
      yield* TestClock.adjust("9 seconds")
      assert.deepStrictEqual((yield* get(`${made.path}/deliveries`)).json, [])
      yield* TestClock.adjust("1 second")
      const [one] = (yield* made.deliveries(1)).json
      assert.include(one, { status_code: 504, status: "timed out after 10 seconds", duration: 10 })
    })
  )

  it.effect("sends a form with the payload as a field, and signs the form", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make()
      yield* hook("form", { url: receiver.url, secret: "s" })
      const { body, headers } = yield* receiver.next
      assert.strictEqual(headers["content-type"], "application/x-www-form-urlencoded")
      assert.strictEqual(headers["x-hub-signature-256"], `sha256=${yield* hmac("SHA-256", "s", body)}`)
      assert.isNumber(JSON.parse(new URLSearchParams(body).get("payload") ?? "").hook_id)
    })
  )

  it.effect.skipIf(!hasOpenssl)("verifies certificates unless the hook disables it", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const place = yield* folder
      const [key, cert] = [join(place, "key.pem"), join(place, "cert.pem")]
      const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
      execFileSync(
        "openssl",
        [
          "req",
          "-x509",
          "-newkey",
          "ec",
          "-pkeyopt",
          "ec_paramgen_curve:prime256v1",
          "-nodes",
          "-keyout",
          key,
          "-out",
          cert,
          "-days",
          "2",
          ...subject
        ],
        { stdio: "ignore" }
      )
      const receiver = yield* Receiver.make(undefined, {
        key: readFileSync(key, "utf8"),
        cert: readFileSync(cert, "utf8")
      })
      const strict = yield* hook("tls", { url: receiver.url })
      const [refused] = (yield* strict.deliveries(1)).json
      assert.strictEqual(refused.status_code, 502)
      assert.match(refused.status, /self-signed certificate/)
      const lax = yield* hook("tls", { url: receiver.url, insecure_ssl: 1 })
      assert.strictEqual((yield* lax.deliveries(1)).json[0].status_code, 200)
      assert.strictEqual((yield* get(`${lax.path}/config`)).json.insecure_ssl, "1")
    })
  )

  it.effect("tests a hook for pushes with the latest push", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestForge
      const receiver = yield* Receiver.make()
      const made = yield* hook("test", { url: receiver.url, content_type: "json" }, ["push"])
      yield* receiver.next
      assert.strictEqual((yield* ask("POST", `${made.path}/tests`)).status, 204)
      const { body, headers } = yield* receiver.next
      assert.strictEqual(headers["x-service-event"], "push")
      assert.include(JSON.parse(body), { ref: "refs/heads/main", after: yield* head("test") })
      const other = yield* hook("test", { url: `${receiver.url}/other` }, ["create"])
      yield* receiver.next
      assert.strictEqual((yield* ask("POST", `${other.path}/tests`)).status, 204)
      yield* ask("POST", `${other.path}/pings`)
      assert.strictEqual((yield* receiver.next).headers["x-service-event"], "ping")
    })
  )
})

describe("webhooks in other configurations", () => {
  layer(Forge.layer((repos) => Forge.repository(repos, "hello")))("by default", (it) => {
    it.effect("refuses private addresses under any name", () =>
      Effect.gen(function* () {
        const { get } = yield* TestForge
        const receiver = yield* Receiver.make()
        const port = new URL(receiver.url).port
        for (const host of [
          "127.0.0.1",
          "localhost",
          "[::1]",
          "2130706433",
          "0x7f.1",
          "[::ffff:127.0.0.1]",
          "10.0.0.1",
          "169.254.169.254"
        ]) {
          const made = yield* hook("hello", { url: `http://${host}:${port}/` })
          const [one] = (yield* made.deliveries(1)).json
          assert.strictEqual(one.status_code, 502, host)
          assert.match(one.status, /is on a local network, to which this forge does not deliver/, host)
          assert.include((yield* get(made.path)).json.last_response, { status: "misconfigured", code: 502 })
        }
        assert.deepStrictEqual(yield* receiver.rest, [])
      })
    )
  })

  layer(Forge.layer((repos) => Forge.repository(repos, "hello"), { dialect: "github", allowLocalWebhooks: true }))(
    "in the github dialect",
    (it) => {
      it.effect("names headers and members in the dialect", () =>
        Effect.gen(function* () {
          const receiver = yield* Receiver.make()
          const made = yield* hook("hello", { url: receiver.url, content_type: "json", secret: "s" })
          const { body, headers } = yield* receiver.next
          assert.include(headers, {
            "x-github-event": "ping",
            "user-agent": "GitHub-Hookshot/tongs",
            "x-github-hook-id": String(made.json.id)
          })
          const { repository, sender } = JSON.parse(body)
          for (const account of [sender, repository.owner]) {
            assert.property(account, "gravatar_id")
            assert.notProperty(account, "avatar_service_id")
          }
          assert.strictEqual(headers["x-hub-signature-256"], `sha256=${yield* hmac("SHA-256", "s", body)}`)
        })
      )
    }
  )
})
