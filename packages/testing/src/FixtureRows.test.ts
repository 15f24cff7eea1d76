/** The types of the rows have the sections and fields of the forge. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { assert, expect, it } from "vitest"
import * as Features from "@tongs/service/features/Features"
import type { FixtureRows } from "./FixtureRows.ts"
import type { RuleFixture } from "./RulesetFixture.ts"

const SHA = "0123456789012345678901234567890123456789"
const comment = {
  repository: "acme/web",
  user: "ann",
  body: "Good",
  id: 1,
  commit_id: SHA,
  created_at: "now-2h",
  updated_at: "now-1h",
  reactions: { "+1": ["ann"] }
}

/** A row of each section with all fields. */
const rows = {
  users: [
    {
      login: "ann",
      name: "Ann",
      email: "a@example.com",
      emails: [{ email: "b@example.com", verified: false }],
      email_private: true,
      company: "Acme",
      blog: "",
      location: "Here",
      bio: "Text",
      site_admin: true,
      suspended: false
    }
  ],
  organizations: [
    {
      login: "acme",
      name: "Acme",
      plan: "free",
      members: [{ login: "ann", role: "owner", public: true }],
      base_permission: "none"
    }
  ],
  followers: [{ user: "ann", follower: "ben" }],
  enterprises: [{ slug: "big", organizations: ["acme"], admins: ["ann"] }],
  tokens: [
    {
      token: "t",
      user: "ann",
      kind: "installation",
      scopes: ["repo"],
      permissions: { contents: "write" },
      repositories: ["acme/web"],
      installation: 1,
      expires_at: "now+1h"
    }
  ],
  repositories: [
    {
      full_name: "acme/web",
      git: "web.git",
      private: true,
      description: "",
      homepage: "",
      topics: ["page"],
      custom_properties: { tier: ["gold"] },
      archived: false,
      has_issues: true,
      has_projects: false,
      has_wiki: false,
      has_discussions: false,
      has_downloads: false,
      is_template: true,
      allow_squash_merge: true,
      allow_merge_commit: false,
      allow_rebase_merge: false,
      allow_auto_merge: true,
      allow_update_branch: true,
      allow_forking: false,
      delete_branch_on_merge: true,
      web_commit_signoff_required: true,
      squash_merge_commit_title: "PR_TITLE",
      squash_merge_commit_message: "BLANK",
      merge_commit_title: "PR_TITLE",
      merge_commit_message: "PR_BODY",
      auto_init: true,
      files: { "a.txt": "1" },
      demonstration: false,
      fork_of: "acme/api",
      branches: { fix: "main" },
      tags: { v1: "main" }
    }
  ],
  collaborators: [{ repository: "acme/web", login: "ann", permission: "maintain" }],
  repository_invitations: [
    { repository: "acme/web", invitee: "ann", inviter: "bea", permission: "triage", created_at: "2026-01-01T00:00:00Z" }
  ],
  teams: [
    {
      organization: "acme",
      name: "Crew",
      description: "Of the web",
      parent: "all",
      privacy: "closed",
      members: [{ login: "ann", role: "maintainer" }],
      repositories: [{ repository: "acme/web", permission: "write" }]
    },
    { organization: "acme", name: "All" }
  ],
  organization_invitations: [
    {
      organization: "acme",
      invitee: "bea",
      inviter: "ann",
      role: "owner",
      teams: ["crew"],
      created_at: "2026-01-01T00:00:00Z"
    }
  ],
  apps: [
    {
      slug: "bot",
      id: 1,
      owner: "ann",
      client_id: "c",
      client_secret: "s",
      public_key: "key.pem",
      generate_key: false,
      permissions: { contents: "read" },
      events: ["push"],
      name: "The Bot",
      description: "Works",
      url: "http://x",
      public: true,
      webhook: { url: "http://x", content_type: "json", secret: "s", insecure_ssl: "1", username: "u", password: "p" }
    }
  ],
  custom_properties: [
    {
      organization: "acme",
      property_name: "tier",
      value_type: "single_select",
      required: true,
      default_value: "gold",
      description: null,
      allowed_values: ["gold"],
      values_editable_by: "org_actors",
      require_explicit_values: false
    }
  ],
  installations: [
    {
      account: "acme",
      app_slug: "bot",
      id: 1,
      app_id: 1,
      permissions: { contents: "read" },
      events: ["push"],
      repositories: "all"
    }
  ],
  commit_comments: [{ ...comment, path: "a.txt", position: 1, line: 1 }],
  reviews: [
    {
      repository: "acme/web",
      user: "ann",
      pull_number: 1,
      id: 1,
      state: "APPROVED",
      body: "Good",
      commit_id: SHA,
      submitted_at: "now-1h"
    }
  ],
  review_requests: [{ repository: "acme/web", pull_number: 1, users: ["ann"], teams: ["crew"] }],
  review_comments: [
    {
      ...comment,
      resolved_by: "ann",
      pull_number: 1,
      path: "a.txt",
      diff_hunk: "",
      original_commit_id: SHA,
      pull_request_review_id: 1,
      in_reply_to_id: 1,
      subject_type: "line",
      line: 1,
      original_line: 1,
      position: 1,
      original_position: 1,
      side: "LEFT",
      start_line: 1,
      original_start_line: 1,
      start_side: "RIGHT"
    }
  ],
  milestones: [
    {
      repository: "acme/web",
      creator: "ann",
      title: "Version 1",
      description: "All of it",
      state: "closed",
      due_on: "now+30d",
      created_at: "now-1d"
    }
  ],
  labels: [{ repository: "acme/web", name: "urgent", color: "ff0000", description: "Soon" }],
  issue_types: [{ organization: "acme", name: "Bug", description: "Does not work", color: "red" }],
  issues: [
    {
      repository: "acme/web",
      user: "ann",
      title: "Two",
      body: "More",
      number: 2,
      labels: ["urgent"],
      assignees: ["ann"],
      milestone: "Version 1",
      type: "Bug",
      state: "closed",
      state_reason: "duplicate",
      closed_at: "now-1h",
      closed_by: "ann",
      lock_reason: "resolved",
      pinned: true,
      parent: 1,
      blocked_by: [1],
      created_at: "now-1d",
      reactions: { "+1": ["ann"] },
      comments: [{ user: "ann", body: "Yes", created_at: "now-1h", reactions: { heart: ["ann"] } }]
    }
  ],
  issue_comments: [
    { repository: "acme/web", number: 1, user: "ann", body: "No", created_at: "now-1h", reactions: { eyes: ["ann"] } }
  ],
  releases: [
    {
      repository: "acme/web",
      author: "ann",
      tag_name: "v1",
      target_commitish: "main",
      name: "One",
      body: "Notes",
      draft: true,
      prerelease: true,
      published_at: "now-1d",
      assets: [{ name: "a.txt", label: "A", content_type: "text/plain", text: "a", file: "a.txt" }],
      reactions: { heart: ["ann"] }
    }
  ],
  artifacts: [
    {
      repository: "acme/web",
      name: "report",
      file: "report.zip",
      workflow_run: { id: 1, head_repository_id: 1, head_branch: "main", head_sha: SHA },
      created_at: "now-1d",
      expires_at: "2030-01-01T00:00:00Z"
    }
  ],
  hooks: [
    {
      repository: "acme/web",
      organization: "acme",
      creator: "ann",
      config: { url: "http://x", content_type: "json", secret: "s", insecure_ssl: "1", username: "u", password: "p" },
      events: ["*"],
      active: true,
      deliveries: [
        {
          guid: "g",
          delivered_at: "now-1h",
          redelivery: false,
          duration: 1,
          status: "OK",
          status_code: 200,
          event: "push",
          action: "a",
          repository: "acme/web",
          request: { headers: { a: "b" }, payload: { ref: "x" } },
          response: { headers: {}, payload: "" }
        }
      ]
    }
  ],
  keys: [
    { user: "ann", title: "Laptop", key: "ssh-ed25519 AAAA", verified: true, read_only: false, signing: false },
    { user: "ann", armored_public_key: "-----BEGIN" }
  ],
  autolinks: [
    { repository: "acme/web", key_prefix: "T-", url_template: "https://t.example/<num>", is_alphanumeric: false }
  ],
  deploy_keys: [
    {
      repository: "acme/web",
      user: "ann",
      title: "Server",
      key: "ssh-ed25519 AAAA",
      read_only: true,
      created_at: "now-1d"
    }
  ],
  blocks: [{ user: "ann", blocked: "ben" }],
  pull_requests: [
    {
      repository: "acme/web",
      user: "ann",
      title: "Change",
      body: "Text",
      head: "topic",
      head_repository: "acme/web",
      base: "main",
      draft: true,
      number: 7,
      labels: ["bug"],
      assignees: ["ben"],
      state: "closed",
      merge_commit: "main",
      closed_at: "now-1h",
      closed_by: "ann",
      created_at: "now-1d",
      comments: [{ user: "ben", body: "Good" }]
    }
  ],
  statuses: [
    {
      repository: "acme/web",
      sha: "main",
      creator: "ann",
      state: "success",
      context: "ci",
      description: "Built",
      target_url: "https://ci.example.com/1",
      created_at: "now-1d"
    }
  ],
  workflow_runs: [
    {
      repository: "acme/web",
      workflow: ".github/workflows/ci.yml",
      workflow_name: "CI",
      actor: "ann",
      id: 7,
      head_sha: "main",
      head_branch: "main",
      event: "push",
      display_title: "Begin",
      external_id: "7",
      status: "completed",
      conclusion: "success",
      created_at: "now-1d",
      jobs: [
        {
          name: "build",
          status: "completed",
          conclusion: "success",
          started_at: "now-2h",
          completed_at: "now-1h",
          labels: ["ubuntu-latest"],
          runner_name: "lamp",
          steps: [
            {
              name: "make",
              conclusion: "success",
              log_offset: 0,
              started_at: "now-2h",
              completed_at: "now-1h"
            }
          ],
          log: "Built\n"
        }
      ]
    }
  ],
  actions_caches: [
    {
      repository: "acme/web",
      ref: "refs/heads/main",
      key: "npm",
      version: "1",
      size_in_bytes: 5,
      created_at: "now-1d"
    }
  ],
  check_runs: [
    {
      repository: "acme/web",
      app: "robot",
      name: "lint",
      head_sha: "main",
      status: "completed",
      conclusion: "failure",
      external_id: "7",
      details_url: "https://ci.example.com/7",
      started_at: "now-2h",
      completed_at: "now-1h",
      title: "One remark",
      summary: "A line is too long",
      text: "See the line",
      annotations: [
        {
          path: "README.md",
          start_line: 1,
          end_line: 1,
          annotation_level: "warning",
          message: "Too long",
          title: "Length"
        }
      ]
    }
  ],
  environments: [
    {
      repository: "acme/web",
      name: "production",
      wait_timer: 5,
      prevent_self_review: true,
      reviewers: ["ann"],
      reviewer_teams: ["crew"],
      branches: "custom",
      branch_policies: ["main"],
      apps: ["robot"],
      created_at: "now-1d"
    }
  ],
  deployments: [
    {
      repository: "acme/web",
      creator: "ann",
      ref: "main",
      environment: "production",
      task: "deploy",
      description: "First",
      created_at: "now-1d",
      statuses: [
        {
          state: "success",
          description: "Done",
          log_url: "https://ci.example.com/8",
          environment_url: "https://web.example.com",
          created_at: "now-1h"
        }
      ]
    }
  ],
  secrets: [
    { repository: "acme/web", environment: "production", name: "TOKEN", value: "s", created_at: "now-1d" },
    { organization: "acme", name: "TOKEN", value: "s", visibility: "selected", repositories: ["acme/web"] }
  ],
  variables: [
    {
      organization: "acme",
      name: "REGION",
      value: "eu",
      visibility: "selected",
      repositories: ["acme/web"],
      created_at: "now-1d"
    },
    { repository: "acme/web", environment: "production", name: "REGION", value: "eu" }
  ],
  stars: [{ user: "ann", repository: "acme/web", starred_at: "2026-01-01T00:00:00Z" }],
  watching: [{ user: "ann", repository: "acme/web", ignored: true }],
  notifications: [
    {
      user: "ann",
      repository: "acme/web",
      issue: 1,
      reason: "mention",
      read: true,
      updated_at: "2026-01-01T00:00:00Z"
    }
  ],
  projects: [{ owner: "acme", number: 1, fields: [{ id: 1, name: "Status" }] }],
  rulesets: [
    {
      organization: "acme",
      name: "Rules",
      target: "branch",
      enforcement: "active",
      bypass_actors: [{ actor_id: 1, actor_type: "Team", bypass_mode: "always" }],
      conditions: { ref_name: { include: ["~ALL"], exclude: [] }, repository_id: { repository_ids: [1] } },
      rules: [{ type: "deletion" }, { type: "max_file_size", parameters: { max_file_size: 5 } }]
    },
    { repository: "acme/web", name: "Tags", target: "tag", enforcement: "active" }
  ],
  rule_suites: [
    {
      repository: "acme/web",
      user: "ann",
      ref: "refs/heads/main",
      before: "0",
      after: "1",
      result: "fail",
      evaluation_result: "pass",
      rules: [{ ruleset: "Rules", rule: "deletion", enforcement: "active", result: "fail", message: "no" }],
      created_at: "now-1d"
    }
  ],
  branch_protections: [
    {
      repository: "acme/web",
      branch: "main",
      required_checks: ["ci"],
      required_approving_review_count: 1,
      restrictions: { users: ["ann"], teams: ["lamp"], apps: ["robot"] },
      enforce_admins: true,
      required_signatures: true,
      required_linear_history: true,
      required_conversation_resolution: true,
      allow_force_pushes: true,
      allow_deletions: true,
      lock_branch: true
    }
  ],
  agent_configurations: [
    {
      repository: "acme/web",
      mcp_configuration: null,
      enabled_tools: {
        code_analysis: true,
        assistant_code_review: true,
        secret_scanning: true,
        dependency_vulnerability_checks: true
      },
      require_actions_workflow_approval: true,
      is_firewall_enabled: true,
      is_firewall_recommended_allowlist_enabled: true,
      custom_allowlist: []
    }
  ],
  billing_usage: [
    {
      organization: "acme",
      date: "now-1d",
      product: "actions",
      sku: "Actions Linux",
      quantity: 1,
      unitType: "minutes",
      pricePerUnit: 0.008,
      discountQuantity: 0,
      repositoryName: "web",
      user: "ann",
      model: "m"
    }
  ],
  events: [
    { type: "PushEvent", actor: "ann", repository: "acme/web", payload: {}, public: true, created_at: "now-1h" }
  ],
  api_requests: [
    {
      organization: "acme",
      user: "ann",
      subject_name: "bot",
      actor_type: "installation",
      actor_id: 1,
      http_method: "GET",
      api_route: "/user",
      hours: [1],
      rate_limited_hours: [0]
    }
  ],
  saved_searches: [{ user: "ann", name: "All", query: "x" }]
} satisfies Required<FixtureRows>

it("has the sections and the fields of the forge", async () => {
  const sections = await Effect.runPromise(Features.fixtures(import.meta.dirname))
  const given = new Map<string, ReadonlyArray<object>>(Object.entries(rows))
  assert.sameMembers(
    [...given.keys()],
    sections.map(({ key }) => key)
  )
  for (const { key, row } of sections) {
    const fields = new Set((given.get(key) ?? []).flatMap((one) => Object.keys(one)))
    if ("fields" in row) expect(fields.size, key).toBe(Object.keys(Object(row.fields)).length)
    for (const one of given.get(key) ?? []) {
      await Schema.decodeUnknownPromise(row)(one, { onExcessProperty: "error", errors: "all" }).catch(
        (error: unknown) => {
          throw new Error(`${key}: ${String(error)}`)
        }
      )
    }
  }
})

it("rejects wrong rows at compile time", () => {
  const wrong: ReadonlyArray<FixtureRows> = [
    // @ts-expect-error -- no such section
    { user: [] },
    // @ts-expect-error -- no such field
    { users: [{ login: "ann", admin: true }] },
    // @ts-expect-error -- a required field is missing
    { repositories: [{ private: true }] },
    // @ts-expect-error -- no such permission
    { collaborators: [{ repository: "acme/web", login: "ann", permission: "push" }] },
    // @ts-expect-error -- a text instead of a list
    { tokens: [{ token: "t", scopes: "repo" }] }
  ]
  assert.strictEqual(wrong.length, 5)
  // @ts-expect-error -- not the parameter of this rule
  const rule: RuleFixture = { type: "max_file_size", parameters: { size: 1 } }
  assert.isDefined(rule)
})
