import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../../main/Forge.test-support.ts"

const setUp = Effect.gen(function* () {
  const { ask, base, get } = yield* Support.TestForge
  const mutate = (
    name: string,
    input: object,
    selection = "repository { name isPrivate isArchived hasIssuesEnabled }"
  ) => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`
    const query = `mutation M($input: ${type}) { m: ${name}(input: $input) { ${selection} } }`
    return Effect.map(ask("POST", "/graphql", { body: { query, variables: { input } } }), ({ json, status }) => {
      assert.strictEqual(status, 200, JSON.stringify(json))
      return { value: json.data?.m, error: json.errors?.[0] }
    })
  }
  return { ask, base, get, mutate }
})

layer(Support.layer((repos) => Support.repository(repos, "hello")))("mutations of repositories", (it) => {
  it.effect("create, change, archive and unarchive a repository", () =>
    Effect.gen(function* () {
      const { base, get, mutate } = yield* setUp
      const settings = { name: "made", visibility: "PRIVATE", description: "By gh", hasIssuesEnabled: false }
      const made = yield* mutate("createRepository", settings, "repository { id name isPrivate hasIssuesEnabled }")
      const { id, ...rest } = made.value.repository
      assert.deepStrictEqual(rest, { name: "made", isPrivate: true, hasIssuesEnabled: false })
      const changed = yield* mutate("updateRepository", {
        repositoryId: id,
        hasIssuesEnabled: true,
        homepageUrl: "https://a.example"
      })
      assert.isTrue(changed.value.repository.hasIssuesEnabled)
      assert.strictEqual((yield* get(`${base}/made`)).json.homepage, "https://a.example")
      assert.isTrue((yield* mutate("archiveRepository", { repositoryId: id })).value.repository.isArchived)
      assert.isFalse((yield* mutate("unarchiveRepository", { repositoryId: id })).value.repository.isArchived)
      const again = yield* mutate("createRepository", { name: "made", visibility: "PUBLIC" })
      assert.deepInclude(again.error, { type: "UNPROCESSABLE", message: "name already exists on this account" })
      const internal = yield* mutate("createRepository", { name: "other", visibility: "INTERNAL" })
      assert.strictEqual(internal.error.type, "UNPROCESSABLE")
    })
  )

  it.effect("create a repository from a template", () =>
    Effect.gen(function* () {
      const { ask, base, get, mutate } = yield* setUp
      yield* ask("PATCH", `${base}/hello`, { body: { is_template: true } })
      const { node_id, owner } = (yield* get(`${base}/hello`)).json
      const input = { repositoryId: node_id, ownerId: owner.node_id, name: "clone", visibility: "PUBLIC" }
      const { value } = yield* mutate(
        "cloneTemplateRepository",
        input,
        "repository { name templateRepository { name } }"
      )
      assert.deepStrictEqual(value.repository, { name: "clone", templateRepository: { name: "hello" } })
      const missing = yield* mutate("cloneTemplateRepository", { ...input, repositoryId: "none" })
      assert.strictEqual(missing.error.type, "NOT_FOUND")
    })
  )
})
