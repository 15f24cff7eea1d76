import { assert, describe, it } from "@effect/vitest"
import * as Failure from "@tongs/core/contract/Failure"
import * as RecoveryHint from "./RecoveryHint.ts"

const NOW = 1_800_000_000_000
const tool: RecoveryHint.Context["tool"] = {
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  inputSchema: { type: "object", properties: {} }
}
const context = { tool, names: [], now: NOW }

const hint = (limit: "primary" | "secondary", wait: number) =>
  RecoveryHint.hintFor(
    new Failure.RateLimited({ request: "GET /x", detail: "", limit, resource: "core", until: NOW + wait }),
    context
  )

describe("the hint after a failure", () => {
  const inputSchema = { type: "object", properties: { operation: {} } } as const // a literal type
  const refusal = { request: "PUT /x", detail: "" }

  it("names the tools that list names, if the server offers them", () => {
    const notFound = new Failure.NotFound(refusal)
    const names = ["run_operation", "list_refs"]
    assert.include(
      RecoveryHint.hintFor(notFound, { ...context, names, tool: { ...tool, inputSchema } }),
      "call list_refs."
    )
    assert.strictEqual(RecoveryHint.hintFor(notFound, { ...context, names }), "")
    assert.strictEqual(RecoveryHint.hintFor(notFound, { ...context, tool: { ...tool, inputSchema } }), "")
  })

  it("asks to read the current state only after a change", () => {
    const conflict = new Failure.Conflict(refusal)
    const hints = { ...tool.hints, readOnlyHint: false }
    assert.strictEqual(RecoveryHint.hintFor(conflict, context), "")
    assert.include(RecoveryHint.hintFor(conflict, { ...context, tool: { ...tool, hints } }), "Read the current state")
  })

  it("says that a change may have been made, for every failure after which it is unknown", () => {
    const hints = { ...tool.hints, readOnlyHint: false }
    for (const error of [
      new Failure.Unreachable(refusal),
      new Failure.ServiceFailed({ ...refusal, status: 502 }),
      new Failure.UnexpectedResponse({ ...refusal, status: 200 })
    ]) {
      assert.include(RecoveryHint.hintFor(error, { ...context, tool: { ...tool, hints } }), "may have been made")
      assert.notInclude(RecoveryHint.hintFor(error, context), "may have been made")
    }
  })
})

describe("the hint after a rate limit", () => {
  it("rounds the time to wait up", () => {
    assert.include(hint("primary", 31_200), "again in 32 s;")
    assert.include(hint("primary", 121_000), "again in 3 minutes;")
    assert.include(hint("primary", 3 * 3_600_000), "again in 3 hours;")
    assert.include(hint("secondary", -5_000), "again in a minute;")
  })

  it("names the calls that the limit affects", () => {
    assert.include(hint("primary", 60_000), "every call that counts toward the core limit fails")
    assert.include(hint("secondary", 60_000), "any other call with this credential can fail")
  })
})
