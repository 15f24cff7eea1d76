import { assert, describe, it } from "@effect/vitest"
import { entries } from "./Catalog.ts"
import * as Exposure from "./Exposure.ts"
import * as Operation from "./Operation.ts"

/** What each writing operation gives to other people, at most. A new operation has to be added here with a decision. */
const decided: Readonly<Record<string, "access" | "data" | "nothing">> = {
  // A new repository is empty. The operations that later write to the repository decide about the content.
  "repositories.createForAuthenticatedUser": "nothing",
  "repositories.createInOrg": "nothing",
  "repositories.createUsingTemplate": "nothing",
  "repositories.transfer": "access",
  "autolinks.create": "nothing",
  "autolinks.delete": "nothing",
  "markdown.render": "nothing",
  "markdown.renderRaw": "nothing",
  "repositories.update": "access",
  "repositories.delete": "nothing",
  "repositories.replaceAllTopics": "nothing",
  "branches.rename": "nothing",
  "branches.merge": "nothing",
  "branches.mergeUpstream": "nothing",
  // Moves a name to a commit. The files of the commit were decided at the creation of the tree.
  "gitRefs.create": "nothing",
  "gitRefs.update": "nothing",
  "gitRefs.delete": "nothing",
  "gitCommits.create": "nothing",
  "gitTrees.create": "access",
  "gitBlobs.create": "nothing",
  "gitTags.create": "nothing",
  "contents.createOrUpdate": "access",
  "contents.delete": "nothing",
  "customProperties.delete": "nothing",
  "customProperties.set": "nothing",
  "customProperties.setAll": "nothing",
  "customProperties.setForRepo": "nothing",
  "customProperties.setValues": "nothing",
  "suggestions.apply": "access",
  "issues.create": "nothing",
  "issues.update": "nothing",
  "issues.lock": "nothing",
  "issues.unlock": "nothing",
  "issueComments.create": "nothing",
  "issueComments.update": "nothing",
  "issueComments.delete": "nothing",
  "issueComments.pin": "nothing",
  "issueComments.unpin": "nothing",
  "assignees.add": "nothing",
  "assignees.remove": "nothing",
  "labels.create": "nothing",
  "labels.update": "nothing",
  "labels.delete": "nothing",
  "labels.addToIssue": "nothing",
  "labels.setOnIssue": "nothing",
  "labels.removeAllFromIssue": "nothing",
  "labels.removeFromIssue": "nothing",
  "milestones.create": "nothing",
  "milestones.update": "nothing",
  "milestones.delete": "nothing",
  // A status and a check run are texts of a commit, and change no files.
  "statuses.create": "nothing",
  "checkRuns.create": "nothing",
  "checkRuns.update": "nothing",
  "checkRuns.rerequest": "nothing",
  "checkSuites.create": "nothing",
  "checkSuites.setPreferences": "nothing",
  "checkSuites.rerequest": "nothing",
  "subIssues.add": "nothing",
  "subIssues.remove": "nothing",
  "subIssues.reprioritize": "nothing",
  "issueDependencies.addBlockedBy": "nothing",
  "issueDependencies.removeBlockedBy": "nothing",
  "issueTypes.createForOrg": "nothing",
  "issueTypes.updateForOrg": "nothing",
  "issueTypes.deleteForOrg": "nothing",
  "reactions.createForIssue": "nothing",
  "reactions.deleteForIssue": "nothing",
  "reactions.createForIssueComment": "nothing",
  "reactions.deleteForIssueComment": "nothing",
  "reactions.createForCommitComment": "nothing",
  "reactions.deleteForCommitComment": "nothing",
  "reactions.createForReviewComment": "nothing",
  "reactions.deleteForReviewComment": "nothing",
  "reactions.createForRelease": "nothing",
  "reactions.deleteForRelease": "nothing",
  // A release publishes commits, notes and files to those who can read the repository already.
  "releases.create": "nothing",
  "releases.generateNotes": "nothing",
  "releases.update": "nothing",
  "releases.delete": "nothing",
  "releaseAssets.upload": "nothing",
  "releaseAssets.update": "nothing",
  "releaseAssets.delete": "nothing",
  "immutableReleases.enable": "nothing",
  "immutableReleases.disable": "nothing",
  "immutableReleases.setPolicy": "nothing",
  "immutableReleases.setSelected": "nothing",
  "immutableReleases.addSelected": "nothing",
  "immutableReleases.removeSelected": "nothing",
  "commitComments.create": "nothing",
  "commitComments.update": "nothing",
  "commitComments.delete": "nothing",
  "reviewComments.create": "nothing",
  "reviewComments.createReply": "nothing",
  "reviewComments.update": "nothing",
  "reviewComments.delete": "nothing",
  "reviews.create": "nothing",
  "reviews.submit": "nothing",
  "reviews.update": "nothing",
  "reviews.deletePending": "nothing",
  "reviews.dismiss": "nothing",
  "reviewRequests.create": "nothing",
  "reviewRequests.delete": "nothing",
  "deployments.create": "nothing",
  "deployments.delete": "nothing",
  "deploymentStatuses.create": "nothing",
  "environments.createOrUpdate": "nothing",
  "environments.delete": "nothing",
  "deploymentBranchPolicies.create": "nothing",
  "deploymentBranchPolicies.update": "nothing",
  "deploymentBranchPolicies.delete": "nothing",
  "deploymentProtectionRules.create": "nothing",
  "deploymentProtectionRules.delete": "nothing",
  "artifacts.delete": "nothing",
  // The forge runs nothing: a runner of the repository decides about a dispatch.
  "workflows.disable": "nothing",
  "workflows.enable": "nothing",
  "workflows.dispatch": "nothing",
  "workflows.sendEvent": "nothing",
  "workflowRuns.delete": "nothing",
  "workflowRuns.rerun": "nothing",
  "workflowRuns.rerunFailedJobs": "nothing",
  "workflowRuns.cancel": "nothing",
  "workflowRuns.cancelForcibly": "nothing",
  "workflowRuns.approve": "access",
  "pendingDeployments.review": "access",
  "pendingDeployments.decide": "access",
  "workflowRuns.deleteLogs": "nothing",
  "workflowJobs.rerun": "nothing",
  "actionsCaches.deleteByKey": "nothing",
  "actionsCaches.delete": "nothing",
  "runReports.report": "nothing",
  "runReports.uploadLog": "nothing",
  "runReports.createCache": "nothing",
  "repositoryHooks.create": "data",
  "repositoryHooks.update": "data",
  "repositoryHooks.delete": "nothing",
  "repositoryHooks.updateConfig": "data",
  // Sends again what the receiver has been sent, or could ask for, to the address that the webhook has.
  "repositoryHooks.redeliverDelivery": "nothing",
  "repositoryHooks.ping": "nothing",
  "repositoryHooks.testPush": "nothing",
  "organizationHooks.create": "data",
  "organizationHooks.update": "data",
  "organizationHooks.delete": "nothing",
  "organizationHooks.updateConfig": "data",
  "organizationHooks.redeliverDelivery": "nothing",
  "organizationHooks.ping": "nothing",
  "workflowPolicies.setPermissions": "access",
  "workflowPolicies.setArtifactAndLogRetention": "nothing",
  "workflowPolicies.setForkPrContributorApproval": "access",
  "workflowPolicies.setPrivateRepoForkPrWorkflows": "access",
  "cacheLimits.setRetentionForEnterprise": "nothing",
  "cacheLimits.setStorageForEnterprise": "nothing",
  "cacheLimits.setRetentionForOrg": "nothing",
  "cacheLimits.setStorageForOrg": "nothing",
  "repositorySecrets.createOrUpdate": "nothing",
  "repositorySecrets.delete": "nothing",
  "environmentSecrets.createOrUpdate": "nothing",
  "environmentSecrets.delete": "nothing",
  // Workflows of other repositories get the value.
  "organizationSecrets.createOrUpdate": "access",
  "organizationSecrets.delete": "nothing",
  "organizationSecrets.setSelectedRepositories": "access",
  "organizationSecrets.addSelectedRepository": "access",
  "organizationSecrets.removeSelectedRepository": "nothing",
  "repositoryVariables.create": "nothing",
  "repositoryVariables.update": "nothing",
  "repositoryVariables.delete": "nothing",
  "environmentVariables.create": "nothing",
  "environmentVariables.update": "nothing",
  "environmentVariables.delete": "nothing",
  "organizationVariables.create": "access",
  "organizationVariables.update": "access",
  "organizationVariables.delete": "nothing",
  "organizationVariables.setSelectedRepositories": "access",
  "organizationVariables.addSelectedRepository": "access",
  "organizationVariables.removeSelectedRepository": "nothing",
  "projectViews.createForOrg": "nothing",
  "projectViews.createForUser": "nothing",
  "pulls.create": "nothing",
  "pulls.merge": "nothing",
  "pulls.update": "nothing",
  "pulls.updateBranch": "nothing",
  // Everyone sees a public address.
  "users.update": "data",
  "emails.setVisibility": "data",
  "emails.add": "nothing",
  "emails.delete": "nothing",
  "users.suspend": "nothing",
  "users.unsuspend": "access",
  "users.delete": "nothing",
  "followers.follow": "nothing",
  "followers.unfollow": "nothing",
  // Signatures of the key count as those of the account.
  "gpgKeys.createForAuthenticatedUser": "access",
  "gpgKeys.deleteForAuthenticatedUser": "nothing",
  "sshSigningKeys.createForAuthenticatedUser": "access",
  "sshSigningKeys.deleteForAuthenticatedUser": "nothing",
  "keys.createForAuthenticatedUser": "access",
  "keys.deleteForAuthenticatedUser": "nothing",
  "deployKeys.create": "access",
  "deployKeys.delete": "nothing",
  "collaborators.add": "access",
  "collaborators.remove": "nothing",
  "repositoryInvitations.update": "access",
  "repositoryInvitations.delete": "nothing",
  "repositoryInvitations.accept": "nothing",
  "repositoryInvitations.decline": "nothing",
  "organizations.update": "access",
  "organizationMembers.remove": "nothing",
  "organizationMembers.setPublic": "data",
  "organizationMembers.removePublic": "nothing",
  "organizationMemberships.set": "access",
  "organizationMemberships.remove": "nothing",
  "organizationMemberships.updateForAuthenticatedUser": "nothing",
  "organizationInvitations.create": "access",
  "organizationInvitations.cancel": "nothing",
  // The account keeps the access that it has by its teams.
  "outsideCollaborators.convert": "nothing",
  "outsideCollaborators.remove": "nothing",
  "teams.create": "access",
  "teams.update": "access",
  "teams.delete": "nothing",
  "teamMembers.add": "access",
  "teamMembers.remove": "nothing",
  "teamRepositories.add": "access",
  "teamRepositories.remove": "nothing",
  "watching.set": "nothing",
  "watching.delete": "nothing",
  "notifications.markRead": "nothing",
  "notifications.markReadForRepo": "nothing",
  "notifications.markThreadRead": "nothing",
  "notifications.markThreadDone": "nothing",
  "notifications.setSubscription": "nothing",
  "notifications.deleteSubscription": "nothing",
  "forks.create": "nothing",
  "stars.star": "nothing",
  "stars.unstar": "nothing",
  "blocks.block": "nothing",
  // The user may do again what everyone may.
  "blocks.unblock": "nothing",
  "blocks.blockForOrg": "nothing",
  "blocks.unblockForOrg": "nothing",
  // A ruleset only forbids. A bypass frees its actor from that ruleset alone.
  "rulesets.createForOrg": "nothing",
  "rulesets.updateForOrg": "nothing",
  "rulesets.deleteForOrg": "nothing",
  "repositoryRulesets.create": "nothing",
  "repositoryRulesets.update": "nothing",
  "repositoryRulesets.delete": "nothing",
  "branchProtections.update": "nothing",
  "branchProtections.delete": "nothing",
  "branchProtections.setAdmins": "nothing",
  "branchProtections.deleteAdmins": "nothing",
  "branchProtections.updateReviews": "nothing",
  "branchProtections.deleteReviews": "nothing",
  "branchProtections.createSignatures": "nothing",
  "branchProtections.deleteSignatures": "nothing",
  "branchProtections.updateChecks": "nothing",
  "branchProtections.deleteChecks": "nothing",
  "branchProtections.addContexts": "nothing",
  "branchProtections.setContexts": "nothing",
  "branchProtections.removeContexts": "nothing",
  "branchRestrictions.delete": "nothing",
  "branchRestrictions.addApps": "nothing",
  "branchRestrictions.setApps": "nothing",
  "branchRestrictions.removeApps": "nothing",
  "branchRestrictions.addTeams": "nothing",
  "branchRestrictions.setTeams": "nothing",
  "branchRestrictions.removeTeams": "nothing",
  "branchRestrictions.addUsers": "nothing",
  "branchRestrictions.setUsers": "nothing",
  "branchRestrictions.removeUsers": "nothing",
  "installations.addRepo": "access",
  "installations.removeRepo": "nothing",
  "installations.revokeAccessToken": "nothing",
  "savedSearches.create": "nothing",
  "savedSearches.update": "nothing",
  "savedSearches.delete": "nothing",
  "savedSearches.markSeen": "nothing"
}

const operationOf = (id: string): Operation.Operation => {
  const found = entries.find(({ group, name }) => `${group}.${name}` === id)
  if (found === undefined) throw new Error(`the contract has no ${id}`)
  return found.operation
}

const gives = (id: string, input: Readonly<Record<string, unknown>>) =>
  Operation.exposureOf(operationOf(id), input) !== undefined

describe("every operation that writes", () => {
  it("is decided about", () => {
    const writes = entries.filter(({ readonly }) => !readonly)
    assert.deepStrictEqual(
      Object.fromEntries(
        writes.map(({ group, name, operation }) => [`${group}.${name}`, operation.exposure?.gives ?? "nothing"])
      ),
      decided
    )
  })

  it("names only its own arguments, and says a sentence", () => {
    for (const { fields, group, name, operation } of entries) {
      const { exposure } = operation
      if (exposure === undefined) continue
      const names = fields.map((field) => field.name)
      const used = [...exposure.consequence.matchAll(/\{(\w+)/g)].map(([, first = ""]) => first)
      const conditions =
        exposure.when !== undefined && "values" in exposure.when ? Object.keys(exposure.when.values) : []
      assert.includeMembers(names, [...used, ...conditions], `${group}.${name}`)
      assert.match(Exposure.describe(exposure, {}, String), /^[A-Z][^{}|]+\.$/)
    }
  })
})

describe("what a call gives", () => {
  it("depends on its arguments", () => {
    assert.isTrue(gives("repositories.update", { visibility: "public" }))
    assert.isTrue(gives("repositories.update", { private: false }))
    assert.isFalse(gives("repositories.update", { private: true, visibility: "private", description: "x" }))
    assert.isTrue(gives("repositoryHooks.update", { events: ["push"] }))
    assert.isFalse(gives("repositoryHooks.update", { active: false, remove_events: ["push"] }))
    assert.isFalse(gives("workflowPolicies.setPermissions", { enabled_repositories: "none" }))
    assert.isTrue(gives("workflowPolicies.setPrivateRepoForkPrWorkflows", { send_secrets_and_variables: true }))
    assert.isFalse(
      gives("workflowPolicies.setPrivateRepoForkPrWorkflows", { run_workflows_from_fork_pull_requests: false })
    )
    assert.isFalse(
      gives("workflowPolicies.setForkPrContributorApproval", { approval_policy: "all_external_contributors" })
    )
  })

  it("includes what a workflow file can do, by its path", () => {
    for (const path of [
      ".github/workflows/a.yml",
      "/.github//workflows/a.yml",
      ".GitHub/./Workflows/a",
      ".github/workflows"
    ])
      assert.isTrue(gives("contents.createOrUpdate", { path, content: "on: push" }), path)
    for (const path of [
      ".github/CODEOWNERS",
      "github/workflows/a.yml",
      "docs/.github/workflows/a.yml",
      ".github/workflows2/a"
    ])
      assert.isFalse(gives("contents.createOrUpdate", { path, content: "on: push" }), path)
    const tree = (entry: object) => ({ tree: [{ path: "a", mode: "100644", content: "" }, entry] })
    assert.isTrue(gives("gitTrees.create", tree({ path: ".github/workflows/a.yml", mode: "100644", content: "" })))
    assert.isTrue(gives("gitTrees.create", tree({ path: ".github", mode: "040000", sha: "1" })))
    assert.isFalse(gives("gitTrees.create", tree({ path: ".github/workflows/a.yml", mode: "100644", sha: null })))
    assert.isFalse(gives("gitTrees.create", tree({ path: ".github", mode: "100644", content: "" })))
  })

  it("is said with the values of the call", () => {
    const say = (id: string, input: Readonly<Record<string, unknown>>) => {
      const { exposure } = operationOf(id)
      return exposure === undefined ? "" : Exposure.describe(exposure, input, JSON.stringify)
    }
    assert.strictEqual(
      say("repositoryHooks.create", { config: { url: "https://a.test/$&" } }),
      'The events of the repository, with their content, are sent to "https://a.test/$&".'
    )
    assert.include(say("repositoryHooks.update", { events: ["push"] }), "are sent to the address of the webhook.")
    assert.include(say("repositories.update", { private: false }), "Everyone can read all files")
  })
})
