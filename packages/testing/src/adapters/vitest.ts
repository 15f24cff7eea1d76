/** A forge for tests with vitest. A failed test prints the forge's last requests. */
import { afterAll, beforeAll, beforeEach, type TestContext } from "vitest"
import { makeUseForge, report } from "./useForge.ts"

/**
 * Gives the tests of a file one forge, which is reset before each test. Each file has a separate forge, so files can
 * run in parallel; concurrent tests of one file share the forge.
 *
 * **Example**
 *
 * ```ts
 * const forge = useForge()
 *
 * test("reads a file", async () => {
 *   await forge.repo("acme/web").commit({ "README.md": "hi" })
 *   …
 * })
 * ```
 */
export const useForge = makeUseForge<TestContext>({ beforeAll, beforeEach, afterAll }, (context, forge) =>
  context.onTestFailed(() => console.error(report(forge)))
)
