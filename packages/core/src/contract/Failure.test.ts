import { inspect } from "node:util"
import { assert, it } from "@effect/vitest"
import * as Failure from "./Failure.ts"

it("every failure is a ForgeError with status, request id and headers", () => {
  const headers = { "x-request-id": "r1", etag: '"e"' }
  const failure = new Failure.NotFound({
    request: "GET /a",
    detail: "Not Found",
    status: 404,
    requestId: "r1",
    headers
  })
  assert.isTrue(failure instanceof Failure.ForgeError)
  assert.instanceOf(failure, Error)
  assert.deepStrictEqual([failure.status, failure.requestId, failure.headers], [404, "r1", headers])
  assert.match(String(failure), /^NotFound: GET \/a: Not Found\. Check the name\./)
})

it("a failure without a response has no status and no headers", () => {
  const failure = new Failure.Unreachable({ request: "GET /a", detail: "ECONNREFUSED" })
  assert.deepStrictEqual([failure.status, failure.requestId, failure.headers], [undefined, undefined, {}])
})

it("printing a failure omits the headers", () => {
  const failure = new Failure.Conflict({ request: "GET /a", detail: "busy", headers: { etag: "canary" } })
  assert.notInclude(inspect(failure), "canary")
})

it("an invalid request names each problem once", () => {
  const detail = "Reference already exists"
  const failure = new Failure.ValidationFailed({
    request: "POST /a",
    detail,
    status: 422,
    errors: [{ message: detail }, { field: "ref", code: "invalid" }]
  })
  assert.strictEqual(failure.message, "POST /a: Reference already exists. ref invalid.")
})

it("something missing for a reason of the forge does not blame the name", () => {
  const failure = new Failure.NotFound({ request: "GET /rate_limit", detail: "Rate limiting is not enabled." })
  assert.strictEqual(failure.message, "GET /rate_limit: Rate limiting is not enabled.")
})
