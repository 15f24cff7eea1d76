import { assert, describe, it } from "@effect/vitest"
import * as OpenRequests from "./OpenRequests.ts"

const request = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" })

describe("OpenRequests", () => {
  it("rejects an id until the response to its request is sent", () => {
    const requests = OpenRequests.make()
    assert.isTrue(requests.receive(request(1)))
    assert.isFalse(requests.receive(request(1)))
    assert.isTrue(requests.receive(request("1")))
    requests.send({ jsonrpc: "2.0", id: 1, method: "elicitation/create" })
    assert.isFalse(requests.receive(request(1)))
    requests.send({ jsonrpc: "2.0", id: 1, result: {} })
    assert.isTrue(requests.receive(request(1)))
  })

  it("accepts the id of a cancelled request again", () => {
    const requests = OpenRequests.make()
    requests.receive(request(1))
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }
    assert.isTrue(requests.receive(cancel))
    assert.isTrue(requests.receive(request(1)))
  })

  it("accepts notifications and responses", () => {
    const requests = OpenRequests.make()
    const notification = { jsonrpc: "2.0", method: "notifications/initialized" }
    const response = { jsonrpc: "2.0", id: 1, result: {} }
    for (const message of [notification, response, 7, null]) {
      assert.isTrue(requests.receive(message))
      assert.isTrue(requests.receive(message))
    }
  })
})
