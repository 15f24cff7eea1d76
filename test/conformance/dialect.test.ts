/** The github dialect of the embedded forge: names of the contract change, data of users does not. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestForge } from "@tongs/service/main/Forge.test-support"
import { ConformanceForge } from "./ConformanceForge.test-support.ts"

const servers = {
  charts: { type: "http", url: "https://charts.harbor.example" },
  codeql: { code_analysis: 1, avatar_service_id: ["gravatar_id"] }
}

layer(ConformanceForge.layer, { excludeTestServices: true, timeout: 60_000 })("a forge in the github dialect", (it) => {
  it.effect("renames tools, but not the contents of a configuration", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const { json, text } = yield* get("/repos/harbor/hello/copilot/cloud-agent/configuration", { token: "olive" })
      assert.include(text, JSON.stringify({ mcpServers: servers }))
      assert.containsAllKeys(json.enabled_tools, ["codeql", "copilot_code_review"])
      assert.doesNotHaveAnyKeys(json.enabled_tools, ["code_analysis", "assistant_code_review"])
    })
  )

  it.effect("renames an event's actor, but not its payload", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const { json, text } = yield* get("/repos/harbor/hello/events", { token: "olive" })
      const payload = { action: "started", codeql: { avatar_service_id: 1, assistant_code_review: 2 } }
      assert.include(text, `"payload":${JSON.stringify(payload)}`)
      for (const { actor } of json) {
        assert.property(actor, "gravatar_id")
        assert.notProperty(actor, "avatar_service_id")
      }
    })
  )

  it.effect("returns a delivery's payload as it was sent", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const { json } = yield* get("/repos/harbor/hello/hooks/1/deliveries", { token: "olive" })
      const delivery = yield* get(`/repos/harbor/hello/hooks/1/deliveries/${json[0].id}`, { token: "olive" })
      const { repository, sender } = delivery.json.request.payload
      for (const account of [repository.owner, sender]) {
        assert.property(account, "gravatar_id")
        assert.notProperty(account, "avatar_service_id")
      }
    })
  )

  it.effect("has no paths of the service dialect", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const since = "min_timestamp=2020-01-01T00:00:00Z"
      const of = (actor: string) =>
        get(`/orgs/harbor/insights/api/summary-stats/${actor}/2?${since}`, { token: "olive" })
      assert.strictEqual((yield* of("github_app_user_to_server")).status, 200)
      assert.strictEqual((yield* of("app_user_to_server")).status, 404)
      const agent = "/repos/harbor/hello/assistant/cloud-agent/configuration"
      assert.strictEqual((yield* get(agent, { token: "olive" })).status, 404)
    })
  )
})
