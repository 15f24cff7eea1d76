/** go-github, unmodified, calls every operation that it has a method for, in all groups of the contract. */
import { impossible } from "./ClientForge.test-support.ts"
import { operationsOf, testProgram } from "./CompiledClients.test-support.ts"

testProgram(
  {
    folder: "go",
    needs: ["go"],
    download: ["go", "mod", "download"],
    build: ["go", "build", "-o", "clients", "."],
    run: ["./clients"]
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
    "billing",
    "projectViews",
    "agentConfigurations",
    "rulesets",
    "keys",
    "deployKeys",
    "blocks",
    "installations",
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
    client: "go-github",
    version: "92.0.0",
    language: "Go",
    absent: [
      "root.get",
      "contents.getReadmeInDirectory",
      "issueComments.pin",
      "issueComments.unpin",
      "assignees.checkForIssue",
      "issueTypes.listForRepo",
      ...operationsOf("cacheLimits", "insights")
    ],
    fails: impossible
  }
)
