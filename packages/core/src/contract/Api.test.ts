import { assert, describe, it } from "@effect/vitest"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import { entries, payloadSchema, successSchema } from "./Catalog.ts"
import { CommitSummary } from "./groups/Commits.ts"
import * as Document from "./Document.ts"
import { RateLimited } from "./Failure.ts"
import { ErrorBody } from "./FailureCodec.ts"
import { GitRef } from "./groups/GitRefs.ts"
import * as Operation from "./Operation.ts"
import { RateLimitStatus } from "./groups/RateLimit.ts"
import { User, UserSummary } from "./groups/User.ts"
import * as Samples from "./Samples.test-support.ts"
import { Sha, Timestamp } from "./Scalars.ts"

/** First words of operations that do what none of list, get, create, update and delete says. */
const otherVerbs = (
  "replace set rename merge compare download search code find ping test redeliver check block unblock revoke mark " +
  "add remove lock unlock pin unpin reprioritize accept decline cancel convert star unstar follow unfollow suspend unsuspend " +
  "transfer render rerequest dismiss submit apply generate upload enable disable dispatch send rerun approve report review decide"
).split(" ")

describe("names", () => {
  it("of operations begin with a verb: list, get, create, update, delete, or one of a few others", () => {
    const verbs = ["list", "get", "create", "update", "delete", ...otherVerbs]
    const words = entries.map(({ name }) => Operation.toKebabCase(name).split("-")[0] ?? "")
    assert.deepStrictEqual(
      entries.filter((_, index) => !verbs.includes(words[index] ?? "")).map(({ group, name }) => `${group}.${name}`),
      []
    )
    assert.deepStrictEqual(
      otherVerbs.filter((verb) => !words.includes(verb)),
      []
    )
  })

  it("of groups are resources in full; issue, pr and repo are words of commands", () => {
    for (const { group } of entries) assert.notMatch(group, /^(issue|prs?|repos?)$/i)
  })
})

describe("every endpoint", () => {
  for (const { endpoint, fields, group, name, operation } of entries) {
    const places = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, place]) => place)

    it(`${group}.${name} has a description, and the parameters of its path`, () => {
      assert.match(operation.summary, /^[A-Z].*[^.]$/)
      assert.match(endpoint.path, /^\/([\w-]+|:\w+)?(\/([\w-]+|:\w+))*$/)
      const inPath = fields.filter((field) => field.in === "path").map((field) => field.name)
      assert.deepStrictEqual(inPath, places)
      for (const field of fields) assert.match(field.description, /^./, `${field.name} needs a description`)
      assert.strictEqual(
        new Set(fields.map((field) => field.name)).size,
        fields.length,
        "two parts of the input share a name"
      )
      if (operation.rest !== false)
        assert.match(
          endpoint.path,
          new RegExp(`/:${places.at(-1)}(/[a-z_-]+)*$`),
          "only the last part may hold slashes"
        )
      if (endpoint.method === "GET") assert.isUndefined(payloadSchema(endpoint))
    })

    it(`${group}.${name} has a Link header if and only if it declares its paging`, () => {
      const [success] = endpoint.success
      const hasLink = success !== undefined && "headers" in success
      assert.strictEqual(hasLink, operation.paging !== undefined)
    })
  }

  it("has a unique name, and a unique method and path", () => {
    const routes = entries.map(({ endpoint }) => `${endpoint.method} ${endpoint.path.replace(/:\w+/g, ":")}`)
    assert.strictEqual(new Set(routes).size, routes.length)
    assert.strictEqual(new Set(entries.map(({ group, name }) => `${group}.${name}`)).size, entries.length)
  })
})

describe("reversibility", () => {
  const named = (name: string) => {
    const found = entries.find((entry) => `${entry.group}.${entry.name}` === name)
    if (found === undefined) throw new Error(`the contract has no ${name}`)
    return found
  }

  it("is true for reads and false for deletions by default", () => {
    const unusual = entries.filter(
      ({ operation }) => Operation.isReversible(operation) === (operation.effect === "delete")
    )
    assert.deepStrictEqual(
      unusual.map(({ group, name }) => `${group}.${name}`),
      [
        "users.unsuspend",
        "followers.unfollow",
        "emails.setVisibility",
        "repositories.update",
        "branches.mergeUpstream",
        "branchProtections.update",
        "branchProtections.setAdmins",
        "branchProtections.updateReviews",
        "branchProtections.createSignatures",
        "branchProtections.updateChecks",
        "branchProtections.addContexts",
        "branchProtections.setContexts",
        "branchRestrictions.addApps",
        "branchRestrictions.setApps",
        "branchRestrictions.addTeams",
        "branchRestrictions.setTeams",
        "branchRestrictions.addUsers",
        "branchRestrictions.setUsers",
        "gitRefs.update",
        "issues.update",
        "issues.lock",
        "issues.unlock",
        "issueComments.unpin",
        "assignees.remove",
        "labels.setOnIssue",
        "labels.removeAllFromIssue",
        "labels.removeFromIssue",
        "subIssues.remove",
        "subIssues.reprioritize",
        "issueDependencies.removeBlockedBy",
        "reactions.deleteForIssue",
        "reactions.deleteForIssueComment",
        "reactions.deleteForCommitComment",
        "reactions.deleteForReviewComment",
        "reactions.deleteForRelease",
        "checkRuns.update",
        "checkSuites.setPreferences",
        "environments.createOrUpdate",
        "releases.update",
        "immutableReleases.setPolicy",
        "immutableReleases.setSelected",
        "immutableReleases.removeSelected",
        "immutableReleases.disable",
        "repositoryHooks.update",
        "repositoryHooks.updateConfig",
        "organizationHooks.update",
        "organizationHooks.updateConfig",
        "repositorySecrets.createOrUpdate",
        "environmentSecrets.createOrUpdate",
        "organizationSecrets.createOrUpdate",
        "organizationSecrets.setSelectedRepositories",
        "organizationVariables.update",
        "organizationVariables.setSelectedRepositories",
        "pulls.merge",
        "pulls.updateBranch",
        "reviews.dismiss",
        "reviews.submit",
        "reviewRequests.delete",
        "repositoryInvitations.accept",
        "watching.delete",
        "notifications.markRead",
        "notifications.markReadForRepo",
        "notifications.markThreadRead",
        "notifications.deleteSubscription",
        "organizationMembers.removePublic",
        "organizationMemberships.updateForAuthenticatedUser",
        "outsideCollaborators.convert",
        "teams.update",
        "blocks.unblock",
        "blocks.unblockForOrg",
        "stars.unstar",
        "customProperties.setAll",
        "customProperties.set",
        "customProperties.setValues",
        "customProperties.setForRepo",
        "savedSearches.markSeen"
      ]
    )
    for (const { operation } of entries.filter(({ readonly }) => readonly))
      assert.isTrue(Operation.isReversible(operation))
  })

  it("depends on parameters of the operation", () => {
    for (const { fields, group, name, operation } of entries) {
      if (typeof operation.reversible !== "object") continue
      const names = fields.map((field) => field.name)
      assert.includeMembers(names, Object.keys(operation.reversible.except), `${group}.${name}`)
    }
    const { operation } = named("gitRefs.update")
    assert.isTrue(Operation.isReversible(operation, { force: false }))
    assert.isFalse(Operation.isReversible(operation, { force: true }))
    const update = named("repositories.update").operation
    assert.isTrue(Operation.isReversible(update, { description: "x", private: true }))
    assert.isFalse(Operation.isReversible(update, { description: "x", visibility: "public" }))
  })
})

describe("a resource", () => {
  const decodeRef = Schema.decodeUnknownExit(GitRef)

  it("can have undeclared members", () => {
    const exit = decodeRef({ ...Samples.gitRef("refs/heads/a"), news: { a: 1 } })
    assert.isTrue(Exit.isSuccess(exit))
  })

  it("declares open enumerations only", () => {
    for (const { endpoint, group, name } of entries)
      assert.deepStrictEqual(literals(successSchema(endpoint).ast), [], `${group}.${name}`)
  })

  it("may have unknown members of enumerations", () => {
    const strange = { ...Samples.gitRef("refs/heads/a"), object: { type: "hologram", sha: Samples.SHA, url: "" } }
    const exit = decodeRef(strange)
    assert.strictEqual(Exit.isSuccess(exit) ? exit.value.object.type : undefined, "hologram")
  })

  it("requires every declared member", () => {
    for (const name of Object.keys(GitRef.fields)) {
      assert.isTrue(Exit.isFailure(decodeRef({ ...Samples.gitRef("refs/heads/a"), [name]: undefined })), name)
    }
  })

  it("can have limits of unknown resources", () => {
    const window = { limit: 1, used: 0, remaining: 1, reset: 1 }
    const resources = { core: window, brand_new: window }
    assert.deepStrictEqual(Schema.decodeSync(RateLimitStatus)({ resources }), { resources })
  })

  it("can have null or an empty object instead of an account", () => {
    const decode = Schema.decodeUnknownExit(CommitSummary.fields.author)
    assert.deepStrictEqual(decode(null), Exit.succeed(null))
    assert.deepStrictEqual(decode({}), Exit.succeed(null))
    const found = decode(Samples.user("octo"))
    assert.strictEqual(Exit.isSuccess(found) ? found.value?.login : undefined, "octo")
    assert.isTrue(Exit.isFailure(decode({ login: "octo" })))
    assert.deepStrictEqual(Schema.encodeUnknownExit(CommitSummary.fields.author)(null), Exit.succeed(null))
  })

  it("of a full account also decodes as a short one", () => {
    assert.isTrue(Exit.isSuccess(Schema.decodeUnknownExit(User)(Samples.user("octo"))))
    assert.isTrue(Exit.isSuccess(Schema.decodeUnknownExit(UserSummary)(Samples.user("octo"))))
  })
})

/** The literals in a schema. */
const literals = (ast: SchemaAST.AST): ReadonlyArray<unknown> => {
  switch (ast._tag) {
    case "Literal":
      return [ast.literal]
    case "Union":
      return ast.types.flatMap(literals)
    case "Arrays":
      return [...ast.elements, ...ast.rest].flatMap(literals)
    case "Objects":
      // A tag identifies a member of a union.
      return [...ast.propertySignatures.filter(({ name }) => name !== "_tag"), ...ast.indexSignatures].flatMap(
        ({ type }) => literals(type)
      )
    default:
      return []
  }
}

describe("scalars", () => {
  const accepts = (schema: Schema.Codec<string, string>, text: string) =>
    Exit.isSuccess(Schema.decodeExit(schema)(text))

  it("accepts an object id of 40 or 64 digits", () => {
    for (const good of [Samples.SHA, "0".repeat(64)]) assert.isTrue(accepts(Sha, good))
    for (const bad of ["", "a", Samples.SHA.toUpperCase(), `${Samples.SHA}\n`, "g".repeat(40), "0".repeat(41)])
      assert.isFalse(accepts(Sha, bad), bad)
  })

  it("accepts timestamps in ISO 8601", () => {
    for (const good of ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05+02:00"])
      assert.isTrue(accepts(Timestamp, good), good)
    for (const bad of ["", "2026-01-02", "2026-01-02T03:04:05", "yesterday"])
      assert.isFalse(accepts(Timestamp, bad), bad)
  })
})

it("an error body can have strings as errors, and undeclared members", () => {
  const body = Schema.decodeUnknownSync(ErrorBody)({
    message: "No",
    errors: ["too long", { field: "ref", new: 1 }],
    new: 1
  })
  assert.deepStrictEqual(body, { message: "No", errors: [{ message: "too long" }, { field: "ref" }] })
})

it("a rate limit keeps a reset that `Date` cannot represent", () => {
  const { message } = new RateLimited({ request: "GET /", detail: "", limit: "primary", resource: "core", until: 1e18 })
  assert.strictEqual(message, "GET /: rate limited. The primary limit of core lifts at +275760-09-13T00:00:00.000Z.")
})

describe("the OpenAPI document", () => {
  const document = Document.make()
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))

  it("has version 3.1.0, and a title and version of the API", () => {
    assert.strictEqual(document.openapi, "3.1.0")
    assert.isNotEmpty(document.info.title)
    assert.isNotEmpty(document.info.version)
  })

  it("has unique operation ids, path parameters and success responses", () => {
    const ids = operations.map((operation) => ("operationId" in operation ? operation.operationId : undefined))
    assert.strictEqual(new Set(ids).size, operations.length)
    for (const [path, item] of Object.entries(document.paths)) {
      const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, place]) => place)
      for (const operation of Object.values(item)) {
        if (!("parameters" in operation)) continue
        const inPath = operation.parameters.filter((parameter) => parameter.in === "path")
        assert.sameMembers(
          inPath.map(({ name }) => name),
          places
        )
        assert.isTrue(inPath.every(({ required }) => required))
        assert.isTrue(Object.keys(operation.responses).some((status) => /^(2\d\d|302)$/.test(status)))
        assert.isTrue(Object.values(operation.responses).every(({ description }) => description !== ""))
      }
    }
  })

  it("is JSON", () => {
    assert.deepStrictEqual(JSON.parse(JSON.stringify(document)), document)
  })
})
