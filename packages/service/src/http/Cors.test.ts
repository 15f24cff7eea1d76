import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { entries } from "@tongs/core/contract/Catalog"
import * as Support from "../main/Forge.test-support.ts"

const { TestForge } = Support

const origin = { origin: "https://elsewhere.example" }
const list = (header: string | undefined) => (header ?? "").toLowerCase().split(", ")

layer(Support.layer((repos) => void Support.repository(repos, "hello")))("a page of another origin", (it) => {
  it.effect("can send a preflight for every request of the contract", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestForge
      for (const { endpoint } of entries) {
        const path = endpoint.path.replaceAll(/:\w+/g, "1")
        const answer = yield* ask("OPTIONS", path, {
          token: null,
          headers: { ...origin, "access-control-request-method": endpoint.method }
        })
        assert.deepStrictEqual([answer.status, answer.text], [204, ""], path)
        assert.strictEqual(answer.headers["access-control-allow-origin"], "*")
        assert.include(list(answer.headers["access-control-allow-methods"]), endpoint.method.toLowerCase(), path)
        const headers = list(answer.headers["access-control-allow-headers"])
        assert.includeMembers(headers, ["authorization", "content-type", "if-none-match", "x-service-api-version"])
      }
    })
  )

  it.effect("can read the error for an unknown path", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestForge
      const answer = yield* ask("OPTIONS", "/nothing/here", { token: null, headers: origin })
      assert.strictEqual(answer.status, 404)
      assert.strictEqual(answer.headers["access-control-allow-origin"], "*")
      assert.isUndefined(answer.headers["access-control-allow-methods"])
    })
  )

  it.effect("can read every response with its paging and rate limit headers", () =>
    Effect.gen(function* () {
      const { ask, base, get } = yield* TestForge
      const { etag = "" } = (yield* get(`${base}/hello`)).headers
      for (const [status, answer] of [
        [200, yield* get(`${base}/hello`, { headers: origin })],
        [304, yield* get(`${base}/hello`, { headers: { ...origin, "if-none-match": etag } })],
        [401, yield* get("/user", { token: null, headers: origin })],
        [404, yield* get("/nothing/here", { headers: origin })],
        [405, yield* ask("PUT", "/user", { headers: origin })],
        [422, yield* ask("POST", "/user/repos", { headers: origin, body: {} })]
      ] as const) {
        assert.strictEqual(answer.status, status)
        assert.strictEqual(answer.headers["access-control-allow-origin"], "*")
        const exposed = list(answer.headers["access-control-expose-headers"])
        assert.includeMembers(exposed, [
          "link",
          "etag",
          "location",
          "retry-after",
          "x-ratelimit-remaining",
          "x-ratelimit-reset"
        ])
        // Safe for every origin, because browsers send no credentials themselves.
        assert.isUndefined(answer.headers["access-control-allow-credentials"])
      }
    })
  )
})

layer(Support.layer((repos) => void Support.repository(repos, "hello"), { dialect: "github" }))(
  "in the github dialect",
  (it) => {
    it.effect("the headers have the names of the dialect", () =>
      Effect.gen(function* () {
        const { ask } = yield* TestForge
        const answer = yield* ask("OPTIONS", "/user", { token: null })
        assert.include(list(answer.headers["access-control-allow-headers"]), "x-github-api-version")
        assert.include(list(answer.headers["access-control-expose-headers"]), "x-accepted-github-permissions")
      })
    )
  }
)

layer(Support.layer((repos) => void Support.repository(repos, "hello")))("git of a web page", (it) => {
  it.effect("has the rules of the API, also for the header of the protocol version", () =>
    Effect.gen(function* () {
      const { ask, owner } = yield* TestForge
      for (const path of ["info/refs?service=git-upload-pack", "git-upload-pack", "git-receive-pack"]) {
        const { headers, status } = yield* ask("OPTIONS", `/${owner}/hello.git/${path}`, { token: null })
        assert.deepStrictEqual([status, headers["access-control-allow-origin"]], [204, "*"])
        assert.includeMembers(list(headers["access-control-allow-headers"]), ["authorization", "git-protocol"])
        assert.deepStrictEqual(list(headers["access-control-allow-methods"]), ["get", "post"])
        assert.isUndefined(headers["access-control-allow-credentials"])
      }
    })
  )
})

layer(Support.layer((repos) => void Support.repository(repos, "hello")))("HEAD", (it) => {
  it.effect("has the headers of GET", () =>
    Effect.gen(function* () {
      const { ask, base, get } = yield* TestForge
      for (const path of [
        `${base}/hello`,
        "/user",
        `${base}/absent`,
        "/nothing",
        `${base}/hello/branches?per_page=1`
      ]) {
        const head = yield* ask("HEAD", path)
        const whole = yield* get(path)
        assert.strictEqual(head.status, whole.status, path)
        const { "x-request-id": _, ...headers } = head.headers
        const { "x-request-id": __, ...expected } = whole.headers
        assert.deepStrictEqual(headers, expected, path)
      }
    })
  )
})
