import { assert, describe, it } from "@effect/vitest"
import { entries } from "@tongs/core/contract/Catalog"
import * as OperationName from "./OperationName.ts"
import * as OperationSearch from "./OperationSearch.ts"

const search = (query: string) => OperationSearch.search(query).map(OperationName.idOf)

/** Questions of agents, and the operation that answers each. */
const questions = [
  ["hooks redeliver", "repositoryHooks.redeliverDelivery"],
  ["delete a branch", "gitRefs.delete"],
  ["remove webhook", "repositoryHooks.delete"],
  ["list failed webhook deliveries", "repositoryHooks.listDeliveries"],
  ["organization webhook delivery payload", "organizationHooks.getDelivery"],
  ["who am i", "users.getAuthenticated"],
  ["create a new branch", "gitRefs.create"],
  ["force push a branch", "gitRefs.update"],
  ["download artifact zip", "artifacts.download"],
  ["artifacts of a run", "artifacts.listForWorkflowRun"],
  ["edit a commit comment", "commitComments.update"],
  ["pull request review comments", "reviewComments.listForRepo"],
  ["list my repositories", "repositories.listForAuthenticatedUser"],
  ["new repo in org", "repositories.createInOrg"],
  ["make repository private", "repositories.update"],
  ["archive repo", "repositories.update"],
  ["programming languages of repo", "repositories.listLanguages"],
  ["which organizations am I in", "organizations.listForAuthenticatedUser"],
  ["who last changed each line", "history.getBlame"],
  ["find definition of function", "codeNavigation.listDefinitions"],
  ["outline of a file", "codeNavigation.getOutline"],
  ["files not indexed", "codeIndex.listLeftOut"],
  ["commits per day", "history.getActivity"],
  ["compare two commits", "commits.compare"],
  ["create commit object", "gitCommits.create"],
  ["annotated tag", "gitTags.get"],
  ["read a file", "contents.get"],
  ["add ssh key", "keys.createForAuthenticatedUser"],
  ["remove ssh key", "keys.deleteForAuthenticatedUser"],
  ["block a user", "blocks.block"],
  ["check if a user is blocked", "blocks.checkBlocked"],
  ["set artifact retention days", "workflowPolicies.setArtifactAndLogRetention"],
  ["fork pull request approval policy", "workflowPolicies.getForkPrContributorApproval"],
  ["cache storage limit of enterprise", "cacheLimits.getStorageForEnterprise"],
  ["ai credits usage", "billing.getAiCreditUsageReportForOrg"],
  ["billing usage summary", "billing.getUsageSummaryReportForOrg"],
  ["requests per user in organization", "insights.getSummaryStatsByUser"],
  ["api requests over time", "insights.getTimeStats"],
  ["events of a repository", "events.listForRepo"],
  ["rate limit", "rateLimit.get"],
  ["rotate webhook secret", "repositoryHooks.updateConfig"],
  ["test webhook", "repositoryHooks.testPush"],
  ["revoke installation token", "installations.revokeAccessToken"],
  ["create project view", "projectViews.createForOrg"],
  ["repositry hoks", "repositoryHooks.list"],
  ["delet artefact", "artifacts.delete"]
] as const // pairs

describe("a search for operations", () => {
  for (const [question, expected] of questions) {
    it(`finds ${expected} for: ${question}`, () => assert.include(search(question).slice(0, 3), expected))
  }

  it("finds the best operation first for most questions", () => {
    const first = questions.filter(([question, expected]) => search(question)[0] === expected)
    assert.isAtLeast(first.length, 36)
  })

  it("finds exactly the operation of a name, in any spelling", () => {
    for (const entry of entries) {
      const { endpoint, group, name, operation, tool } = entry
      const id = `${group}.${name}`
      assert.deepStrictEqual(search(id), [id])
      assert.deepStrictEqual(search(tool), [id])
      assert.deepStrictEqual(search(`${endpoint.method} ${endpoint.path}`), [id])
      assert.deepStrictEqual(search(OperationName.routeOf(entry)), [id])
      if (operation.command !== "") assert.deepStrictEqual(search(entry.command), [id])
    }
  })

  it("finds the operations of a path, also of a certain resource", () => {
    assert.deepStrictEqual(search("PATCH /repos/{owner}/{repo}"), ["repositories.update"])
    assert.deepStrictEqual(search("GET https://forge.test/api/v3/repos/octo/hello/git/ref/heads/a/b"), ["gitRefs.get"])
    assert.sameMembers(search("/repos/octo/hello/hooks/1?x=y"), [
      "repositoryHooks.get",
      "repositoryHooks.update",
      "repositoryHooks.delete"
    ])
  })

  it("finds nothing if the forge cannot create or delete what the query names", () => {
    for (const query of ["open new discussion", "create a discussion", "delete discussion"])
      assert.deepStrictEqual(search(query), [], query)
    for (const query of [
      "add webhook",
      "create tag",
      "new file",
      "remove comment",
      "open new issue",
      "add label",
      "delete saved search",
      "create ruleset",
      "create a release",
      "delete release"
    ])
      assert.isNotEmpty(search(query), query)
  })

  it("finds nothing for words of no operation, and stays fast for long queries", () => {
    assert.deepStrictEqual(search("zzzzzz qqqq"), [])
    assert.deepStrictEqual(search(""), [])
    assert.isArray(search("x".repeat(100_000)))
    assert.isArray(search("hook ".repeat(50_000)))
  })
})
