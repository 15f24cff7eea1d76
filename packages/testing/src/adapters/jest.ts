/** A forge for tests with jest. A failed test prints the forge's last requests. */
import type { ForgeOptions, TestForge } from "../TestForge.ts"
import { makeUseForge, report } from "./useForge.ts"

/** Globals of jest. The package with jest's types would install Babel here. */
declare const beforeAll: (hook: () => Promise<void> | void) => void
declare const beforeEach: typeof beforeAll
declare const afterAll: typeof beforeAll

const start = makeUseForge<void>({ beforeAll, beforeEach: (hook) => beforeEach(() => hook()), afterAll })

/** Gives the tests of a file one forge, which is reset before each test. */
export const useForge = (options?: ForgeOptions): TestForge => {
  const forge = start(options)
  beforeAll(() => onTestFailed(() => console.error(report(forge))))
  return forge
}

/**
 * Calls a function after each failed test, before the next test starts. The hooks of jest don't have the result of a
 * test; the handlers of jest's events do, which `addEventHandler` of jest-circus keeps in this list.
 */
const onTestFailed = (report: () => void) => {
  const handlers: unknown = Reflect.get(globalThis, Symbol.for("EVENT_HANDLERS"))
  if (!Array.isArray(handlers)) return
  handlers.push((event: { readonly name: string; readonly test?: { readonly errors: ReadonlyArray<unknown> } }) => {
    if (event.name === "test_done" && event.test !== undefined && event.test.errors.length > 0) report()
  })
}
