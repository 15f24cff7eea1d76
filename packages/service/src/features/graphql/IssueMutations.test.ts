import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Issues from "../../issues/Issues.test-support.ts"
import * as Support from "../../main/Forge.test-support.ts"

const setUp = Effect.gen(function* () {
  const { ask, base, get } = yield* Support.TestForge
  yield* Issues.setUp
  const create = (repo: string, body: object) =>
    Effect.map(ask("POST", `${base}/${repo}/issues`, { body }), ({ json }) => json)
  const idOf = (repo: string) => Effect.map(get(`${base}/${repo}`), ({ json }): string => json.node_id)
  const mutate = (name: string, input: object, selection: string) => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`
    const query = `mutation M($input: ${type}) { m: ${name}(input: $input) { ${selection} } }`
    return Effect.map(ask("POST", "/graphql", { body: { query, variables: { input } } }), ({ json, status }) => {
      assert.strictEqual(status, 200, JSON.stringify(json))
      return { value: json.data.m, error: json.errors?.[0] }
    })
  }
  const transfer = (issueId: string, repositoryId: string) =>
    mutate("transferIssue", { issueId, repositoryId }, "issue { url }")
  return { ask, base, create, get, idOf, mutate, transfer }
})

layer(Issues.layer)("mutations of issues", (it) => {
  it.effect("keep the labels and the milestone of a transferred issue that the other repository has", () =>
    Effect.gen(function* () {
      const { ask, base, create, get, idOf, transfer } = yield* setUp
      const due_on = "2030-01-01T00:00:00Z"
      for (const [repo, body] of [
        ["hello", { title: "same", due_on }],
        ["bare", { title: "same", due_on }],
        ["hello", { title: "later", due_on }],
        ["bare", { title: "later" }]
      ] as const)
        assert.strictEqual((yield* ask("POST", `${base}/${repo}/milestones`, { body })).status, 201)
      const bare = yield* idOf("bare")
      for (const [milestone, title] of [
        [1, "same"],
        [2, undefined]
      ] as const) {
        const issue = yield* create("hello", { title: "moves", milestone, labels: ["bug", "only in hello"] })
        const { value } = yield* transfer(issue.node_id, bare)
        const moved = (yield* get(new URL(value.issue.url).pathname.replace("/keeper/", `${base}/`))).json
        assert.deepStrictEqual(
          moved.labels.map(({ name }: { name: string }) => name),
          ["bug"]
        )
        assert.strictEqual(moved.milestone?.title, title)
      }
    })
  )

  it.effect("do not transfer an issue to its own repository, or from a private one to a public one", () =>
    Effect.gen(function* () {
      const { base, create, get, idOf, transfer } = yield* setUp
      const secret = yield* create("secret", { title: "hidden" })
      const open = yield* create("hello", { title: "open" })
      const hello = yield* idOf("hello")
      for (const issue of [secret, open])
        assert.strictEqual((yield* transfer(issue.node_id, hello)).error.type, "UNPROCESSABLE")
      assert.strictEqual((yield* get(`${base}/secret/issues/${secret.number}`)).status, 200)
      assert.strictEqual((yield* get(`${base}/hello/issues/${open.number}`)).status, 200)
    })
  )

  it.effect("at the same time change an issue once", () =>
    Effect.gen(function* () {
      const { create, idOf, mutate, transfer } = yield* setUp
      const bare = yield* idOf("bare")
      const moves = yield* create("hello", { title: "moves" })
      const ends = yield* create("hello", { title: "ends" })
      for (const change of [
        transfer(moves.node_id, bare),
        mutate("deleteIssue", { issueId: ends.node_id }, "clientMutationId")
      ]) {
        const results = yield* Effect.all([change, change, change], { concurrency: "unbounded" })
        assert.lengthOf(
          results.filter(({ error }) => error === undefined),
          1
        )
      }
    })
  )

  it.effect("do not delete issues of an archived repository", () =>
    Effect.gen(function* () {
      const { ask, base, create, get, mutate } = yield* setUp
      const issue = yield* create("bare", { title: "stays" })
      yield* ask("PATCH", `${base}/bare`, { body: { archived: true } })
      const { error } = yield* mutate("deleteIssue", { issueId: issue.node_id }, "clientMutationId")
      assert.strictEqual(error.type, "FORBIDDEN")
      assert.strictEqual((yield* get(`${base}/bare/issues/${issue.number}`)).status, 200)
      yield* ask("PATCH", `${base}/bare`, { body: { archived: false } })
    })
  )
})
