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
      description: "Items per page. A value above 100 counts as 100, one below 1 and an invalid one as 30.",
      schema: { type: "integer", default: 30 }
    }
  )
  const events = document.paths["/events"]?.get?.parameters ?? []
  assert.deepStrictEqual(events.find(({ name }) => name === "per_page")?.schema, { type: "integer", default: 15 })
  const activity = document.paths["/tongs/repos/{owner}/{repo}/activity"]?.get?.parameters ?? []
  assert.deepStrictEqual(activity.find(({ name }) => name === "days")?.schema, {
    type: "integer",
    minimum: 1,
    maximum: 366
  })
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

it("declares 304 for reads, and for writes whose documentation has it", () => {
  const writes = entries.filter(({ endpoint, readonly }) => {
    const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}")
    const item: Readonly<Record<string, unknown>> = { ...document.paths[path] }
    return !readonly && JSON.stringify(item[endpoint.method.toLowerCase()]).includes('"304":')
  })
  assert.sameMembers(
    writes.map(({ group, name }) => `${group}.${name}`),
    [
      "users.update",
      "followers.follow",
      "followers.unfollow",
      "emails.add",
      "emails.delete",
      "emails.setVisibility",
      "keys.createForAuthenticatedUser",
      "keys.deleteForAuthenticatedUser",
      "gpgKeys.createForAuthenticatedUser",
      "gpgKeys.deleteForAuthenticatedUser",
      "sshSigningKeys.createForAuthenticatedUser",
      "sshSigningKeys.deleteForAuthenticatedUser",
      "blocks.block",
      "repositoryInvitations.accept",
      "notifications.markRead",
      "notifications.markThreadRead",
      "notifications.setSubscription",
      "notifications.deleteSubscription",
      "repositoryInvitations.decline",
      "blocks.unblock",
      "markdown.render",
      "markdown.renderRaw",
      "stars.star",
      "stars.unstar",
      "projectViews.createForOrg",
      "projectViews.createForUser"
    ]
  )
})

it("declares 404 for every path with parameters", () => {
  const without = Object.entries(document.paths).flatMap(([path, item]) =>
    path.includes("{")
      ? Object.entries(item).flatMap(([method, operation]) =>
          typeof operation === "object" && "responses" in operation && !("404" in operation.responses)
            ? [`${method} ${path}`]
            : []
        )
      : []
  )
  assert.deepStrictEqual(without, [])
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
