import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import * as Args from "./Arguments.ts"
import { type CatalogEntry, entries, payloadSchema, resultSchemas } from "./Catalog.ts"
import * as Inverse from "./Inverse.ts"
import * as Presentation from "./Presentation.ts"
import { item, nameOf, requiredInput } from "./Relations.test-support.ts"
import * as Samples from "./Samples.test-support.ts"

const entry = (name: string): CatalogEntry => {
  const found = entries.find((each) => nameOf(each) === name)
  assert.isDefined(found, name)
  return found
}

const inverse = (name: string, input: Args.Arguments, before?: unknown, result?: unknown) => {
  const found = Inverse.inverse(entry(name), input, before, result)
  return found === undefined ? undefined : { name: nameOf(found.entry), input: found.input }
}

const repository = { owner: "octo", repo: "hello" }

describe("the inverse of an operation", () => {
  it("deletes what is put, and puts what is deleted", () => {
    assert.deepStrictEqual(inverse("blocks.block", { username: "mia" }), {
      name: "blocks.unblock",
      input: { username: "mia" }
    })
    assert.deepStrictEqual(inverse("blocks.unblock", { username: "mia" }), {
      name: "blocks.block",
      input: { username: "mia" }
    })
    assert.isUndefined(inverse("artifacts.delete", { ...repository, artifact_id: 1 }))
  })

  it("deletes what is created", () => {
    assert.deepStrictEqual(inverse("keys.createForAuthenticatedUser", { key: "ssh-ed25519 A" }, undefined, { id: 5 }), {
      name: "keys.deleteForAuthenticatedUser",
      input: { key_id: 5 }
    })
    const ref = { ...repository, ref: "refs/heads/a/b", sha: "1" }
    const created = { ref: "refs/heads/a/b", object: { type: "commit", sha: "1" } }
    assert.deepStrictEqual(inverse("gitRefs.create", ref, undefined, created), {
      name: "gitRefs.delete",
      input: { ...repository, ref: "heads/a/b" }
    })
    const hook = inverse("organizationHooks.create", { org: "o", name: "web", config: { url: "u" } }, undefined, {
      id: 7
    })
    assert.deepStrictEqual(hook, { name: "organizationHooks.delete", input: { org: "o", hook_id: 7 } })
    assert.isUndefined(inverse("keys.createForAuthenticatedUser", { key: "ssh-ed25519 A" }), "its id is unknown")
    for (const subject of ["Issue", "IssueComment", "CommitComment", "ReviewComment"]) {
      const key = subject === "Issue" ? { issue_number: 3 } : { comment_id: 3 }
      const react = { ...repository, ...key, content: "heart" }
      assert.deepStrictEqual(inverse(`reactions.createFor${subject}`, react, undefined, { id: 8 }), {
        name: `reactions.deleteFor${subject}`,
        input: { ...repository, ...key, reaction_id: 8 }
      })
    }
  })

  it("deletes a created repository by the owner and name of the result", () => {
    const result = item(entry("repositories.get"), [])
    assert.deepStrictEqual(inverse("repositories.createInOrg", { org: "o", name: "r" }, undefined, result), {
      name: "repositories.delete",
      input: { owner: "text", repo: "text" }
    })
  })

  it("is absent if nothing deletes what is created", () => {
    assert.isUndefined(
      inverse("issues.create", { ...repository, title: "Dark" }, undefined, {
        number: 7,
        repository_url: "https://forge.example/repos/octo/hello"
      })
    )
    assert.isUndefined(inverse("gitCommits.create", { ...repository, message: "m" }, undefined, { sha: "1" }))
    assert.isUndefined(inverse("repositoryHooks.ping", { ...repository, hook_id: 1 }))
  })

  it("restores the changed fields", () => {
    const change = { ...repository, description: "new", private: true }
    assert.deepStrictEqual(
      inverse("repositories.update", change, { description: null, private: false, homepage: "h" }),
      {
        name: "repositories.update",
        input: { ...repository, description: "", private: false }
      }
    )
    assert.isUndefined(inverse("repositories.update", change), "the previous values are unknown")
    assert.isUndefined(inverse("repositories.update", change, { description: "old" }), "a previous value is unknown")
  })

  it("has the new name of a renamed resource", () => {
    const before = { name: "hello", owner: { login: "octo" } }
    const result = { name: "renamed", owner: { login: "octo" } }
    assert.deepStrictEqual(inverse("repositories.update", { ...repository, name: "renamed" }, before, result), {
      name: "repositories.update",
      input: { owner: "octo", repo: "renamed", name: "hello" }
    })
  })

  it("restores the whole of what is replaced", () => {
    const before = { enabled_repositories: "selected", allowed_actions: "local_only", selected_actions_url: "u" }
    assert.deepStrictEqual(
      inverse("workflowPolicies.setPermissions", { org: "o", enabled_repositories: "all" }, before),
      {
        name: "workflowPolicies.setPermissions",
        input: { org: "o", enabled_repositories: "selected", allowed_actions: "local_only" }
      }
    )
  })

  it("moves a reference back by force", () => {
    const input = { ...repository, ref: "heads/main", sha: "2", force: false }
    const before = { ref: "refs/heads/main", object: { type: "commit", sha: "1" } }
    const after = { ref: "refs/heads/main", object: { type: "commit", sha: "2" } }
    assert.deepStrictEqual(inverse("gitRefs.update", input, before, after), {
      name: "gitRefs.update",
      input: { ...repository, ref: "heads/main", sha: "1", force: true }
    })
    assert.isUndefined(inverse("gitRefs.update", { ...input, force: true }, before, after))
  })

  it("creates a deleted reference again, with the object that was read before", () => {
    const input = { ...repository, ref: "tags/v1" }
    const before = { ref: "refs/tags/v1", object: { type: "tag", sha: "1" } }
    assert.strictEqual(Inverse.readBefore(entry("gitRefs.delete"))?.name, "get")
    const found = Inverse.recreation(entry("gitRefs.delete"), input, before)
    assert.deepStrictEqual(
      { name: found?.entry.name, input: found?.input },
      { name: "create", input: { ...repository, ref: "refs/tags/v1", sha: "1" } }
    )
    assert.isUndefined(Inverse.readBefore(entry("repositoryHooks.delete")), "a webhook would get another id")
    assert.isUndefined(Inverse.recreation(entry("repositoryHooks.delete"), input, before))
  })

  it("is absent if the operation cannot be undone", () => {
    const before = item(entry("repositories.get"), [])
    for (const change of [{ private: false }, { visibility: "public" }, { archived: true }]) {
      assert.isFalse(Inverse.isReversible(entry("repositories.update"), change))
      assert.isUndefined(inverse("repositories.update", { ...repository, ...change }, before))
    }
    const hook = { id: 1, active: true, config: { url: "u", secret: "********" } }
    assert.isUndefined(inverse("repositoryHooks.update", { ...repository, hook_id: 1, active: false }, hook))
  })
})

describe("the current values of an update", () => {
  it("are the members that its body has, without secrets", () => {
    const hook = {
      id: 1,
      name: "web",
      active: true,
      events: ["push"],
      config: { url: "u", content_type: "json", secret: "********" }
    }
    assert.deepStrictEqual(Inverse.current(entry("repositoryHooks.update"), hook), {
      active: true,
      events: ["push"],
      config: { url: "u", content_type: "json" }
    })
    assert.deepStrictEqual(Inverse.current(entry("repositoryHooks.updateConfig"), hook.config), {
      url: "u",
      content_type: "json"
    })
  })

  it("are values that the operation accepts", () => {
    const settings = { name: "r", visibility: "internal", description: null, squash_merge_commit_title: "OTHER" }
    assert.deepStrictEqual(Inverse.current(entry("repositories.update"), settings), { name: "r", description: "" })
    const hook = { active: true, config: { content_type: "json" } }
    assert.deepStrictEqual(Inverse.current(entry("organizationHooks.update"), hook), { active: true }, "no url")
    assert.deepStrictEqual(Inverse.current(entry("repositories.update"), "no object"), {})
    assert.deepStrictEqual(Inverse.current(entry("repositoryHooks.ping"), settings), {})
  })

  it("have those that the resource declares under another name", () => {
    const branch = { name: "main", commit: { sha: "1" } }
    const known = Args.argumentsOf(entry("branches.list"), repository, branch)
    assert.deepStrictEqual(Inverse.current(entry("gitRefs.update"), branch, known), { sha: "1" })
  })
})

/** A value of a field that differs from that of a sample. */
const other = (ast: SchemaAST.AST): unknown => {
  switch (ast._tag) {
    case "String":
      return "other"
    case "Number":
      return 2
    case "Boolean":
      return false
    case "Union":
      return other(ast.types.at(-1) ?? ast)
    case "Literal":
      return ast.literal
    default:
      return Samples.of(Schema.make<Schema.Top>(ast), "other")
  }
}

/** Reversible updates, each with the operation that reads the previous values: the update, or the read at its path. */
const updates = entries.flatMap((update) => {
  if (update.operation.effect !== "update" || update.operation.reversible === false) return []
  const shown = entries.find(({ endpoint, readonly }) => readonly && endpoint.path === update.endpoint.path)
  const source = resultSchemas(update).some(({ _tag }) => _tag === "Objects") ? update : shown
  assert.isDefined(source, nameOf(update))
  return [{ update, source }]
})

it("every reversible change of one field has an inverse with its previous value, whose inverse is the change", () => {
  assert.isAbove(updates.length, 8)
  for (const { source, update } of updates) {
    const shown = item(source, Object.keys(Args.given(source)))
    const payload = payloadSchema(update.endpoint)?.ast
    assert.strictEqual(payload?._tag, "Objects")
    const path = Args.argumentsOf(update, requiredInput(update), shown)
    const known = { ...requiredInput(update), ...Args.input(update, path).known }
    for (const { name, type } of payload?._tag === "Objects" ? payload.propertySignatures : []) {
      const field = String(name)
      const { reversible } = update.operation
      if (typeof reversible === "object" && field in (reversible.with ?? {})) continue
      const value = other(type)
      const accepted = Samples.of(Schema.make<Schema.Top>(type))
      const before = Presentation.isRow(shown) && field in shown ? withValue(shown, field, accepted) : shown
      const previous = Inverse.current(update, before, path)
      const label = `${nameOf(update)} ${field}`
      const input = { ...known, [field]: value }
      if (!Inverse.isReversible(update, input)) {
        assert.isUndefined(Inverse.inverse(update, input, before), label)
        continue
      }
      const undo = Inverse.inverse(update, input, before)
      assert.isDefined(undo, label)
      assert.strictEqual(undo.entry, update, label)
      assert.deepStrictEqual(undo.input[field], previous[field], label)
      assert.deepInclude(undo.input, requiredPathOf(update, known), label)
      if (!Inverse.isReversible(undo.entry, undo.input)) continue
      // A resource may have the field under another name.
      const declared = Args.given(source)[`${update.group}.${field}`]
      const after = withValue(before, typeof declared === "string" ? declared : field, value)
      const redo = Inverse.inverse(undo.entry, undo.input, after)
      assert.deepStrictEqual(redo?.input[field], value, label)
    }
  }
})

const requiredPathOf = (update: CatalogEntry, known: Args.Arguments) =>
  Object.fromEntries(Args.requiredPath(update).map((name) => [name, known[name]]))

const withValue = (resource: unknown, field: string, value: unknown) => ({
  ...(Presentation.isRow(resource) ? resource : {}),
  [field]: value
})
