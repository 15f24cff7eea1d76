import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { type CatalogEntry, entries, resultSchemas } from "./Catalog.ts"
import * as Presentation from "./Presentation.ts"
import * as Samples from "./Samples.test-support.ts"

const nameOf = ({ group, name }: CatalogEntry) => `${group}.${name}`

/** Operations whose result is a list, with the schemas of the items. */
const lists = entries.flatMap((entry) => {
  const schemas = Presentation.itemSchemas(resultSchemas(entry))
  return schemas.length === 0 || Presentation.isFreeForm(schemas) ? [] : [{ entry, schemas }]
})

/** An item with every member that the schemas declare. */
const sample = ([ast]: Presentation.Schemas): unknown =>
  ast === undefined ? undefined : Samples.of(Schema.make<Schema.Top>(ast))

/** Members by path parameter, if the names differ. */
const aliases: Readonly<Record<string, string>> = {
  assignee: "login",
  branch: "name",
  license: "key",
  org: "login",
  target_user: "login",
  username: "login",
  ref: "sha",
  repo: "full_name",
  repository_id: "full_name",
  custom_property_name: "property_name"
}

describe("a list", () => {
  it("is the result of every paged operation", () => {
    const named = lists.map(({ entry }) => entry)
    assert.includeMembers(
      named,
      entries.filter(({ operation }) => operation.paging !== undefined)
    )
  })

  for (const { entry, schemas } of lists) {
    it(`${nameOf(entry)} has columns that its items have, and renders their identity and title`, () => {
      const item = sample(schemas)
      const columns = Presentation.columns(schemas)
      if (entry.operation.paging !== undefined)
        assert.isDefined(Presentation.declaration(schemas), "declare its columns with Presentation.of")
      for (const { header, path } of columns) {
        const described = path.reduce(Presentation.memberSchemas, schemas)
        assert.isNotEmpty(described, `${header}: the resource has no ${path.join(".")}`)
        assert.isFalse(Presentation.isHidden(path.at(-1) ?? "", described), header)
      }
      assert.isTrue(columns[0]?.identifies, "the first column identifies an item")
      for (const { header, identifies, path } of columns)
        if (identifies) assert.include(["string", "number"], typeof Presentation.valueAt(item, path), header)
      if (Presentation.declaration(schemas) !== undefined) assert.isString(Presentation.title(schemas, item))
    })
  }

  it("identifies items by the parameters of get, update and delete", () => {
    for (const { entry, schemas } of lists.filter(({ entry }) => entry.readonly)) {
      const path = `${entry.endpoint.path}/:`
      const taken = entries
        .filter(({ endpoint }) => endpoint.path.startsWith(path) && !endpoint.path.slice(path.length).includes("/"))
        .flatMap(({ endpoint }) => endpoint.path.slice(path.length))
      const identity = Presentation.columns(schemas).filter(({ identifies }) => identifies)
      const last = identity.flatMap(({ path }) => path.at(-1) ?? [])
      for (const parameter of taken) {
        // Only relations name an issue by its id, which must be typed.
        if (parameter === "issue_id") continue
        const wanted = [parameter, aliases[parameter] ?? "", parameter.replace(/^.*_/, "")]
        assert.isTrue(
          last.some((name) => wanted.includes(name)),
          `${nameOf(entry)}: ${parameter} is not among ${last.join(", ")}`
        )
      }
    }
  })
})

describe("a member", () => {
  const hook = lists.find(({ entry }) => nameOf(entry) === "repositoryHooks.list")?.schemas ?? []
  const config = Presentation.memberSchemas(hook, "config")

  it("is hidden if it is a link of the API, and shown if it is a delivery URL", () => {
    assert.isTrue(Presentation.isHidden("ping_url", Presentation.memberSchemas(hook, "ping_url")))
    assert.isTrue(Presentation.isHidden("node_id", []))
    assert.isFalse(Presentation.isHidden("url", Presentation.memberSchemas(config, "url")))
  })

  it("has the format of its type, unless it declares one", () => {
    const path = (...names: ReadonlyArray<string>) => names.reduce(Presentation.memberSchemas, hook)
    assert.deepStrictEqual([path("updated_at"), path("active"), path("id"), path("name")].map(Presentation.formatOf), [
      "age",
      "state",
      "number",
      "line"
    ])
  })
})

it("an account inside another resource is its login", () => {
  const comments = lists.find(({ entry }) => nameOf(entry) === "commitComments.listForRepo")?.schemas ?? []
  assert.strictEqual(
    Presentation.inlineTitle(Presentation.memberSchemas(comments, "user"), Samples.user("octo")),
    "octo"
  )
})
