import { assert, describe, it } from "@effect/vitest"
import * as JsonRpc from "./JsonRpc.ts"

const ping = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" })

describe("JsonRpc.check", () => {
  it("accepts requests, notifications and responses", () => {
    const valid = [
      ping(0),
      ping(""),
      ping("x".repeat(100_000)),
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: null, error: { code: 1, message: "m" } }
    ]
    for (const message of valid) assert.isUndefined(JsonRpc.check(message))
  })

  it("rejects other messages, with the id of the request if it has one", () => {
    const error = (message: unknown) => {
      const response = JsonRpc.check(message)
      assert.strictEqual(response?.error.code, -32600)
      return [response?.id, response?.error.message]
    }
    for (const message of [null, 42, "ping", true]) {
      assert.deepStrictEqual(error(message), [null, "Invalid request: A message must be an object."])
    }
    assert.deepStrictEqual(error({ id: 1, method: "ping" }), [1, 'Invalid request: "jsonrpc" must be "2.0".'])
    assert.deepStrictEqual(error({ ...ping(1), jsonrpc: "1.0" }), [1, 'Invalid request: "jsonrpc" must be "2.0".'])
    assert.deepStrictEqual(error({ ...ping("a"), method: 7 }), ["a", 'Invalid request: "method" must be a string.'])
    for (const id of [null, true, {}, [1]]) {
      assert.deepStrictEqual(error(ping(id)), [null, 'Invalid request: "id" must be a string or a number.'])
    }
    assert.deepStrictEqual(error({ jsonrpc: "2.0" }), [null, 'Invalid request: A message must have a "method".'])
  })

  it("rejects names that errors would repeat at length", () => {
    const long = "x".repeat(8_001)
    for (const message of [
      { ...ping(1), method: long },
      { ...ping(1), method: "tools/call", params: { name: long } },
      { ...ping(1), method: "resources/read", params: { uri: long } }
    ]) {
      const response = JsonRpc.check(message)
      assert.strictEqual(response?.id, 1)
      assert.strictEqual(response?.error.message, "Invalid request: A name can have at most 8000 characters.")
    }
    const call = { ...ping(1), method: "tools/call", params: { name: "read_file", arguments: { path: long } } }
    assert.isUndefined(JsonRpc.check(call))
  })

  it("rejects batches", () => {
    for (const batch of [[], [ping(1)]]) assert.match(JsonRpc.check(batch)?.error.message ?? "", /not supported/)
  })
})
