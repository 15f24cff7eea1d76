/** A forge for tests with Node's own runner. A failed test prints the forge's last requests. */
import { after, afterEach, before, beforeEach } from "node:test"
import type { ForgeOptions, TestForge } from "../TestForge.ts"
import { makeUseForge, report } from "./useForge.ts"

const start = makeUseForge<void>({
  beforeAll: before,
  beforeEach: (hook) => beforeEach(() => hook()),
  afterAll: after
})

/** Gives the tests of a file one forge, which is reset before each test. */
export const useForge = (options?: ForgeOptions): TestForge => {
  const forge = start(options)
  afterEach((context) => {
    if (isFailed(context)) console.error(report(forge))
  })
  return forge
}

/** The context of a failed test contains the error. */
const isFailed = (context: object): boolean => {
  const error: unknown = Reflect.get(context, "error")
  return error !== null && error !== undefined
}
