import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { linesOf, open, routesOf } from "./OpenScreen.test-support.ts"

const urls = Object.fromEntries(
  "node_id url repos_url events_url hooks_url issues_url members_url public_members_url avatar_url html_url"
    .split(" ")
    .map((name) => [name, ""])
)

const organization = {
  ...urls,
  login: "acme",
  id: 1,
  description: "Evil \u001b[2J description",
  name: "Acme",
  public_repos: 3,
  public_gists: 0,
  followers: 0,
  following: 0,
  type: "Organization",
  has_organization_projects: true,
  has_repository_projects: true,
  created_at: "2026-11-20T12:00:00Z",
  updated_at: "2026-11-20T12:00:00Z"
}

const hook = (id: number, active: boolean) => ({
  type: "Organization",
  id,
  name: "web",
  active,
  events: ["push"],
  config: { url: `https://hooks.example/${id}` },
  updated_at: "2026-11-20T12:00:00Z",
  created_at: "2026-11-20T12:00:00Z",
  url: "",
  ping_url: ""
})

const delivery = {
  id: 1,
  guid: "a",
  delivered_at: "2026-11-20T12:00:00Z",
  redelivery: false,
  duration: 1,
  status: "Invalid",
  status_code: 500,
  event: "push",
  action: null,
  installation_id: null,
  repository_id: null
}

it.effect("shows an organization with failing webhooks, and says which parts are refused", () =>
  Effect.gen(function* () {
    const { content } = yield* open(
      "organizations.get",
      { org: "acme" },
      {
        "/orgs/acme": organization,
        "/orgs/acme/hooks": [hook(1, true), hook(2, false)],
        "/orgs/acme/hooks/1/deliveries": [delivery],
        "/orgs/acme/hooks/2/deliveries": [],
        "/orgs/acme/repos": 403,
        "/user/installations": { total_count: 0, installations: [] }
      }
    )
    const lines = linesOf(content)
    assert.strictEqual(lines[0], "Acme (acme)")
    assert.isTrue(lines.some((line) => line.endsWith("1 delivery failed")))
    assert.isTrue(lines.some((line) => line.endsWith("paused")))
    assert.isTrue(lines.some((line) => line.startsWith("Access denied")))
    assert.include(lines, "No installed apps that this account can access")
    assert.isFalse(lines.some((line) => line.includes("\u001b")))
    assert.deepStrictEqual([...routesOf(content).values()][0], {
      screen: "organizationHooks.get",
      arguments: { org: "acme", hook_id: 1 }
    })
  })
)

it.effect("fails as a whole if there is no such organization", () =>
  Effect.gen(function* () {
    const { failure } = yield* open("organizations.get", { org: "acme" }, {})
    assert.strictEqual(failure?._tag, "NotFound")
  })
)

it.effect("shows the cloud agent of a repository", () =>
  Effect.gen(function* () {
    const { content } = yield* open(
      "agentConfigurations.get",
      { owner: "acme", repo: "hello" },
      {
        "/repos/acme/hello/assistant/cloud-agent/configuration": {
          mcp_configuration: { servers: { evil: "\u001b[2J" } },
          enabled_tools: {
            code_analysis: true,
            assistant_code_review: false,
            secret_scanning: true,
            dependency_vulnerability_checks: true
          },
          require_actions_workflow_approval: true,
          is_firewall_enabled: false,
          is_firewall_recommended_allowlist_enabled: true,
          custom_allowlist: ["hosts.example"]
        }
      }
    )
    const lines = linesOf(content).map((line) => line.replaceAll(/ {2,}/g, " | "))
    for (const words of ["code analysis | on", "code review | off", "firewall | off"]) assert.include(lines, words)
    assert.isTrue(lines.some((line) => line.endsWith("hosts.example")))
    assert.isFalse(lines.some((line) => line.includes("\u001b")))
  })
)
