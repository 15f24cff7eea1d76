/**
 * The GitHub API for Java, unmodified, calls every operation that it has a method for, in all groups of the contract.
 */
import { impossible } from "./ClientForge.test-support.ts"
import { operationsOf, testProgram } from "./CompiledClients.test-support.ts"

testProgram(
  {
    folder: "java",
    needs: ["javac", "mvn"],
    download: ["mvn", "-B", "-q", "dependency:copy-dependencies", "-DoutputDirectory=lib"],
    build: [
      "javac",
      "-encoding",
      "UTF-8",
      "-nowarn",
      "-d",
      "classes",
      "-cp",
      "lib/*",
      "Clients.java",
      "Readings.java",
      "Writings.java",
      "Account.java"
    ],
    run: ["java", "-Dfile.encoding=UTF-8", "-cp", "classes:lib/*", "Clients"]
  },
  [
    "root",
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
    "repositoryHooks",
    "organizationHooks",
    "keys",
    "installations"
  ],
  {
    client: "GitHub API for Java",
    version: "2.0-rc.6",
    language: "Java",
    absent: [
      "branches.rename",
      "gitRefs.get",
      "gitCommits.get",
      "commitComments.get",
      "artifacts.listForWorkflowRun",
      "events.listReceivedForUser",
      "repositoryHooks.update",
      "repositoryHooks.getConfig",
      "repositoryHooks.updateConfig",
      "repositoryHooks.listDeliveries",
      "repositoryHooks.getDelivery",
      "repositoryHooks.redeliverDelivery",
      "repositoryHooks.testPush",
      "organizationHooks.update",
      "organizationHooks.getConfig",
      "organizationHooks.updateConfig",
      "organizationHooks.listDeliveries",
      "organizationHooks.getDelivery",
      "organizationHooks.redeliverDelivery",
      "keys.getForAuthenticatedUser",
      "installations.revokeAccessToken",
      ...operationsOf(
        "reviewComments",
        "workflowPolicies",
        "cacheLimits",
        "billing",
        "projectViews",
        "agentConfigurations",
        "blocks",
        "rulesets",
        "insights"
      )
    ],
    fails: impossible
  }
)
