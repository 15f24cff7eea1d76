import { assert, describe, it } from "@effect/vitest"
import * as Args from "./Arguments.ts"
import { type CatalogEntry, entries } from "./Catalog.ts"
import * as Relations from "./Relations.ts"
import { nameOf } from "./Relations.test-support.ts"

const entry = (name: string): CatalogEntry => {
  const found = entries.find((each) => nameOf(each) === name)
  assert.isDefined(found, name)
  return found
}

const reads = entries.filter(({ readonly }) => readonly)
const detail = (name: string) => {
  const found = Relations.detail(entry(name))
  return found === undefined ? undefined : nameOf(found)
}
const children = (name: string) => Relations.children(entry(name)).map(nameOf)
const writes = (name: string) => Relations.writes(entry(name)).map((write) => `${write.target} ${nameOf(write.entry)}`)

describe("the contract", () => {
  it("has a way from a place to every operation that reads", () => {
    const reached = new Set(reads.filter(Relations.isAtPlace))
    assert.isAbove(reached.size, 40)
    for (const each of reached)
      for (const next of [...Relations.details(each), ...Relations.children(each)]) reached.add(next)
    // A list of names has no items with parameters.
    assert.deepStrictEqual(reads.filter((each) => !reached.has(each)).map(nameOf), ["gitignore.getTemplate"])
  })

  it("has a screen for every operation that writes", () => {
    const offered = new Set(reads.flatMap((each) => Relations.writes(each).map((write) => write.entry)))
    const unreachable = entries.filter((each) => !each.readonly && !offered.has(each))
    assert.deepStrictEqual(unreachable.map(nameOf), [])
  })

  it("has only operations in the details, children and writes of a screen whose path is known or can be typed", () => {
    // No operation reads projects, so the number of a project must be typed; so must the ids of an issue
    // and of a repository of an installation, and a template.
    const typed = new Set([
      "repositories.createUsingTemplate",
      "projectViews.createForOrg",
      "projectViews.createForUser",
      "issueDependencies.removeBlockedBy",
      "installations.addRepo",
      "installations.removeRepo"
    ])
    for (const each of reads) {
      const names = [...Args.requiredPathKeys(each), ...Object.keys(Args.given(each))]
      const known = Object.fromEntries(names.map((name) => [name, "x"]))
      const offered = [
        ...Relations.details(each),
        ...Relations.children(each),
        ...Relations.writes(each)
          .filter(({ target }) => target === "item")
          .map((write) => write.entry)
      ].filter((target) => !typed.has(nameOf(target)))
      for (const target of offered)
        assert.isTrue(Relations.isAddressed(target, known), `${nameOf(each)}: ${nameOf(target)}`)
    }
  })
})

describe("the detail of a list", () => {
  it("is the operation that returns one item", () => {
    assert.strictEqual(detail("repositoryHooks.list"), "repositoryHooks.get")
    assert.strictEqual(detail("organizationHooks.list"), "organizationHooks.get")
    assert.strictEqual(detail("repositoryHooks.listDeliveries"), "repositoryHooks.getDelivery")
    assert.strictEqual(detail("commits.list"), "commits.get")
    assert.strictEqual(detail("keys.listForAuthenticatedUser"), "keys.getForAuthenticatedUser")
    assert.strictEqual(detail("repositories.listForOrg"), "repositories.get")
    assert.strictEqual(detail("installations.listReposAccessibleToInstallation"), "repositories.get")
    assert.strictEqual(detail("artifacts.listForWorkflowRun"), "artifacts.get")
    assert.strictEqual(detail("gitRefs.listMatching"), "gitRefs.get")
    assert.strictEqual(detail("blocks.listBlockedByAuthenticatedUser"), "users.getByUsername")
    assert.strictEqual(detail("contents.get"), "contents.get")
    assert.strictEqual(detail("rulesets.listForOrg"), "rulesets.getForOrg")
  })

  it("is absent if no operation returns one item", () => {
    for (const name of ["events.listForRepo", "billing.getUsageReportForOrg", "keys.listForUser"])
      assert.isUndefined(detail(name), name)
    assert.isUndefined(detail("repositoryHooks.get"))
  })

  it("is the declared operation that fits the item", () => {
    const tree = entry("gitTrees.get")
    const open = (type: string) =>
      Relations.detail(tree, Relations.argumentsOf(tree, { owner: "o", repo: "r", tree_sha: "1" }, { type, sha: "2" }))
    assert.strictEqual(open("blob"), entry("gitBlobs.get"))
    assert.strictEqual(open("tree"), tree)
  })
})

describe("the children of an item", () => {
  it("are the operations that need what the item gives", () => {
    assert.deepStrictEqual(children("repositoryHooks.list"), [
      "repositoryHooks.getConfig",
      "repositoryHooks.listDeliveries"
    ])
    assert.deepStrictEqual(children("repositoryHooks.get"), children("repositoryHooks.list"))
    assert.includeMembers(children("repositories.get"), [
      "branches.list",
      "tags.list",
      "repositoryHooks.list",
      "events.listForRepo"
    ])
    assert.includeMembers(children("organizations.get"), [
      "organizationHooks.list",
      "billing.getUsageReportForOrg",
      "rulesets.listForOrg"
    ])
    assert.deepStrictEqual(children("workflowPolicies.getPermissions"), [])
    assert.deepStrictEqual(children("repositoryHooks.getDelivery"), [])
  })

  it("start with those of the same group", () => {
    assert.strictEqual(children("repositories.listForOrg")[0], "repositories.listLanguages")
    assert.strictEqual(children("artifacts.listForRepo")[0], "artifacts.download")
  })

  it("have only the place itself if the item has a link to it", () => {
    assert.deepStrictEqual(children("events.listForUser"), [
      "users.getByUsername",
      "organizations.get",
      "repositories.get"
    ])
    assert.deepStrictEqual(children("billing.getUsageReportForOrg"), ["repositories.get"])
  })
})

describe("the writes of a screen", () => {
  it("apply to an item, or to the list", () => {
    assert.deepStrictEqual(writes("repositoryHooks.list"), [
      "collection repositoryHooks.create",
      "item repositoryHooks.update",
      "item repositoryHooks.delete",
      "item repositoryHooks.updateConfig",
      "item repositoryHooks.ping",
      "item repositoryHooks.testPush"
    ])
    assert.deepStrictEqual(writes("repositoryHooks.listDeliveries"), ["item repositoryHooks.redeliverDelivery"])
    assert.deepStrictEqual(writes("blocks.listBlockedByAuthenticatedUser"), [
      "collection blocks.block",
      "item blocks.unblock",
      "item followers.follow",
      "item followers.unfollow",
      "item users.delete"
    ])
    assert.deepStrictEqual(writes("users.getByUsername"), [
      "item users.suspend",
      "item users.unsuspend",
      "item users.delete",
      "item followers.follow",
      "item followers.unfollow",
      "item projectViews.createForUser",
      "item blocks.block",
      "item blocks.unblock"
    ])
    assert.deepStrictEqual(writes("commitComments.get"), ["item commitComments.update", "item commitComments.delete"])
  })

  it("set what a setting shows", () => {
    assert.deepStrictEqual(writes("workflowPolicies.getPermissions"), ["collection workflowPolicies.setPermissions"])
    assert.deepStrictEqual(writes("cacheLimits.getStorageForOrg"), ["collection cacheLimits.setStorageForOrg"])
    assert.deepStrictEqual(writes("repositoryHooks.getConfig"), ["collection repositoryHooks.updateConfig"])
  })

  it("have those of other groups that take an argument of the item", () => {
    assert.includeMembers(writes("branches.list"), [
      "item branches.rename",
      "collection branches.merge",
      "item gitRefs.create",
      "item gitRefs.delete"
    ])
    assert.include(writes("branches.get"), "item branches.merge")
    assert.includeMembers(writes("contents.get"), ["collection contents.createOrUpdate", "item contents.delete"])
    assert.deepStrictEqual(writes("events.listPublic"), [])
    assert.deepStrictEqual(writes("organizations.get"), [
      "item organizations.update",
      "item projectViews.createForOrg",
      "item organizationMemberships.updateForAuthenticatedUser"
    ])
  })
})

describe("a place", () => {
  it("has the operations with its parameters", () => {
    const place = (name: string) => Relations.placeOf(entry(name))
    assert.deepStrictEqual(
      ["keys.getForAuthenticatedUser", "events.listForUser", "commits.get", "insights.getSummaryStatsByUser"].map(
        place
      ),
      ["user", "account", "repository", "organization"]
    )
    assert.strictEqual(place("cacheLimits.getStorageForEnterprise"), "enterprise")
    assert.isTrue(Relations.isAtPlace(entry("contents.get")))
    assert.isFalse(Relations.isAtPlace(entry("commits.get")))
  })

  it("has an operation that shows it, except an enterprise", () => {
    assert.strictEqual(Relations.home("repository"), entry("repositories.get"))
    assert.strictEqual(Relations.home("organization"), entry("organizations.get"))
    assert.strictEqual(Relations.home("account"), entry("users.getByUsername"))
    assert.strictEqual(Relations.home("user"), entry("users.getAuthenticated"))
    assert.isUndefined(Relations.home("enterprise"))
  })
})
