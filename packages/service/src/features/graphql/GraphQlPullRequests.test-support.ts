/** Repositories with branches and pull requests for the tests of GraphQL. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

/** Executes a document. */
export const query = Effect.fnUntraced(function* (text: string, variables: object = {}, options: Support.Ask = {}) {
  const { ask } = yield* TestForge
  const { json, status } = yield* ask("POST", "/graphql", { ...options, body: { query: text, variables } })
  assert.strictEqual(status, 200)
  return json
})

/** Executes a document without errors, and returns its data. */
export const data = Effect.fnUntraced(function* (text: string, variables: object = {}, options: Support.Ask = {}) {
  const json = yield* query(text, variables, options)
  assert.isUndefined(json.errors, JSON.stringify(json.errors))
  return json.data
})

/** Creates a repository with one commit on `main`, and returns its path and node id. */
export const create = Effect.fnUntraced(function* (name: string) {
  const { ask, base } = yield* TestForge
  const { json, status } = yield* ask("POST", "/user/repos", { body: { name, auto_init: true } })
  assert.strictEqual(status, 201)
  return { at: `${base}/${name}`, id: String(json.node_id) }
})

/** Commits a file to a branch, and returns the id of the commit. */
export const write = Effect.fnUntraced(function* (at: string, path: string, content: string, branch: string) {
  const { ask } = yield* TestForge
  const body = { message: `write ${path}`, content: Buffer.from(content).toString("base64"), branch }
  const { json, status, text } = yield* ask("PUT", `${at}/contents/${path}`, { body })
  assert.strictEqual(status, 201, text)
  return String(json.commit.sha)
})

/** Creates a branch of `main`. */
export const branch = Effect.fnUntraced(function* (at: string, name: string) {
  const { ask, get } = yield* TestForge
  const { sha } = (yield* get(`${at}/git/ref/heads/main`)).json.object
  const { status } = yield* ask("POST", `${at}/git/refs`, { body: { ref: `refs/heads/${name}`, sha } })
  assert.strictEqual(status, 201)
})

/** Opens a pull request into `main` with one commit that adds a file with the branch's name. */
export const open = Effect.fnUntraced(function* (at: string, name: string, body: object = {}) {
  const { ask } = yield* TestForge
  yield* branch(at, name)
  const head = yield* write(at, name, "one\ntwo\n", name)
  const { json, status, text } = yield* ask("POST", `${at}/pulls`, {
    body: { title: `Add ${name}`, base: "main", head: name, ...body }
  })
  assert.strictEqual(status, 201, text)
  return { id: String(json.node_id), number: Number(json.number), head }
})

/** Waits for the background test of a pull request. */
export const tested = Effect.fnUntraced(function* (at: string, number: number) {
  const { get } = yield* TestForge
  for (let attempt = 0; attempt < 400; attempt++) {
    const { json } = yield* get(`${at}/pulls/${number}`)
    if (json.mergeable !== null) return
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 25)))
  }
  assert.fail("The pull request was not tested")
})
