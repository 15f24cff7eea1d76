/** One forge for the tests of a file, which is reset before each test. */
import { startForge } from "../startForge.ts"
import type { ForgeOptions, TestForge } from "../TestForge.ts"

/** The hooks of a test runner. */
export interface Hooks<Context> {
  readonly beforeAll: (hook: () => Promise<void>) => void
  readonly beforeEach: (hook: (context: Context) => Promise<void>) => void
  readonly afterAll: (hook: () => Promise<void>) => void
}

/**
 * Starts a forge before the first test, resets it before each test, and closes it after the last test. The result is
 * the running forge, which must not be used outside of tests and hooks.
 */
export const makeUseForge =
  <Context>(hooks: Hooks<Context>, onStart: (context: Context, forge: TestForge) => void = () => {}) =>
  (options?: ForgeOptions): TestForge => {
    let running: TestForge | undefined
    const current = (): TestForge => {
      if (running === undefined) throw new Error("The forge runs only in tests and their hooks. Use it there")
      return running
    }
    hooks.beforeAll(async () => {
      running = await startForge(options)
    })
    hooks.beforeEach(async (context) => {
      await current().reset()
      onStart(context, current())
    })
    hooks.afterAll(async () => {
      await running?.close()
      running = undefined
    })
    const target: object = {}
    return new Proxy(target, { get: (_, name) => Reflect.get(current(), name) }) as TestForge // oxlint-disable-line typescript/no-unsafe-type-assertion -- reads the members of the running forge
  }

/** Describes the last requests for the report of a failed test. */
export const report = ({ requests }: TestForge): string =>
  requests.length === 0
    ? "The forge received no requests."
    : `The last requests to the forge:\n${requests.describe().replaceAll(/^/gm, "  ")}`
