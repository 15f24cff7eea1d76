/** The contract declares for each operation the statuses that spec/2 §4 and spec/3 §4 list for it, and no others. */
import { assert, describe, it } from "@effect/vitest"
import { entries } from "@tongs/core/contract/Catalog"

/** Statuses by operation, as the documents list them. 304, 401, 403, 500 and 503 hold for every operation. */
const documented: Readonly<Record<string, ReadonlyArray<number>>> = {
  "commitComments.list": [200],
  "commitComments.get": [200, 404],
  "commitComments.update": [200, 404],
  "commitComments.delete": [204, 404],
  "gitRefs.matching": [200, 409],
  "gitRefs.get": [200, 404, 409],
  "gitRefs.create": [201, 409, 422],
  "gitRefs.update": [200, 409, 422],
  "gitRefs.delete": [204, 409, 422],
  "gitCommits.create": [201, 404, 409, 422],
  "gitCommits.get": [200, 404, 409],
  "artifacts.list": [200],
  "artifacts.get": [200],
  "artifacts.delete": [204],
  "artifacts.download": [302, 410],
  "artifacts.listForRun": [200],
  "reviewComments.list": [200],
  "reviewComments.get": [200, 404],
  "reviewComments.update": [200],
  "repositoryHooks.list": [200, 404],
  "repositoryHooks.create": [201, 404, 422],
  "repositoryHooks.get": [200, 404],
  "repositoryHooks.update": [200, 404, 422],
  "workflowPolicies.getPermissions": [200],
  "workflowPolicies.setPermissions": [204],
  "workflowPolicies.getRetention": [200, 404],
  "workflowPolicies.setRetention": [204, 404, 409, 422],
  "workflowPolicies.getForkApproval": [200, 404],
  "workflowPolicies.setForkApproval": [204, 404, 422],
  "workflowPolicies.getPrivateForkWorkflows": [200, 404],
  "cacheLimits.getEnterpriseRetention": [200, 404],
  "cacheLimits.setEnterpriseRetention": [204, 400, 404],
  "cacheLimits.getEnterpriseStorage": [200, 404],
  "cacheLimits.setEnterpriseStorage": [204, 400, 404],
  "cacheLimits.getOrganizationRetention": [200, 404],
  "cacheLimits.setOrganizationRetention": [204, 400, 404],
  "cacheLimits.getOrganizationStorage": [200, 404],
  "insights.routeStats": [200],
  "insights.subjectStats": [200],
  "insights.summaryStats": [200],
  "insights.summaryStatsByUser": [200],
  "insights.summaryStatsByActor": [200],
  "insights.timeStats": [200],
  "billing.aiCreditUsage": [200, 400, 404],
  "billing.premiumRequestUsage": [200, 400, 404],
  "billing.usage": [200, 400],
  "billing.usageSummary": [200, 400],
  "keys.mine": [200, 404],
  "keys.create": [201, 404, 422],
  "keys.get": [200, 404],
  "keys.delete": [204, 404],
  "keys.list": [200],
  "blocks.list": [200, 404],
  "blocks.check": [204, 404],
  "blocks.block": [204, 404, 422],
  "blocks.unblock": [204, 404],
  "installations.repositories": [200],
  "installations.revokeToken": [204],
  "installations.mine": [200],
  "projectViews.createForOrganization": [201, 404, 422],
  "projectViews.createForUser": [201, 404, 422],
  "rulesets.list": [200, 404],
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
      // A path may name something hidden (spec/4 "Errors"); other wrong input is 422 (spec/1 §7) unless it is 400.
      const general = [
        ...(endpoint.path.includes(":") ? [404] : []),
        ...(fields.length > 0 && !wanted.includes(400) ? [422] : [])
      ]
      assert.includeMembers([...wanted, ...general], declared)
    })
  }
})
