import { assert, describe, it } from "@effect/vitest"
import * as CheckResults from "./CheckResults.ts"

describe("CheckResults", () => {
  it("counts the results", () => {
    assert.strictEqual(CheckResults.summary(["passed"]), "1 check passed")
    assert.strictEqual(CheckResults.summary(["passed", "passed"]), "2 checks passed")
    assert.strictEqual(CheckResults.summary(["failed"]), "0 of 1 check passed, 1 failed")
    assert.strictEqual(
      CheckResults.summary(["running", "passed", "failed", "running", "skipped"]),
      "1 of 5 checks passed, 1 failed, 2 running, 1 skipped"
    )
  })

  it("treats stale runs as running, and every unknown conclusion as a failure", () => {
    const of = (conclusion: string | null, status = "completed") => CheckResults.ofRun({ conclusion, status })
    assert.deepStrictEqual(
      [of("success"), of("skipped"), of("timed_out"), of("stale"), of(null, "queued"), of("exploded")],
      ["passed", "skipped", "failed", "running", "running", "failed"]
    )
    assert.strictEqual(CheckResults.ofAll(["passed", "running"]), "running")
    assert.strictEqual(CheckResults.ofAll(["passed", "skipped"]), "passed")
    assert.isUndefined(CheckResults.ofAll([]))
  })
})
