import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ModelDriver from "../../ModelDriver.test-support.ts"

const hook = {
  type: "Repository",
  id: 7,
  name: "web",
  active: true,
  events: ["push"],
  config: { url: "https://receiver.test/\u001b[31mhook", content_type: "json", insecure_ssl: "0", secret: "********" },
  updated_at: "2026-01-02T03:04:05Z",
  created_at: "2026-01-02T03:04:05Z",
  url: "",
  ping_url: "",
  test_url: "",
  last_response: { code: 502, status: "misconfigured", message: "Bad Gateway" }
}

const delivery = (id: number, guid: string, status_code: number, redelivery = false) => ({
  id,
  guid,
  delivered_at: "2026-01-02T03:04:05Z",
  redelivery,
  duration: 0.21,
  status: status_code === 200 ? "OK" : "Bad \u001b[2JGateway",
  status_code,
  event: "push",
  action: null,
  installation_id: null,
  repository_id: 1
})

/** Newest first: a failed delivery, then one that failed and was repeated with success. */
const deliveries = [delivery(13, "c", 502), delivery(12, "b", 200, true), delivery(11, "b", 500)]

const details = {
  ...delivery(13, "c", 502),
  url: "https://receiver.test/hook",
  request: {
    headers: { "X-Event": "push" },
    payload: { ref: "refs/heads/main", commits: Array.from({ length: 9_000 }, (_, index) => index) }
  },
  response: { headers: { server: "\u001b[31mred" }, payload: '{"error":"no rope"}' }
}

const UNDER = "/repos/octo/hello/hooks"

const responses: Readonly<Record<string, unknown>> = {
  [UNDER]: [hook, { ...hook, id: 8, active: false, config: { url: "https://paused.test/" } }],
  [`${UNDER}/7`]: hook,
  [`${UNDER}/7/deliveries`]: deliveries,
  [`${UNDER}/7/deliveries/13`]: details,
  [`${UNDER}/7/deliveries/13/attempts`]: {}
}

const options = (requests: Array<string> = []) => ({
  respond: (path: string) => {
    const isRepeated = requests.some((request) => request.endsWith("/attempts"))
    const body =
      path === `${UNDER}/7/deliveries` && isRepeated
        ? [delivery(15, "c", 504, true), delivery(14, "z", 200, true), ...deliveries]
        : responses[path]
    return body === undefined ? undefined : { status: path.endsWith("/attempts") ? 202 : 200, body }
  },
  onRequest: (path: string) => void requests.push(path)
})

describe("webhooks", () => {
  it.live("lists webhooks with their state and their last response", () =>
    Effect.gen(function* () {
      const screen = yield* ModelDriver.start(options(), 100)
      screen.press("5")
      const lines = yield* screen.until("https://paused.test/")
      assert.match(lines.find((line) => line.includes("receiver.test")) ?? "", /✗ {2}https.*push.*502 Bad Gateway/)
      assert.match(lines.find((line) => line.includes("paused.test")) ?? "", /○ .*paused/)
      assert.isFalse(lines.some((line) => line.includes("\u001b")))
    })
  )

  it.live("redelivers the newest failed delivery with five keys", () =>
    Effect.gen(function* () {
      const requests: Array<string> = []
      const screen = yield* ModelDriver.start(options(requests), 100)
      screen.press("5")
      yield* screen.until("receiver.test")
      screen.press("enter")
      const hook = yield* screen.until("Recent deliveries  1 failed")
      assert.match(hook.find((line) => line.startsWith("❯")) ?? "", /✗ {2}push/)
      screen.press("enter")
      yield* screen.until("── request")
      screen.press("t")
      yield* screen.until("Repeat a delivery")
      assert.notInclude(requests, `${UNDER}/7/deliveries/13/attempts`)
      screen.press("enter")
      yield* screen.until("Done: repeat a delivery of a webhook: failed again: 504 Bad")
      assert.include(requests, `${UNDER}/7/deliveries/13/attempts`)
    })
  )

  it.live("shows the request and the response, and a part of a huge payload", () =>
    Effect.gen(function* () {
      const screen = yield* ModelDriver.start(options(), 120, 40)
      screen.press("5")
      yield* screen.until("receiver.test")
      screen.press("enter")
      yield* screen.until("Recent deliveries")
      screen.press("enter")
      const lines = yield* screen.until("── request", '"ref": "refs/heads/main"')
      assert.isTrue(lines.some((line) => line.includes("POST https://receiver.test/hook")))
      screen.press("]", "]")
      const response = yield* screen.until("── response", '"error": "no rope"')
      assert.isTrue(response.some((line) => line.includes("in all. y copies the payload")))
      assert.isFalse(response.some((line) => line.includes("\u001b")))
    })
  )
})
