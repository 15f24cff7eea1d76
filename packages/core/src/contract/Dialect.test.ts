import { assert, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Dialect from "./Dialect.ts"

const toService = (text: string): unknown => JSON.parse(Dialect.jsonToService("github", text))
const toGithub = (text: string): unknown => JSON.parse(Dialect.jsonFromService("github", text))

it("renames members wherever they stand", () => {
  const github = [{ gravatar_id: "", owner: { login: "o", gravatar_id: null } }, { a: [{ gravatar_id: "x" }] }]
  const service = [
    { avatar_service_id: "", owner: { login: "o", avatar_service_id: null } },
    { a: [{ avatar_service_id: "x" }] }
  ]
  for (const indent of [undefined, 2, "\t"]) {
    assert.deepStrictEqual(toService(JSON.stringify(github, undefined, indent)), service)
    assert.deepStrictEqual(toGithub(JSON.stringify(service, undefined, indent)), github)
  }
})

it("renames the assistant's tools", () => {
  const github = { enabled_tools: { codeql: true, copilot_code_review: false, codeqlx: 1 } }
  const service = { enabled_tools: { code_analysis: true, assistant_code_review: false, codeqlx: 1 } }
  assert.deepStrictEqual(toService(JSON.stringify(github)), service)
  assert.deepStrictEqual(toGithub(JSON.stringify(service)), github)
})

it("renames a member before a colon that stands apart", () => {
  assert.deepStrictEqual(toService('{ "a" : 1 ,\r\n "gravatar_id" \n: 2 }'), { a: 1, avatar_service_id: 2 })
})

for (const text of [
  "gravatar_id",
  '"gravatar_id"',
  '{"gravatar_id":1}',
  ',"gravatar_id":',
  '\\"gravatar_id\\":',
  ',\\\\"gravatar_id":',
  "{",
  ",",
  '{"',
  "\\"
]) {
  it(`leaves the string ${JSON.stringify(text)} alone`, () => {
    const value = {
      [text === "gravatar_id" ? "x" : text]: text,
      list: [text, "gravatar_id", text, ":"],
      gravatar: text
    }
    assert.deepStrictEqual(toService(JSON.stringify(value)), value)
  })
}

const Text = Schema.Array(
  Schema.Literals(['"', "\\", "{", ",", ":", "gravatar_id", "avatar_service_id", " ", "\n", "a"])
)

it.prop("gives back what it took, whatever strings are in it", [Schema.Array(Text), Text], ([texts, parts]) => {
  const values = texts.map((text) => text.join(""))
  const id = parts.join("")
  const service = { values, avatar_service_id: id, inner: { avatar_service_id: id } }
  const github = { values, gravatar_id: id, inner: { gravatar_id: id } }
  assert.deepStrictEqual(toGithub(JSON.stringify(service)), github)
  assert.deepStrictEqual(toService(JSON.stringify(github)), service)
})

it("renames what is the forge's own in a path, and nobody's repository or folder", () => {
  const pairs = [
    ["/repos/o/r/assistant/cloud-agent/configuration", "/repos/o/r/copilot/cloud-agent/configuration"],
    [
      "https://h/api/v3/repos/o/r/assistant/cloud-agent/configuration",
      "https://h/api/v3/repos/o/r/copilot/cloud-agent/configuration"
    ],
    [
      "/orgs/o/insights/api/route-stats/app_user_to_server/5",
      "/orgs/o/insights/api/route-stats/github_app_user_to_server/5"
    ],
    ["/orgs/o/insights/api/route-stats/oauth_app/5", "/orgs/o/insights/api/route-stats/oauth_app/5"],
    ["/repos/o/app_user_to_server/git/refs", "/repos/o/app_user_to_server/git/refs"],
    ["/repos/assistant/cloud-agent/git/refs", "/repos/assistant/cloud-agent/git/refs"],
    ["/repos/o/assistant/cloud-agent/x", "/repos/o/assistant/cloud-agent/x"],
    ["/repos/o/r/contents/assistant/cloud-agent/x", "/repos/o/r/contents/assistant/cloud-agent/x"]
  ] as const
  for (const [service, github] of pairs) {
    assert.strictEqual(Dialect.pathFromService("github", service), github)
    assert.strictEqual(Dialect.pathToService("github", github), service)
    assert.strictEqual(Dialect.pathFromService("service", service), service)
  }
})

it("translates media types in lists and with parameters", () => {
  const service =
    "application/vnd.service+json, application/vnd.service.diff;q=0.5,application/vnd.service-commitcomment.raw+json"
  const github =
    "application/vnd.github+json, application/vnd.github.diff;q=0.5,application/vnd.github-commitcomment.raw+json"
  assert.strictEqual(Dialect.mediaTypeFromService("github", service), github)
  assert.strictEqual(Dialect.mediaTypeToService("github", github), service)
  assert.strictEqual(Dialect.mediaTypeFromService("service", service), service)
})
