import { assert, it } from "@effect/vitest"
import { entries } from "./Catalog.ts"
import * as Dialect from "./Dialect.ts"

const entry = (group: string, name: string) => {
  const found = entries.find((entry) => entry.group === group && entry.name === name)
  assert.isDefined(found)
  return found
}

it("translates the forge's own path segments", () => {
  const configuration = entry("agentConfigurations", "get")
  assert.strictEqual(Dialect.pathOf("github", configuration), "/repos/:owner/:repo/copilot/cloud-agent/configuration")
  assert.strictEqual(Dialect.pathOf("service", configuration), configuration.endpoint.path)
  for (const other of entries) {
    if (other !== configuration) assert.strictEqual(Dialect.pathOf("github", other), other.endpoint.path)
  }
})

it("renames declared values of parameters, and values of no other parameter", () => {
  const { valueFromService, valueToService } = Dialect
  assert.strictEqual(valueFromService("github", "actor_type", "app_user_to_server"), "github_app_user_to_server")
  assert.strictEqual(valueFromService("github", "actor_type", "oauth_app"), "oauth_app")
  assert.strictEqual(valueFromService("github", "repo", "app_user_to_server"), "app_user_to_server")
  assert.strictEqual(valueFromService("service", "actor_type", "app_user_to_server"), "app_user_to_server")
  assert.strictEqual(valueToService("github", "actor_type", "github_app_user_to_server"), "app_user_to_server")
  assert.strictEqual(valueToService("github", "repo", "app_user_to_server"), "app_user_to_server")
  assert.isUndefined(valueToService("github", "actor_type", "app_user_to_server"))
})

it("wraps results of declared operations, and those of no other operation", () => {
  const names = new Set(entries.map(({ group, name }) => `${group}.${name}`))
  for (const [operation, member] of Object.entries(Dialect.vocabularies.service.wrappers)) {
    assert.isTrue(names.has(operation), operation)
    assert.deepStrictEqual(Dialect.wrapResult("service", operation, 1), { [member]: 1 })
    assert.strictEqual(Dialect.wrapResult("github", operation, 1), 1)
  }
  assert.strictEqual(Dialect.wrapResult("service", "repositories.get", 1), 1)
})

it("translates media types in lists and with parameters", () => {
  const service =
    "application/vnd.service+json, application/vnd.service.diff;q=0.5,application/vnd.service-commitcomment.raw+json"
  const github =
    "application/vnd.github+json, application/vnd.github.diff;q=0.5,application/vnd.github-commitcomment.raw+json"
  assert.strictEqual(Dialect.mediaTypeFromService("github", service), github)
  assert.strictEqual(Dialect.mediaTypeFromService("service", service), service)
})

it("reads the parameter of a media type of its own dialect only", () => {
  for (const dialect of ["service", "github"] as const) {
    const other = dialect === "service" ? "github" : "service"
    for (const type of [`vnd.${dialect}.raw+json`, `vnd.${dialect}-commitcomment.raw+json`, `vnd.${dialect}.v3.raw`]) {
      assert.strictEqual(Dialect.mediaTypeParameter(dialect, `text/html, application/${type}`), "raw")
      assert.isUndefined(Dialect.mediaTypeParameter(other, `application/${type}`))
    }
    assert.isUndefined(Dialect.mediaTypeParameter(dialect, `application/vnd.${dialect}+json`))
    const preview = `application/vnd.${dialect}.squirrel-girl-preview`
    assert.isUndefined(Dialect.mediaTypeParameter(dialect, `${preview}+json`))
    assert.strictEqual(Dialect.mediaTypeParameter(dialect, `${preview}.raw+json`), "raw")
    const joined = `${preview}, application/vnd.${dialect}.v3.text-match+json`
    assert.strictEqual(Dialect.mediaTypeParameter(dialect, joined), "text-match")
  }
})

it("is GitHub's at GitHub's hosts", () => {
  for (const url of ["https://api.github.com", "https://API.GitHub.com/", "https://api.octo.ghe.com"])
    assert.strictEqual(Dialect.ofBaseUrl(url), "github", url)
  for (const url of ["https://github.example/api/v3", "https://api.github.com.example", "https://notghe.com", "x"])
    assert.strictEqual(Dialect.ofBaseUrl(url), "service", url)
})
