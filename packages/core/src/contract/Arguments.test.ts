import { assert, describe, it } from "@effect/vitest"
import type * as SchemaAST from "effect/SchemaAST"
import * as Args from "./Arguments.ts"
import { type CatalogEntry, entries, resultSchemas } from "./Catalog.ts"
import * as Presentation from "./Presentation.ts"
import { item, nameOf } from "./Relations.test-support.ts"

const entry = (name: string): CatalogEntry => {
  const found = entries.find((each) => nameOf(each) === name)
  assert.isDefined(found, name)
  return found
}

/** Every declaration in the results of the contract, with the schemas of the declaring resource. */
const declarations = (schemas: Presentation.Schemas, seen = new Set<SchemaAST.AST>()) => {
  const found: Array<{ readonly declared: Presentation.Declaration; readonly schemas: Presentation.Schemas }> = []
  const visit = (ast: SchemaAST.AST): void => {
    if (seen.has(ast)) return
    seen.add(ast)
    const declared = Presentation.declaration([ast])
    if (declared !== undefined) found.push({ declared, schemas: [ast] })
    if (ast._tag === "Arrays") Presentation.elementSchemas([ast]).forEach(visit)
    if (ast._tag === "Objects")
      ast.propertySignatures.forEach(({ name }) => Presentation.memberSchemas([ast], String(name)).forEach(visit))
  }
  schemas.forEach(visit)
  return found
}

const all = declarations(entries.flatMap(resultSchemas))

describe("the declared arguments of a resource", () => {
  it("are members that the resource has", () => {
    assert.isAbove(all.length, 30)
    for (const { declared, schemas } of all)
      for (const [name, argument] of Object.entries(declared.arguments ?? {})) {
        const { path, pattern, when = {} } = typeof argument === "string" ? { path: argument } : argument
        for (const member of [path, ...Object.keys(when)])
          assert.isNotEmpty(member.split(".").reduce(Presentation.memberSchemas, schemas), `${name}: ${member}`)
        if (pattern !== undefined) assert.doesNotThrow(() => new RegExp(pattern, "u"), name)
      }
  })

  it("are parameters that operations have, in the group that they name", () => {
    const names = entries.flatMap(({ fields, group }) => fields.flatMap(({ name }) => [name, `${group}.${name}`]))
    for (const { declared } of all) assert.includeMembers(names, Object.keys(declared.arguments ?? {}))
  })

  it("name operations that open an item and read something", () => {
    for (const { declared } of all) for (const name of declared.opens ?? []) assert.isTrue(entry(name).readonly, name)
  })
})

describe("arguments", () => {
  it("are those of the screen and those of the item", () => {
    const list = entry("repositoryHooks.listDeliveries")
    const args = { owner: "octo", repo: "hello", hook_id: 7, status: "failure", per_page: 30 }
    assert.deepStrictEqual(Args.argumentsOf(list, args, { id: 9 }), {
      owner: "octo",
      repo: "hello",
      hook_id: 7,
      delivery_id: 9
    })
  })

  it("of an item in another repository replace those of the screen", () => {
    const known = Args.argumentsOf(
      entry("codeNavigation.listDefinitions"),
      { owner: "octo", repo: "hello", name: "parse" },
      { owner: "mia", repo: "tools", path: "a b.ts", commit: "c", name: "parse", line: 1 }
    )
    assert.deepInclude(known, { owner: "mia", repo: "tools", path: "a b.ts", ref: "c", "codeNavigation.name": "parse" })
  })

  it("keep the revision and the period, and no other options of the screen", () => {
    const folder = { owner: "o", repo: "r", path: "src", ref: "v1" }
    assert.deepStrictEqual(Args.argumentsOf(entry("contents.get"), folder, { path: "src/a", type: "symlink" }), {
      ...folder,
      path: "src/a"
    })
    const period = { min_timestamp: "2026-01-01T00:00:00Z", max_timestamp: "2026-02-01T00:00:00Z" }
    const caller = { subject_type: "installation", subject_id: 5, subject_name: "bot" }
    assert.deepStrictEqual(
      Args.argumentsOf(entry("insights.getSubjectStats"), { org: "o", ...period, direction: "asc" }, caller),
      { org: "o", ...period, actor_type: "installation", actor_id: 5 }
    )
  })

  it("of an item depend on its members", () => {
    const given = (ref: string, type: string) =>
      Args.argumentsOf(entry("gitRefs.listMatching"), {}, { ref, object: { type, sha: "1" } })
    assert.deepInclude(given("refs/tags/v1", "tag"), { "gitRefs.ref": "tags/v1", tag_sha: "1" })
    const artifact = { archive_download_url: "https://forge.test/artifacts/1/zip" }
    const artifacts = entry("artifacts.listForRepo")
    assert.deepStrictEqual(Args.argumentsOf(artifacts, {}, { ...artifact, expired: false }), { archive_format: "zip" })
    assert.deepStrictEqual(Args.argumentsOf(artifacts, {}, { ...artifact, expired: true }), {})
    assert.notProperty(given("refs/heads/main", "commit"), "tag_sha")
    assert.notProperty(given("HEAD", "commit"), "gitRefs.ref")
    assert.deepStrictEqual(Args.argumentsOf(entry("events.listPublic"), {}, { repo: { name: "no slash" } }), {})
  })

  it("insert a text with special characters as it is", () => {
    const branch = { name: "a$&b{}", commit: { sha: "1" } }
    const known = Args.argumentsOf(entry("branches.list"), {}, branch)
    assert.deepInclude(known, { basehead: "HEAD...a$&b{}", "gitRefs.ref": "heads/a$&b{}" })
  })

  it("are by default the identity, for the parameters after the path of the list", () => {
    for (const name of ["list", "get", "create", "update"])
      assert.deepStrictEqual(Args.given(entry(`organizationHooks.${name}`)), { hook_id: "id" }, name)
    assert.deepStrictEqual(Args.given(entry("repositoryHooks.getDelivery")), { delivery_id: "id" })
    assert.deepStrictEqual(Args.given(entry("keys.listForUser")), {})
    assert.deepStrictEqual(Args.given(entry("rulesets.listForOrg")), { ruleset_id: "id" })
  })
})

describe("the input of an operation", () => {
  it("has the known arguments and lists the missing ones", () => {
    const known = { owner: "o", repo: "r", "gitRefs.ref": "heads/a", ref: "b", "gitRefs.sha": "1", name: "x" }
    const { known: input, missing } = Args.input(entry("gitRefs.create"), known)
    assert.deepStrictEqual(input, { owner: "o", repo: "r", sha: "1" })
    assert.deepStrictEqual(
      missing.map(({ name }) => name),
      ["ref"]
    )
    assert.deepInclude(Args.input(entry("gitRefs.delete"), known), { known: { owner: "o", repo: "r", ref: "heads/a" } })
    assert.deepInclude(Args.input(entry("commits.get"), known), { known: { owner: "o", repo: "r", ref: "b" } })
  })

  it("needs no optional path", () => {
    assert.deepStrictEqual(Args.input(entry("contents.get"), { owner: "o", repo: "r" }).missing, [])
    assert.isTrue(Args.isAddressed(entry("contents.get"), { owner: "o", repo: "r" }))
    assert.isFalse(Args.isAddressed(entry("commits.get"), { owner: "o", repo: "r" }))
  })
})

it("every sample item gives each of its arguments", () => {
  for (const each of entries.filter(({ readonly }) => readonly))
    for (const name of Object.keys(Args.given(each)))
      assert.property(Args.argumentsOf(each, {}, item(each, [name])), name, nameOf(each))
})
