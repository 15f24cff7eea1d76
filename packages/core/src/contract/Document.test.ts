import { assert, it } from "@effect/vitest"
import { entries } from "./Catalog.ts"
import * as Document from "./Document.ts"

const document = Document.make({ servers: ["http://127.0.0.1:4180"] })

it("has every endpoint of the contract", () => {
  const operations = Object.values(document.paths).flatMap((item) =>
    Object.values(item).map((operation) => ("operationId" in operation ? operation.operationId : ""))
  )
  assert.sameMembers(
    operations,
    entries.flatMap(({ group, name, operation }) => [
      `${group}.${name}`,
      ...(operation.alsoAt === undefined ? [] : [`${group}.${name}.alias`])
    ])
  )
})

it("gives query values their type and every parameter its description", () => {
  const parameters = document.paths["/repos/{owner}/{repo}/commits"]?.get?.parameters ?? []
  assert.deepInclude(
    parameters.find(({ name }) => name === "per_page"),
    {
      description: "Items per page.",
      schema: { type: "integer", minimum: 1, maximum: 100, default: 30 }
    }
  )
  assert.deepStrictEqual(
    parameters.find(({ name }) => name === "owner"),
    {
      name: "owner",
      in: "path",
      required: true,
      description: "Account that owns the repository.",
      schema: { type: "string" }
    }
  )
})

it("marks path parameters that can contain slashes", () => {
  const ref = document.paths["/repos/{owner}/{repo}/git/ref/{ref}"]?.get?.parameters.at(-1)
  assert.include(ref?.description, "May contain slashes")
})

it("declares its credential and allows anonymous callers of public operations", () => {
  assert.deepInclude(document.components.securitySchemes.bearer, { type: "http", scheme: "bearer" })
  assert.deepStrictEqual(document.paths["/user"]?.get?.security, [{ bearer: [] }])
  assert.deepStrictEqual(document.paths["/search/code"]?.get?.security, [{}, { bearer: [] }])
})

it("references only existing schemas", () => {
  const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name)
  assert.includeMembers(Object.keys(document.components.schemas), names)
})

it("has the names of the dialect", () => {
  const github = Document.make({ dialect: "github" })
  assert.containsAllKeys(github.paths, ["/repos/{owner}/{repo}/copilot/cloud-agent/configuration"])
  assert.doesNotHaveAnyKeys(github.paths, ["/repos/{owner}/{repo}/assistant/cloud-agent/configuration"])
  const { AgentConfiguration, UserSummary } = github.components.schemas
  assert.containsAllKeys(UserSummary?.["properties"], ["gravatar_id", "login"])
  assert.include(UserSummary?.["required"], "gravatar_id")
  assert.notInclude(JSON.stringify(github.components), "avatar_service_id")
  assert.include(JSON.stringify(AgentConfiguration), '"codeql"')
  assert.strictEqual(Object.keys(github.paths).length, Object.keys(document.paths).length)
})

it("marks extensions", () => {
  const blame = document.paths["/tongs/repos/{owner}/{repo}/blame/{path}"]?.get
  assert.include(blame?.description, "An extension")
  assert.containsAllKeys(blame?.responses, ["404", "501"])
  assert.deepInclude(blame, { tags: ["history"] })
  assert.include(document.tags.find(({ name }) => name === "history")?.description, "not part of the documents")
  assert.isUndefined(document.tags.find(({ name }) => name === "commits")?.description)
  const search = document.paths["/tongs/search"]?.get
  assert.deepStrictEqual(Object.keys(search?.responses["200"]?.content ?? {}), ["application/x-ndjson"])
  assert.notProperty(search?.responses, "304")
})
