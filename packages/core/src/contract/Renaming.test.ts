import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { AgentConfiguration } from "./groups/AgentConfiguration.ts"
import { entries, payloadSchema, successSchema } from "./Catalog.ts"
import { Event } from "./groups/Events.ts"
import { GitRef } from "./groups/GitRefs.ts"
import { Payload } from "./groups/Payload.ts"
import * as Renaming from "./Renaming.ts"
import { Repository } from "./groups/Repository.ts"
import * as Samples from "./Samples.test-support.ts"
import * as SchemaShape from "./SchemaShape.ts"
import { User, UserSummary } from "./groups/User.ts"

/** Text that a renaming could mistake for members: member names, and JSON with member names. */
const Text = Schema.Literals([
  "avatar_service_id",
  "gravatar_id",
  "code_analysis",
  "codeql",
  "assistant_code_review",
  "copilot_code_review",
  "enabled_tools",
  "owner",
  '{"gravatar_id":1}',
  ',"codeql":',
  "__proto__",
  "\\",
  ""
])
const Leaf = Schema.Union([Text, Schema.String, Schema.Finite, Schema.Boolean, Schema.Null])
const Branch = Schema.Array(Schema.Tuple([Text, Leaf]))
const Json = Schema.Array(Schema.Tuple([Text, Schema.Union([Leaf, Branch, Schema.Array(Branch)])]))

/** Builds JSON like a parser. */
const json = (members: typeof Json.Type | typeof Branch.Type): unknown =>
  JSON.parse(`{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(inner(value))}`).join(",")}}`)
const inner = (value: (typeof Json.Type)[number][1]): unknown =>
  Array.isArray(value) ? [json(value.filter(isMember)), ...value.filter((item) => !isMember(item)).map(json)] : value
const isMember = (value: (typeof Branch.Type)[number] | typeof Branch.Type): value is (typeof Branch.Type)[number] =>
  value.length === 2 && typeof value[0] === "string"

const MARK = "the-free-value"
const spread = (value: unknown, free: string) => JSON.stringify(value).replaceAll(JSON.stringify(MARK), free)

describe("keeps free-form data and renames every declared member", () => {
  for (const entry of entries) {
    const success = successSchema(entry.endpoint)
    const fromService = Renaming.fromService("github", SchemaShape.of(success))
    const toService = Renaming.toService("github", SchemaShape.of(success))

    it.prop(
      `${entry.group}.${entry.name}`,
      [Json],
      ([members]) => {
        const free = JSON.stringify(json(members))
        // The same value in both dialects, with the free-form text inserted unchanged.
        const service = Samples.of(success, MARK)
        const github = fromService === undefined ? service : fromService(service)
        const serviceText = spread(service, free)
        const githubText = spread(github, free)
        const sent = fromService === undefined ? JSON.parse(serviceText) : fromService(JSON.parse(serviceText))
        assert.strictEqual(JSON.stringify(sent), githubText)
        const read = toService === undefined ? JSON.parse(githubText) : toService(JSON.parse(githubText))
        assert.strictEqual(JSON.stringify(read), serviceText)
      },
      { arbitrary: { runs: spread(Samples.of(success, MARK), "") === JSON.stringify(Samples.of(success)) ? 1 : 30 } }
    )
  }
})

const rename = (schema: Schema.Top, value: unknown) => Renaming.toService("github", SchemaShape.of(schema))?.(value)

it("renames declared members", () => {
  const user: Record<string, unknown> = Samples.user("octo")
  const { avatar_service_id, ...rest } = user
  const github = { ...rest, gravatar_id: avatar_service_id }
  for (const schema of [User, UserSummary]) {
    assert.deepStrictEqual(rename(schema, github), Samples.user("octo"))
    assert.deepStrictEqual(rename(Schema.Array(Schema.NullOr(schema)), [github, null]), [Samples.user("octo"), null])
  }
})

it("renames the assistant's tools, but not the user's configuration", () => {
  const person = {
    mcpServers: { codeql: { copilot_code_review: true, gravatar_id: "x" } },
    enabled_tools: { codeql: 1 }
  }
  const github = { mcp_configuration: person, enabled_tools: { codeql: true, copilot_code_review: false, other: 1 } }
  const service = {
    mcp_configuration: person,
    enabled_tools: { code_analysis: true, assistant_code_review: false, other: 1 }
  }
  assert.deepStrictEqual(rename(AgentConfiguration, github), service)
  assert.deepStrictEqual(Renaming.fromService("github", SchemaShape.of(AgentConfiguration))?.(service), github)
})

it("renames declared accounts of a payload, and nothing else in it", () => {
  const payload = (own: string) => ({
    comment: { user: { login: "octo", [own]: "" }, body: '"gravatar_id":', gravatar_id: 1, avatar_service_id: 2 },
    sender: { [own]: null },
    client_payload: { gravatar_id: 1, codeql: true, sender: { gravatar_id: 1 } },
    gravatar_id: 1
  })
  assert.deepStrictEqual(rename(Payload, payload("gravatar_id")), payload("avatar_service_id"))
  const event = (own: string) => ({ actor: { login: "o", [own]: "" }, org: { [own]: "x" }, payload: payload(own) })
  assert.deepStrictEqual(rename(Event, event("gravatar_id")), event("avatar_service_id"))
})

it("renames the owner of the template of a repository", () => {
  const repository = (own: string) => ({
    template_repository: { owner: { [own]: "" }, [own]: 1 },
    custom_properties: { [own]: "x" }
  })
  assert.deepStrictEqual(rename(Repository, { ...repository("gravatar_id") }), {
    template_repository: { owner: { avatar_service_id: "" }, gravatar_id: 1 },
    custom_properties: { gravatar_id: "x" }
  })
})

it("does not mutate its input, and keeps the order of members", () => {
  const value = Object.freeze({ login: "o", avatar_service_id: "", url: "u" })
  const renamed = Renaming.fromService("github", SchemaShape.of(UserSummary))?.(value)
  assert.strictEqual(JSON.stringify(renamed), '{"login":"o","gravatar_id":"","url":"u"}')
})

it("does nothing without renames", () => {
  assert.isUndefined(Renaming.toService("github", SchemaShape.of(GitRef)))
  for (const { endpoint } of entries) {
    assert.isUndefined(Renaming.toService("service", SchemaShape.of(successSchema(endpoint))))
    assert.isUndefined(Renaming.fromService("service", SchemaShape.of(successSchema(endpoint))))
  }
})

it("is not needed for requests: no request body has a renamed member", () => {
  for (const { endpoint, group, name } of entries) {
    const payload = payloadSchema(endpoint)
    if (payload !== undefined)
      assert.isUndefined(Renaming.fromService("github", SchemaShape.of(payload)), `${group}.${name}`)
  }
})
