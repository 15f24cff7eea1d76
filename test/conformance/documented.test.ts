/** The contract declares exactly the statuses that the API's specification lists for each operation. */
import { assert, describe, it } from "@effect/vitest"
import { entries } from "@tongs/core/contract/Catalog"

/** Statuses of the specification by operation. 304, 401, 403, 500 and 503 apply to all operations. */
const documented: Readonly<Record<string, ReadonlyArray<number>>> = {
  "commitComments.listForRepo": [200],
  "commitComments.get": [200, 404],
  "commitComments.update": [200, 404],
  "commitComments.delete": [204, 404],
  "gitRefs.listMatching": [200, 409],
  "gitRefs.get": [200, 404, 409],
  "gitRefs.create": [201, 409, 422],
  "gitRefs.update": [200, 409, 422],
  "gitRefs.delete": [204, 409, 422],
  "gitCommits.create": [201, 404, 409, 422],
  "gitCommits.get": [200, 404, 409],
  "artifacts.listForRepo": [200],
  "artifacts.get": [200],
  "artifacts.delete": [204],
  "artifacts.download": [302, 410],
  "artifacts.listForWorkflowRun": [200],
  "reviewComments.listForRepo": [200],
  "reviewComments.get": [200, 404],
  "reviewComments.update": [200],
  "repositoryHooks.list": [200, 404],
  "repositoryHooks.create": [201, 404, 422],
  "repositoryHooks.get": [200, 404],
  "repositoryHooks.update": [200, 404, 422],
  "workflowPolicies.getPermissions": [200],
  "workflowPolicies.setPermissions": [204],
  "workflowPolicies.getArtifactAndLogRetention": [200, 404],
  "workflowPolicies.setArtifactAndLogRetention": [204, 404, 409, 422],
  "workflowPolicies.getForkPrContributorApproval": [200, 404],
  "workflowPolicies.setForkPrContributorApproval": [204, 404, 422],
  "workflowPolicies.getPrivateRepoForkPrWorkflows": [200, 404],
  "cacheLimits.getRetentionForEnterprise": [200, 404],
  "cacheLimits.setRetentionForEnterprise": [204, 400, 404],
  "cacheLimits.getStorageForEnterprise": [200, 404],
  "cacheLimits.setStorageForEnterprise": [204, 400, 404],
  "cacheLimits.getRetentionForOrg": [200, 404],
  "cacheLimits.setRetentionForOrg": [204, 400, 404],
  "cacheLimits.getStorageForOrg": [200, 404],
  "insights.getRouteStatsByActor": [200],
  "insights.getSubjectStats": [200],
  "insights.getSummaryStats": [200],
  "insights.getSummaryStatsByUser": [200],
  "insights.getSummaryStatsByActor": [200],
  "insights.getTimeStats": [200],
  "billing.getAiCreditUsageReportForOrg": [200, 400, 404],
  "billing.getPremiumRequestUsageReportForOrg": [200, 400, 404],
  "billing.getUsageReportForOrg": [200, 400],
  "billing.getUsageSummaryReportForOrg": [200, 400],
  "keys.listForAuthenticatedUser": [200, 404],
  "keys.createForAuthenticatedUser": [201, 404, 422],
  "keys.getForAuthenticatedUser": [200, 404],
  "keys.deleteForAuthenticatedUser": [204, 404],
  "keys.listForUser": [200],
  "blocks.listBlockedByAuthenticatedUser": [200, 404],
  "blocks.checkBlocked": [204, 404],
  "blocks.block": [204, 404, 422],
  "blocks.unblock": [204, 404],
  "installations.listReposAccessibleToInstallation": [200],
  "installations.revokeAccessToken": [204],
  "installations.listForAuthenticatedUser": [200],
  "projectViews.createForOrg": [201, 404, 422],
  "projectViews.createForUser": [201, 404, 422],
  "rulesets.listForOrg": [200, 404],
  "agentConfigurations.get": [200, 404],
  "organizationHooks.list": [200, 404],
  "organizationHooks.create": [201, 404, 422],
  "organizationHooks.get": [200, 404],
  "organizationHooks.update": [200, 404, 422],
  "organizationHooks.delete": [204, 404],
  "search.code": [200, 422]
}

describe("documented statuses", () => {
  for (const [name, wanted] of Object.entries(documented)) {
    it(name, () => {
      const entry = entries.find((one) => `${one.group}.${one.name}` === name)
      assert.isDefined(entry)
      const { endpoint, failures, fields, status } = entry
      const declared = [status, ...failures]
      assert.includeMembers(declared, [...wanted])
      // 404 also hides private resources. Invalid input is 422, or 400 if so documented.
      const general = [
        ...(endpoint.path.includes(":") ? [404] : []),
        ...(fields.length > 0 && !wanted.includes(400) ? [422] : [])
      ]
      assert.includeMembers([...wanted, ...general], declared)
    })
  }
})
