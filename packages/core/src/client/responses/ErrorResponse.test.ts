import { assert, describe, it } from "@effect/vitest"
import * as ErrorResponse from "./ErrorResponse.ts"

const failure = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  ErrorResponse.toFailure(
    "GET /a",
    { status, headers },
    typeof body === "string" ? body : JSON.stringify(body),
    () => true
  )

describe("statuses", () => {
  for (const [status, tag] of [
    [400, "ValidationFailed"],
    [401, "BadCredentials"],
    [403, "Forbidden"],
    [404, "NotFound"],
    [405, "ValidationFailed"],
    [409, "Conflict"],
    [410, "Gone"],
    [413, "ValidationFailed"],
    [415, "ValidationFailed"],
    [422, "ValidationFailed"],
    [500, "ServiceFailed"],
    [503, "ServiceFailed"],
    [302, "UnexpectedResponse"],
    [304, "UnexpectedResponse"],
    [402, "UnexpectedResponse"],
    [418, "UnexpectedResponse"]
  ] as const) {
    it(`${status} is ${tag}`, () => {
      const error = failure(status, { message: "No way" })
      assert.strictEqual(error._tag, tag)
      assert.strictEqual(error.detail, "No way")
      assert.strictEqual(error.request, "GET /a")
      assert.include(error.message, "GET /a")
      assert.include(error.message, "No way")
    })
  }

  it("keep the body out of the printed failure", () => {
    const body = JSON.stringify({ message: "No", documentation_url: "https://forge.test/docs" })
    const error = failure(404, body)
    assert.strictEqual(ErrorResponse.bodyOf(error), body)
    assert.notInclude(JSON.stringify(error), "docs")
  })

  for (const status of [404, 405, 409, 410]) {
    it(`${status} is unexpected if the endpoint does not declare it`, () => {
      const error = ErrorResponse.toFailure("GET /a", { status, headers: {} }, '{"message":"No"}', () => false)
      assert.deepInclude({ ...error }, { _tag: "UnexpectedResponse", status, detail: "No" })
    })
  }

  it("403 names the accepted scopes and permissions, in both dialects", () => {
    assert.deepInclude(
      { ...failure(403, {}, { "x-accepted-oauth-scopes": "repo, user", "x-accepted-permissions": "contents=write" }) },
      { acceptedScopes: ["repo", "user"], acceptedPermissions: ["contents=write"] }
    )
    assert.deepInclude(
      { ...failure(403, {}, { "x-accepted-github-permissions": "contents=read,metadata=read" }) },
      { acceptedScopes: [], acceptedPermissions: ["contents=read", "metadata=read"] }
    )
  })

  it("404 names the scopes that the token may lack, and the permissions", () => {
    const notFound = (headers: Readonly<Record<string, string>>) => failure(404, { message: "Not Found" }, headers)
    const hidden = notFound({ "x-accepted-oauth-scopes": "repo", "x-oauth-scopes": "public_repo, user" })
    assert.deepInclude({ ...hidden }, { acceptedScopes: ["repo"], acceptedPermissions: [] })
    assert.strictEqual(
      hidden.message,
      "GET /a: Not Found. Check the name. If it is private, the token may lack the scope repo."
    )
    const permitted = notFound({ "x-accepted-github-permissions": "contents=read" })
    assert.include(permitted.message, "the token may lack contents=read.")
    for (const headers of [{}, { "x-accepted-oauth-scopes": "repo", "x-oauth-scopes": "repo" }]) {
      assert.deepInclude({ ...notFound(headers) }, { acceptedScopes: [], acceptedPermissions: [] })
      assert.include(notFound(headers).message, "only found with a credential that may see it")
    }
  })

  it("5xx has the request id, in both dialects", () => {
    assert.deepInclude({ ...failure(500, {}, { "x-request-id": "r1" }) }, { requestId: "r1" })
    assert.deepInclude({ ...failure(500, {}, { "x-github-request-id": "r2" }) }, { requestId: "r2" })
    assert.isUndefined(failure(500, {}).requestId)
  })
})

describe("bodies", () => {
  const github = {
    message: "Validation Failed",
    documentation_url: "https://docs.test",
    status: "422",
    errors: [{ resource: "Reference", field: "ref", code: "invalid", extra: 1 }]
  }

  it("reads field errors, as objects and as strings", () => {
    assert.deepInclude(
      { ...failure(422, github) },
      { detail: "Validation Failed", errors: [{ resource: "Reference", field: "ref", code: "invalid" }] }
    )
    assert.deepInclude(
      { ...failure(422, { message: "No", errors: ["too long", { message: "too short" }] }) },
      {
        errors: [{ message: "too long" }, { message: "too short" }]
      }
    )
  })

  for (const [name, body, detail] of [
    ["nothing", "", "status 422"],
    ["an empty object", "{}", "{}"],
    ["an array", "[1]", "[1]"],
    ["null", "null", "null"],
    [
      "HTML",
      "<!doctype html><html><head><style>p { color: red }</style><title>502 Bad Gateway</title></head>\n<body><script>alert(1)</script><h1>nginx</h1></body></html>",
      "502 Bad Gateway nginx"
    ],
    ["plain text", "upstream timed out\n", "upstream timed out"],
    ["truncated JSON", '{"message":"Not F', '{"message":"Not F'],
    ["errors of an unknown shape", { message: "No", errors: { a: 1 } }, "No"],
    ["a status that is a number", { message: "No", status: 422 }, "No"],
    ["a message that is not text", { message: { a: 1 } }, '{"message":{"a":1}}'],
    ["an empty message", { message: "" }, '{"message":""}']
  ] as const) {
    it(`quotes ${name}`, () => {
      assert.strictEqual(failure(422, body).detail, detail)
    })
  }

  it("quotes only the beginning, in constant time even for a hostile body", () => {
    assert.strictEqual(failure(500, "x".repeat(1_000_000)).detail.length, 200)
    const start = performance.now()
    for (const piece of ["<", "<script ", "<!--", "</"]) failure(500, piece.repeat(1_000_000))
    assert.isBelow(performance.now() - start, 2_000)
  })
})
