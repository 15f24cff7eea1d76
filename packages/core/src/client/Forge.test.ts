import { assert, describe, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { Timestamp } from "../contract/Scalars.ts"
import { Scheduler } from "../limits/Scheduler.ts"
import { Forge } from "./Forge.ts"
import * as PageResponse from "./responses/PageResponse.ts"
import * as Stub from "./TransportStub.test-support.ts"

const min_timestamp = Timestamp.make("2026-01-01T00:00:00Z")

const test = <E>(name: string, effect: () => Effect.Effect<void, E, Scheduler>) =>
  it.effect(name, () => Effect.provide(effect(), Scheduler.layerMemory))

const repository = { owner: "o", repo: "r" }
const ref = { ...repository, ref: "heads/a" }
const lines = (sent: ReadonlyArray<Stub.Sent>) =>
  sent.map(({ method, url }) => `${method} ${url.pathname}${url.search}`)

describe("a call", () => {
  test("sends the request under the base URL, and decodes the response", () =>
    Effect.gen(function* () {
      const { forge, sent } = yield* Stub.forge(() => Stub.json({ ...Stub.gitRef("refs/heads/a/b"), news: 1 }))
      const found = yield* forge.gitRefs.get({ ...repository, ref: "heads/a/b" })
      assert.deepStrictEqual({ ...found }, { ...found, ...Stub.gitRef("refs/heads/a/b") })
      assert.notProperty(found, "news")
      assert.deepStrictEqual(lines(sent), ["GET /api/v3/repos/o/r/git/ref/heads%2Fa%2Fb"])
    }))

  test("gives undefined for a response without a body, if the operation has such", () =>
    Effect.gen(function* () {
      const { forge } = yield* Stub.forge(() => new Response(null, { status: 204 }))
      assert.isUndefined(yield* forge.branches.merge({ ...repository, base: "main", head: "topic" }))
    }))

  test("follows the redirect to a file without the token, and gives its bytes", () =>
    Effect.gen(function* () {
      const bytes = new Uint8Array([0x50, 0x4b, 0x05, 0x06, 0xff, 0x00])
      const { forge, sent } = yield* Stub.forge(
        ({ url }) =>
          url.pathname === "/signed"
            ? new Response(bytes, { headers: { "content-type": "application/zip" } })
            : new Response(null, { status: 302, headers: { location: "/signed?s=1" } }),
        { token: Redacted.make("canary") }
      )
      const file = yield* forge.artifacts.download({ ...repository, artifact_id: 7, archive_format: "zip" })
      assert.deepStrictEqual(file, bytes)
      assert.deepStrictEqual(
        sent.map(({ headers, url }) => [url.pathname + url.search, headers["authorization"]]),
        [
          ["/api/v3/repos/o/r/actions/artifacts/7/zip", "Bearer canary"],
          ["/signed?s=1", undefined]
        ]
      )
    }))

  test("fails with Gone for an expired file", () =>
    Effect.gen(function* () {
      const { forge } = yield* Stub.forge(() => Stub.json({ message: "Artifact has expired" }, { status: 410 }))
      const error = yield* Effect.flip(
        forge.artifacts.download({ ...repository, artifact_id: 7, archive_format: "zip" })
      )
      assert.deepStrictEqual([error._tag, error.detail], ["Gone", "Artifact has expired"])
    }))

  test("accepts a base URL with a trailing slash", () =>
    Effect.gen(function* () {
      const { forge, sent } = yield* Stub.forge(() => Stub.json({}), { baseUrl: "https://forge.test//" })
      yield* forge.root.get()
      yield* forge.request("//elsewhere.test/x")
      assert.deepStrictEqual(
        sent.map(({ url }) => url.host),
        ["forge.test", "forge.test"]
      )
    }))

  test("parses the response headers once for all steps", () =>
    Effect.gen(function* () {
      let reads = 0
      const { forge } = yield* Stub.forge(() => {
        const answer = Stub.json(Stub.gitRef("refs/heads/a"))
        const { headers } = answer
        return Object.defineProperty(answer, "headers", {
          get: () => {
            reads++
            return headers
          }
        })
      })
      yield* forge.gitRefs.get(ref)
      assert.strictEqual(reads, 1)
    }))

  test("gives undefined for a 204, and for any body of a call without one", () =>
    Effect.gen(function* () {
      const { forge } = yield* Stub.forge((_, count) =>
        count === 1 ? new Response(null, { status: 204 }) : new Response("ok")
      )
      assert.isUndefined(yield* forge.gitRefs.delete(ref))
      assert.isUndefined(yield* forge.gitRefs.delete(ref))
    }))

  test("rejects a 204 if the call has a value", () =>
    Effect.gen(function* () {
      const { forge } = yield* Stub.forge(() => new Response(null, { status: 204 }))
      const error = yield* Effect.flip(forge.gitRefs.get(ref))
      assert.deepInclude({ ...error }, { _tag: "UnexpectedResponse", status: 204 })
    }))

  test("requests a media type", () =>
    Effect.gen(function* () {
      const { forge, sent } = yield* Stub.forge(
        () => Stub.json({ total_count: 0, incomplete_results: false, items: [] }),
        {
          dialect: "github"
        }
      )
      yield* forge.search.code({ q: "x" }, { mediaType: "text-match" }).first
      assert.strictEqual(sent[0]?.headers["accept"], "application/vnd.github.text-match+json")
    }))

  test("decodes GitHub's names to those of the documents", () =>
    Effect.gen(function* () {
      const user = { ...Stub.user("octo"), avatar_service_id: undefined, gravatar_id: "g" }
      const { forge } = yield* Stub.forge(() => Stub.json(user), { dialect: "github" })
      assert.strictEqual((yield* forge.users.getAuthenticated()).avatar_service_id, "g")
    }))

  test("accepts a response that lacks a member, unless it is strict", () =>
    Effect.gen(function* () {
      const { node_id: _, ...found } = Stub.gitRef("refs/heads/a")
      const events = [{ id: 1, actor: { id: 1, login: "o" }, repo: { id: 2, name: "o/r" }, org: null, payload: {} }]
      const reply = ({ url }: Stub.Sent) => Stub.json(url.pathname.endsWith("/events") ? events : found)
      const { forge } = yield* Stub.forge(reply)
      assert.deepStrictEqual({ ...(yield* forge.gitRefs.get(ref)) }, { ...found })
      const { items } = yield* forge.events.listPublic().first
      assert.deepInclude({ ...items[0] }, { id: "1", payload: {} })
      const strict = (yield* Stub.forge(reply, { strict: true })).forge
      assert.include((yield* Effect.flip(strict.gitRefs.get(ref))).message, '["node_id"]')
      assert.strictEqual((yield* Effect.flip(strict.events.listPublic().first))._tag, "UnexpectedResponse")
    }))

  test("uses GitHub's paths and parameter values for GitHub", () =>
    Effect.gen(function* () {
      const { forge, sent } = yield* Stub.forge(() => Stub.json({}), { baseUrl: "https://api.github.com" })
      yield* Effect.exit(forge.agentConfigurations.get({ owner: "o", repo: "r" }))
      const actor = { org: "o", actor_type: "app_user_to_server", actor_id: 5, min_timestamp }
      yield* Effect.exit(forge.insights.getSummaryStatsByActor(actor))
      yield* forge.request("GET /repos/{owner}/{repo}/assistant/cloud-agent/x", { owner: "o", repo: "r" })
      assert.deepStrictEqual(
        sent.map(({ url }) => url.pathname),
        [
          "/repos/o/r/copilot/cloud-agent/configuration",
          "/orgs/o/insights/api/summary-stats/github_app_user_to_server/5",
          "/repos/o/r/assistant/cloud-agent/x"
        ]
      )
      assert.deepInclude(sent[0]?.headers, { accept: "application/vnd.github+json" })
    }))

  for (const bad of ["", ".", ".."]) {
    test(`sends nothing for ${JSON.stringify(bad)} in a path`, () =>
      Effect.gen(function* () {
        const { forge, sent } = yield* Stub.forge(() => Stub.json({}))
        const errors = [
          yield* Effect.flip(forge.gitRefs.get({ ...ref, owner: bad })),
          yield* Effect.flip(forge.request("GET /repos/{owner}", { owner: bad }))
        ]
        assert.deepStrictEqual(
          errors.map(({ _tag }) => _tag),
          ["ValidationFailed", "ValidationFailed"]
        )
        assert.strictEqual(sent.length, 0)
      }))
  }
})

describe("a failure", () => {
  for (const [status, tag] of [
    [401, "BadCredentials"],
    [403, "Forbidden"],
    [404, "NotFound"],
    [409, "Conflict"],
    [410, "UnexpectedResponse"],
    [422, "ValidationFailed"],
    [500, "ServiceFailed"],
    [302, "UnexpectedResponse"]
  ] as const) {
    test(`is ${tag} for ${status}, and names the request`, () =>
      Effect.gen(function* () {
        const { forge } = yield* Stub.forge(() => Stub.json({ message: "No" }, { status }))
        const error = yield* Effect.flip(Effect.flatten(Stub.patiently(forge.gitRefs.get(ref))))
        assert.deepInclude({ ...error }, { _tag: tag, request: "GET /repos/o/r/git/ref/heads%2Fa", detail: "No" })
      }))
  }

  test("is RateLimited if the forge keeps rejecting the request", () =>
    Effect.gen(function* () {
      const { forge } = yield* Stub.forge(() =>
        Stub.json(
          { message: "You have exceeded a secondary rate limit" },
          { status: 403, headers: { "retry-after": "3600" } }
        )
      )
      const error = yield* Effect.flip(forge.gitRefs.get(ref, { deadline: 1_000 }))
      assert.deepInclude(
        { ...error },
        { _tag: "RateLimited", limit: "secondary", request: "GET /repos/o/r/git/ref/heads%2Fa" }
      )
    }))

  test("is Unreachable without a response, and names the socket's error", () =>
    Effect.gen(function* () {
      const { forge } = yield* Stub.forge(() => "broken")
      const error = yield* Effect.flip(Effect.flatten(Stub.patiently(forge.gitRefs.get(ref))))
      assert.deepInclude({ ...error }, { _tag: "Unreachable", detail: "read ECONNRESET" })
    }))

  test("is Unreachable if the body breaks off, for reads and writes", () =>
    Effect.gen(function* () {
      const { forge, sent } = yield* Stub.forge(() => Stub.cut())
      const read = yield* Effect.flip(Effect.flatten(Stub.patiently(forge.gitRefs.get(ref))))
      const write = yield* Effect.flip(forge.gitRefs.create({ ...ref, sha: Stub.SHA }))
      assert.deepInclude({ ...read }, { _tag: "Unreachable", detail: "other side closed" })
      assert.deepInclude({ ...write }, { _tag: "Unreachable", detail: "other side closed" })
      assert.deepStrictEqual(
        sent.map(({ method }) => method),
        ["GET", "GET", "GET", "GET", "POST"]
      )
    }))

  test("names the member that does not match its declaration", () =>
    Effect.gen(function* () {
      const { forge } = yield* Stub.forge(() =>
        Stub.json({ ...Stub.gitRef("refs/heads/a"), object: { type: "commit", sha: "short", url: "" } })
      )
      const error = yield* Effect.flip(forge.gitRefs.get(ref))
      assert.strictEqual(error._tag, "UnexpectedResponse")
      assert.include(error.detail, '["object"]["sha"]')
    }))

  test("is BadCredentials for a token that cannot be sent", () =>
    Effect.gen(function* () {
      const { forge, sent } = yield* Stub.forge(() => Stub.json({}), { token: Redacted.make("a\nb") })
      assert.deepInclude({ ...(yield* Effect.flip(forge.root.get())) }, { _tag: "BadCredentials", request: "GET /" })
      assert.strictEqual(sent.length, 0)
    }))
})

describe("a list", () => {
  test("follows the links with the given page size", () =>
    Effect.gen(function* () {
      const { forge, sent } = yield* Stub.forge(Stub.branches(5))
      const names = yield* Stream.runCollect(
        Stream.map(forge.branches.list(repository, { perPage: 2 }).items, ({ name }) => name)
      )
      assert.deepStrictEqual(names, ["b0", "b1", "b2", "b3", "b4"])
      const path = "GET /api/v3/repos/o/r/branches?per_page=2"
      assert.deepStrictEqual(lines(sent), [path, `${path}&page=2`, `${path}&page=3`])
    }))

  test("fetches no more pages than it needs", () =>
    Effect.gen(function* () {
      const { forge, sent } = yield* Stub.forge(Stub.branches(500))
      const taken = yield* Stream.runCollect(forge.branches.list(repository, { perPage: 10, limit: 20 }).items)
      assert.deepStrictEqual([taken.length, sent.length], [20, 2])
      yield* Stream.runDrain(Stream.take(forge.branches.list(repository, { perPage: 10, page: 7 }).items, 10))
      assert.deepStrictEqual(lines(sent).at(-1), "GET /api/v3/repos/o/r/branches?per_page=10&page=7")
      assert.strictEqual(sent.length, 3)
    }))

  test("continues from a cursor in another client", () =>
    Effect.gen(function* () {
      const first = yield* Stub.forge(Stub.branches(5))
      const { cursor, items } = yield* first.forge.branches.list(repository, { perPage: 2 }).first
      assert.isDefined(cursor)
      const other = yield* Stub.forge(Stub.branches(5))
      const rest = yield* Stream.runCollect(other.forge.branches.list(repository, { cursor }).items)
      assert.deepStrictEqual(
        [...items, ...rest].map(({ name }) => name),
        ["b0", "b1", "b2", "b3", "b4"]
      )
      assert.strictEqual(other.sent.length, 2)
    }))

  for (const cursor of ["nonsense", btoa(JSON.stringify({ next: "https://elsewhere.test/" })).replace(/=+$/, "")]) {
    test(`rejects the cursor ${cursor}`, () =>
      Effect.gen(function* () {
        const { forge, sent } = yield* Stub.forge(Stub.branches(5), { token: Redacted.make("canary") })
        const error = yield* Effect.flip(forge.branches.list(repository, { cursor }).first)
        assert.include(["ValidationFailed", "UntrustedLink"], error._tag)
        assert.strictEqual(sent.length, 0)
      }))
  }

  test("does not follow a link to another origin", () =>
    Effect.gen(function* () {
      const { forge, sent } = yield* Stub.forge(() =>
        Stub.json([], { headers: { link: '<https://elsewhere.test/?page=2>; rel="next"' } })
      )
      const error = yield* Effect.flip(Stream.runDrain(forge.branches.list(repository).items))
      assert.strictEqual(error._tag, "UntrustedLink")
      assert.strictEqual(sent.length, 1)
    }))

  test("reads a list inside an object, with its total and completeness", () =>
    Effect.gen(function* () {
      const { forge } = yield* Stub.forge(() => Stub.json({ total_count: 0, incomplete_results: true, items: [] }))
      const page = yield* forge.search.code({ q: "x" }).first
      assert.deepInclude({ ...page }, { items: [], totalCount: 0, incompleteResults: true })
    }))

  test("is empty for a 204", () =>
    Effect.gen(function* () {
      const { forge } = yield* Stub.forge(() => new Response(null, { status: 204 }))
      assert.deepStrictEqual(yield* Stream.runCollect(forge.branches.list(repository).items), [])
    }))

  test("fails on a page that does not decode, and names the member", () =>
    Effect.gen(function* () {
      const { forge } = yield* Stub.forge(() => Stub.json([{ name: null, protected: false }]))
      const error = yield* Effect.flip(forge.branches.list(repository).first)
      assert.strictEqual(error._tag, "UnexpectedResponse")
      assert.strictEqual(error.request, "GET /repos/o/r/branches")
      assert.include(error.detail, '[*]["name"]')
    }))

  test("stops when the reader is interrupted", () =>
    Effect.gen(function* () {
      const { forge, sent } = yield* Stub.forge((request, count) =>
        count === 1 ? Stub.branches(500)(request) : Effect.never
      )
      const fiber = yield* Effect.forkChild(Stream.runDrain(forge.branches.list(repository).items))
      while (sent.length < 2) yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(sent.length, 2)
    }))
})

describe("a raw request", () => {
  test("uses the same pipeline, and gives the response", () =>
    Effect.gen(function* () {
      const { forge, sent } = yield* Stub.forge(
        () => Stub.json({ gravatar_id: 1 }, { status: 201, headers: { location: "/x" } }),
        {
          dialect: "github"
        }
      )
      const answer = yield* forge.request("POST /repos/{owner}/{repo}/x", { ...repository, a: 1 })
      assert.deepInclude(answer, { status: 201, data: { gravatar_id: 1 }, text: '{"gravatar_id":1}' })
      assert.strictEqual(answer.headers["location"], "/x")
      assert.strictEqual(sent[0]?.body, '{"a":1}')
      assert.strictEqual(sent[0]?.headers["user-agent"], "tongs")
    }))

  test("sends the caller's headers and body, except for a credential", () =>
    Effect.gen(function* () {
      const { forge, sent } = yield* Stub.forge(() => Stub.json({}), { token: Redacted.make("canary") })
      const headers = { accept: "text/x", "content-type": "text/plain", "x-own": "1", authorization: "Bearer other" }
      const body = new TextEncoder().encode("# Hello")
      yield* forge.request("POST /markdown/raw", { page: 2 }, { headers, body })
      assert.deepInclude(sent[0]?.headers, { ...headers, authorization: "Bearer canary" })
      assert.deepStrictEqual([sent[0]?.body, sent[0]?.url.search], ["# Hello", "?page=2"])
    }))

  test("neither shares nor caches a response to the caller's headers", () =>
    Effect.gen(function* () {
      const { forge, sent } = yield* Stub.forge(({ headers }) =>
        headers["if-none-match"] === undefined
          ? Stub.json({}, { headers: { etag: '"known"' } })
          : new Response(null, { status: 304 })
      )
      yield* forge.request("/x")
      const conditional = { headers: { "if-none-match": '"given"' } }
      const both = [forge.request("/x", {}, conditional), forge.request("/x", {}, conditional)]
      yield* Effect.all(both.map(Effect.flip), { concurrency: 2 })
      assert.deepStrictEqual(
        sent.map(({ headers }) => headers["if-none-match"]),
        [undefined, '"given"', '"given"']
      )
    }))

  test("gives text if the body is not JSON", () =>
    Effect.gen(function* () {
      const { forge } = yield* Stub.forge(
        () => new Response("diff --git", { headers: { "content-type": "text/plain" } })
      )
      assert.deepInclude(yield* forge.request("/x"), { data: "diff --git", text: "diff --git" })
    }))

  test("gives bytes that are not text, also from the cache", () =>
    Effect.gen(function* () {
      const bytes = new Uint8Array([0x1f, 0x8b, 0xff, 0x00])
      const { forge } = yield* Stub.forge(({ headers }) =>
        headers["if-none-match"] === undefined
          ? new Response(bytes, { headers: { etag: '"1"' } })
          : new Response(null, { status: 304 })
      )
      assert.deepStrictEqual((yield* forge.request("/x")).bytes, bytes)
      const again = yield* forge.request("/x")
      assert.deepStrictEqual([again.bytes, again.headers["x-tongs-cache"]], [bytes, "hit"])
    }))

  test("reaches GraphQL beside the REST API of an Enterprise server", () =>
    Effect.gen(function* () {
      const { forge, sent } = yield* Stub.forge(() => Stub.json({ data: {} }))
      yield* forge.request("POST /graphql", { query: "{viewer{login}}" })
      assert.strictEqual(sent[0]?.url.pathname, "/api/graphql")
    }))

  for (const [mediaType, accept] of [
    ["diff", "application/vnd.service.diff"],
    ["patch", "application/vnd.service.patch"],
    ["sha", "application/vnd.service.sha"],
    ["raw", "application/vnd.service.raw+json"]
  ] as const) {
    test(`gives the ${mediaType} form of a resource`, () =>
      Effect.gen(function* () {
        const { forge, sent } = yield* Stub.forge(() => new Response("text", { headers: { "content-type": accept } }))
        const { text } = yield* forge.request("GET /repos/{owner}/{repo}/commits/{ref}", ref, { mediaType })
        assert.deepStrictEqual([text, sent[0]?.headers["accept"]], ["text", accept])
      }))
  }

  test("gives the bytes of a raw file unchanged", () =>
    Effect.gen(function* () {
      const bytes = new Uint8Array([0x7b, 0x22, 0xff, 0x00, 0x0a])
      const { forge, sent } = yield* Stub.forge(
        () => new Response(bytes, { headers: { "content-type": "application/vnd.service.raw+json" } })
      )
      const route = "GET /repos/{owner}/{repo}/contents/{path}"
      const file = forge.download(route, { owner: "o", repo: "r", path: "a/b.bin" }, { mediaType: "raw" })
      assert.deepStrictEqual(yield* Stream.mkUint8Array(file), bytes)
      assert.strictEqual(sent[0]?.url.pathname, "/api/v3/repos/o/r/contents/a%2Fb.bin")
      assert.strictEqual(sent[0]?.headers["accept"], "application/vnd.service.raw+json")
    }))

  test("can fail with every status", () =>
    Effect.gen(function* () {
      const { forge } = yield* Stub.forge(() => Stub.json({ message: "Gone" }, { status: 410 }))
      assert.strictEqual((yield* Effect.flip(forge.request("/x")))._tag, "Gone")
    }))

  test("pages", () =>
    Effect.gen(function* () {
      const { forge, sent } = yield* Stub.forge(Stub.branches(5))
      const items = yield* Stream.runCollect(
        forge.paginate("GET /repos/{owner}/{repo}/branches", repository, { perPage: 2, limit: 3 }).items
      )
      assert.strictEqual(items.length, 3)
      assert.strictEqual(sent.length, 2)
    }))

  test("gives the response of each page of a raw list", () =>
    Effect.gen(function* () {
      const { forge } = yield* Stub.forge(Stub.branches(3))
      const pages = yield* Stream.runCollect(
        forge.paginate("GET /repos/{owner}/{repo}/branches", repository, { perPage: 2 }).pages
      )
      assert.deepStrictEqual(
        pages.map((page) => [PageResponse.of(page)?.status, PageResponse.of(page)?.data]),
        pages.map((page) => [200, page.items])
      )
    }))

  for (const route of ["GET /repos/{owner}/{name}", "FETCH /x", "GET /a/../b", "x"]) {
    test(`rejects ${route} before sending anything`, () =>
      Effect.gen(function* () {
        const { forge, sent } = yield* Stub.forge(() => Stub.json([]))
        const errors = [
          yield* Effect.flip(forge.request(route, repository)),
          yield* Effect.flip(forge.paginate(route, repository).first)
        ]
        assert.deepStrictEqual(
          errors.map(({ _tag, request }) => [_tag, request]),
          [
            ["ValidationFailed", route],
            ["ValidationFailed", route]
          ]
        )
        assert.strictEqual(sent.length, 0)
      }))
  }
})

it.effect("reads its options from the configuration, and has defaults for the services that it needs", () => {
  const sent: Array<readonly [url: string, token: string | null]> = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { headers, url } = new Request(input, init)
    sent.push([url, headers.get("authorization")])
    return Promise.resolve(Response.json(Stub.gitRef("refs/heads/a")))
  }
  const options = { baseUrl: Config.String("FORGE_URL"), token: Config.Redacted("FORGE_TOKEN") }
  const environment = ConfigProvider.fromUnknown({ FORGE_URL: "https://forge.test/api/v3", FORGE_TOKEN: "canary" })
  const live = Forge.layerConfig(options).pipe(
    Layer.provide(Forge.layerDefaults),
    Layer.provide([Layer.succeed(FetchHttpClient.Fetch, fetch), ConfigProvider.layer(environment)])
  )
  return Effect.gen(function* () {
    yield* (yield* Forge).gitRefs.get(ref)
    assert.deepStrictEqual(sent, [["https://forge.test/api/v3/repos/o/r/git/ref/heads%2Fa", "Bearer canary"]])
  }).pipe(Effect.provide(live))
})
