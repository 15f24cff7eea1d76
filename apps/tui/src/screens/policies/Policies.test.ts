import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { linesOf, now, open } from "../organization/OpenScreen.test-support.ts"

const PERMISSIONS = "/orgs/acme/actions/permissions"

const bodies = {
  [PERMISSIONS]: { enabled_repositories: "all", allowed_actions: "weird\u001b[2J", sha_pinning_required: true },
  [`${PERMISSIONS}/artifact-and-log-retention`]: { days: 90, maximum_allowed_days: 400 },
  [`${PERMISSIONS}/fork-pr-contributor-approval`]: 403,
  [`${PERMISSIONS}/fork-pr-workflows-private-repos`]: {
    run_workflows_from_fork_pull_requests: true,
    send_write_tokens_to_workflows: false,
    send_secrets_and_variables: false,
    require_approval_for_fork_pr_workflows: true
  },
  "/organizations/acme/actions/cache/retention-limit": { max_cache_retention_days: 1 },
  "/organizations/acme/actions/cache/storage-limit": { max_cache_size_gb: 10 }
}

it.effect("shows all policies in words, and the reason for one that is refused", () =>
  Effect.gen(function* () {
    const { content } = yield* open("workflowPolicies.getPermissions", { org: "acme" }, bodies)
    const lines = linesOf(content)
    const row = (name: string) => lines.find((line) => line.startsWith(name))?.replaceAll(/ {2,}/g, " | ")
    assert.strictEqual(row("workflows run in"), "workflows run in | all repositories")
    assert.strictEqual(row("kept for"), "kept for | 90 days, at most 400")
    assert.strictEqual(row("deleted after"), "deleted after at most | 1 day")
    assert.strictEqual(row("at most, per"), "at most, per repository | 10 GB")
    assert.isTrue(lines.some((line) => line.startsWith("Access denied")))
    assert.isFalse(lines.some((line) => line.includes("\u001b")))
  })
)

it.effect("gives each line the operation and the values of its policy", () =>
  Effect.gen(function* () {
    const { content } = yield* open("workflowPolicies.getPermissions", { org: "acme" }, bodies)
    if (content?._tag !== "Document") return assert.fail("no document")
    const layout = content.layout(80)
    const [, retention] = layout.sections
    const line = layout.lineAt((retention?.firstLine ?? 0) + 1, now)
    assert.strictEqual(line.entry?.name, "getArtifactAndLogRetention")
    assert.deepStrictEqual(line.arguments, { org: "acme" })
    assert.deepStrictEqual(line.value, { days: 90, maximum_allowed_days: 400 })
    assert.strictEqual(layout.sections.length, 6)
  })
)

it.effect("shows the limits of an enterprise", () =>
  Effect.gen(function* () {
    const { content } = yield* open(
      "cacheLimits.getRetentionForEnterprise",
      { enterprise: "coast" },
      {
        "/enterprises/coast/actions/cache/retention-limit": { max_cache_retention_days: 90 },
        "/enterprises/coast/actions/cache/storage-limit": { max_cache_size_gb: 1_000 }
      }
    )
    const lines = linesOf(content)
    assert.isTrue(lines.some((line) => line.endsWith("90 days")))
    assert.isTrue(lines.some((line) => line.endsWith("1,000 GB")))
  })
)
