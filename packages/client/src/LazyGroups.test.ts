import { assert, it } from "@effect/vitest"
import * as LazyGroups from "./LazyGroups.ts"

const define = () => {
  const made: Array<string> = []
  const client: Record<string, Record<string | symbol, unknown>> = {}
  LazyGroups.define(client, ["gitRefs", "tags"], (group, name) => {
    made.push(`${group}.${name}`)
    return () => name
  })
  return { client, made, gitRefs: client["gitRefs"] ?? {} }
}

it("creates a method when it is first read", () => {
  const { client, gitRefs, made } = define()
  assert.deepStrictEqual(Object.keys(client), ["gitRefs", "tags"])
  assert.isUndefined(client["gitRef"])
  assert.strictEqual(gitRefs["get"], gitRefs["get"])
  assert.deepStrictEqual(made, ["gitRefs.get"])
})

it("is no promise, and has the members of any object", async () => {
  const { gitRefs, made } = define()
  assert.strictEqual(await Promise.resolve(gitRefs), gitRefs)
  assert.strictEqual(JSON.stringify({ gitRefs }), `{"gitRefs":{}}`)
  assert.isTrue("toString" in gitRefs)
  assert.isUndefined(gitRefs[Symbol.iterator])
  assert.deepStrictEqual(made, [])
})

it("lets a test replace a method", () => {
  const { gitRefs } = define()
  const replaced = () => "replaced"
  gitRefs["get"] = replaced
  assert.strictEqual(gitRefs["get"], replaced)
})
