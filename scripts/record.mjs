/**
 * A reporter for vitest that writes down each test file as it begins and ends, so that even a run that is cut short can
 * be counted.
 */
import { appendFileSync } from "node:fs"

/**
 * A line of the record. An error that belongs to no test counts as a failed one. `again` names what passed only when it
 * was tried anew.
 * @typedef {{ at: "begin", file: string } | { at: "end", file: string, passed: number, failed: number, skipped: Array<string>, again?: Array<string> }} Event
 */

/** @param {Event} event */
const write = (event) => appendFileSync(process.env["TONGS_TEST_RECORD"] ?? "", `${JSON.stringify(event)}\n`)

/** @implements {import("vitest/node").Reporter} */
export default class {
  /** @param {import("vitest/node").TestModule} module */
  onTestModuleStart({ relativeModuleId: file }) {
    write({ at: "begin", file })
  }

  /** @param {import("vitest/node").TestModule} module */
  onTestModuleEnd(module) {
    const tests = [...module.children.allTests()].map((test) => ({
      name: test.fullName,
      state: test.result().state,
      flaky: test.diagnostic()?.flaky ?? false
    }))
    const passed = tests.filter(({ state }) => state === "passed").length
    const skipped = tests.filter(({ state }) => state === "skipped").map(({ name }) => name)
    const again = tests.filter(({ flaky }) => flaky).map(({ name }) => name)
    const failed = tests.length - passed - skipped.length
    // A file that cannot be loaded, or whose set-up fails, has no test that does.
    write({
      at: "end",
      file: module.relativeModuleId,
      passed,
      failed: failed === 0 && !module.ok() ? 1 : failed,
      skipped,
      again
    })
  }

  /**
   * @param {unknown} _
   * @param {ReadonlyArray<unknown>} errors
   */
  onTestRunEnd(_, errors) {
    if (errors.length > 0) write({ at: "end", file: "", passed: 0, failed: errors.length, skipped: [] })
  }
}
