/** octocrab, unmodified, calls every operation that it has a method for, in all groups of the contract. */
import { impossible } from "./ClientForge.test-support.ts"
import { operationsOf, testProgram } from "./CompiledClients.test-support.ts"

testProgram(
  {
    folder: "rust",
    needs: ["cargo"],
    download: ["cargo", "fetch", "--locked", "--quiet"],
    build: ["cargo", "build", "--locked", "--offline", "--quiet"],
    run: ["target/debug/clients"],
    env: { CARGO_TARGET_DIR: "target" }
  },
  [
    "rateLimit",
    "users",
    "organizations",
    "branches",
    "tags",
    "commits",
    "search",
    "events",
    "repositories",
    "gitRefs",
    "gitBlobs",
    "gitTrees",
    "gitCommits",
    "gitTags",
    "contents",
    "contents: write",
    "branches: write",
    "archives",
    "artifacts",
    "commitComments",
    "reviewComments",
    "repositoryHooks",
    "organizationHooks",
    "workflowPolicies",
    "cacheLimits",
    "billing",
    "projectViews",
    "agentConfigurations",
    "rulesets",
    "keys",
    "deployKeys",
    "blocks",
    "installations",
    "organizations: people",
    "organizationMembers",
    "organizationMemberships",
    "organizationInvitations",
    "outsideCollaborators",
    "teams",
    "teamMembers",
    "teamRepositories",
    "collaborators",
    "repositoryInvitations",
    "stars",
    "watching",
    "notifications",
    "users: profiles",
    "followers",
    "emails",
    "gpgKeys",
    "sshSigningKeys",
    "blocks: organization",
    "issues",
    "issues: search",
    "issueComments",
    "issueEvents",
    "assignees",
    "labels",
    "milestones",
    "subIssues",
    "issueDependencies",
    "issueTypes",
    "reactions"
  ],
  {
    client: "octocrab",
    version: "0.54.9",
    language: "Rust",
    absent: ["root.get"],
    fails: {
      ...impossible,
      "blocks.unblock": "the user is unblocked, but octocrab expects JSON instead of an empty 204",
      "teamRepositories.check": "octocrab expects a repository instead of an empty 204, and does not ask for one",
      "emails.setVisibility": "octocrab sends the visibility with quotation marks",
      ...Object.fromEntries(
        [
          "gpgKeys.listForAuthenticatedUser",
          "gpgKeys.createForAuthenticatedUser",
          "gpgKeys.getForAuthenticatedUser",
          "gpgKeys.listForUser"
        ].map((name) => [name, "octocrab expects a number instead of null as `primary_key_id`"])
      ),
      "issueComments.update": "octocrab sends POST instead of PATCH",
      ...Object.fromEntries(
        operationsOf("insights").map((name) => [name, "octocrab does not send `min_timestamp`, which is required"])
      )
    }
  }
)
