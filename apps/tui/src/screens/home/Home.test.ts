import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as FakeForge from "../../FakeForge.test-support.ts"
import * as ModelDriver from "../../ModelDriver.test-support.ts"

const delivery = (id: number, guid: string, status_code: number, delivered_at: string) => ({
  id,
  guid,
  delivered_at,
  redelivery: false,
  duration: 1,
  status: status_code === 200 ? "OK" : "Bad \u001b[31mGateway",
  status_code,
  event: "push",
  action: null,
  installation_id: null,
  repository_id: null
})

const hook = {
  type: "Repository",
  id: 7,
  name: "web",
  active: true,
  events: ["push"],
  config: { url: "https://hooks.test/\u001b[2Jhostile" },
  updated_at: "2026-01-02T03:04:05Z",
  created_at: "2026-01-02T03:04:05Z",
  url: "",
  ping_url: "",
  test_url: "",
  last_response: null
}

const failed = [
  delivery(1, "repeated with success", 502, "2026-01-02T03:04:05Z"),
  delivery(2, "repeated without success", 502, "2026-01-02T03:04:05Z"),
  delivery(3, "repeated without success", 503, "2026-01-02T05:04:05Z")
]

const respond: NonNullable<FakeForge.Options["respond"]> = (path, query) => {
  if (path.endsWith("/attempts")) return { status: 202, body: {} }
  if (path === "/user") return { status: 403, body: { message: "Forbidden" } }
  if (path === "/user/orgs") return { status: 200, body: [] }
  if (path.endsWith("/artifacts")) return { status: 500, body: { message: "no artifacts today" } }
  if (path === "/repos/octo/hello/hooks") return { status: 200, body: [hook] }
  if (path.endsWith("/hooks")) return { status: 404, body: { message: "Not Found" } }
  if (path.endsWith("/deliveries"))
    return {
      status: 200,
      body:
        query.get("status") === "failure" ? failed : [delivery(4, "repeated with success", 200, "2026-01-02T04:04:05Z")]
    }
  return undefined
}

const start = (overrides: typeof respond = () => undefined) =>
  ModelDriver.start({
    repository: undefined,
    respond: (path, query, request) => overrides(path, query, request) ?? respond(path, query, request)
  })

describe("Home", () => {
  it.live("shows what could be loaded, and which part failed", () =>
    Effect.gen(function* () {
      const { until } = yield* start()
      const lines = yield* until(
        "Failed deliveries  1",
        "octo/hello",
        "503",
        "Could not load all",
        "no artifacts today"
      )
      assert.isTrue(lines.some((line) => line.includes("1 thing needs attention")))
      assert.isFalse(lines.some((line) => line.includes("502")))
    })
  )

  it.live("repeats the delivery under the cursor", () =>
    Effect.gen(function* () {
      const requests: Array<string> = []
      const { press, until } = yield* ModelDriver.start({
        repository: undefined,
        respond,
        onRequest: (path) => requests.push(path)
      })
      yield* until("Failed deliveries  1")
      press("t")
      yield* until("Repeat a delivery of a webhook", "push delivery 3 of octo/hello")
      press("enter")
      yield* until("Done")
      assert.include(requests, "/repos/octo/hello/hooks/7/deliveries/3/attempts")
    })
  )

  it.live("says that all is clear", () =>
    Effect.gen(function* () {
      const { until } = yield* start((path) => {
        if (path.endsWith("/artifacts")) return { status: 200, body: { total_count: 0, artifacts: [] } }
        return path.endsWith("/hooks") ? { status: 404, body: { message: "Not Found" } } : undefined
      })
      const lines = yield* until("All clear")
      assert.isFalse(lines.some((line) => line.includes("Failed deliveries")))
    })
  )

  it.live("reports a forge that fails completely, and tries again", () =>
    Effect.gen(function* () {
      let isUp = false
      const { until } = yield* start(() => (isUp ? undefined : { status: 500, body: { message: "down" } }))
      yield* until("The forge failed with status 500", "ext attempt")
      isUp = true
      yield* until("octo/hello", "Your repositories")
    })
  )

  it.live("keeps the cursor on its line while other sections load", () =>
    Effect.gen(function* () {
      let hasFailures = false
      const { press, text, until } = yield* start((path) =>
        path.endsWith("/hooks") && !hasFailures ? { status: 404, body: { message: "Not Found" } } : undefined
      )
      yield* until("Could not load all", "octo/secret")
      for (let step = 0; step < 30 && !text().some((line) => line.startsWith("❯ octo/secret")); step++) press("down")
      yield* until("❯ octo/secret")
      hasFailures = true
      press("r")
      yield* until("Failed deliveries  1", "❯ octo/secret")
    })
  )
})
