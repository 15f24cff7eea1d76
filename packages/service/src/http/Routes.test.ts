import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { allEntries } from "@tongs/core/contract/CatalogEntry"
import { pathOf } from "@tongs/core/contract/Dialect"
import * as OperationIndex from "@tongs/core/contract/OperationIndex"
import * as Routes from "./Routes.ts"
import * as UnimplementedOperations from "./UnimplementedOperations.ts"

const groups = Object.entries(OperationIndex.value).map(([group, operations]) => ({
  group,
  handlers: Object.fromEntries(operations.map(({ name }) => [name, () => Effect.void]))
}))

const make = (dialect: "github" | "service") => Routes.make(groups, dialect, UnimplementedOperations.make(dialect))

it("finds every operation by its path in each dialect", () => {
  for (const dialect of ["github", "service"] as const) {
    const { find } = make(dialect)
    for (const entry of allEntries()) {
      const path = pathOf(dialect, entry).replaceAll(/:\w+/g, "1")
      const found = find(entry.endpoint.method, path)
      assert.strictEqual(found?.route.name, `${entry.group}.${entry.name}`, `${entry.endpoint.method} ${path}`)
    }
  }
})

it("finds operations whose last parameter contains slashes or is absent", () => {
  const { find } = make("github")
  const contents = "/repos/octo/hello/contents"
  for (const path of ["", "a", "a/b", "a/".repeat(30)]) {
    const found = find("GET", path === "" ? contents : `${contents}/${path}`)
    assert.strictEqual(found?.route.name, "contents.get", path)
    assert.strictEqual(found?.params["path"] ?? "", path)
  }
  assert.strictEqual(find("POST", "/repos/octo/hello/branches/a/b/rename")?.params["branch"], "a/b")
})

it("ignores the host and what follows the path, like the router", () => {
  const { find, methods } = make("github")
  for (const path of ["http://forge.test/users/octo", "/users/octo?a=/b", "/users/octo;a/b", "/users/octo#a/b"])
    assert.strictEqual(find("GET", path)?.params["username"], "octo", path)
  assert.strictEqual(find("HEAD", "/users/octo")?.route.name, "users.getByUsername")
  assert.isUndefined(find("PROPFIND", "/users/octo"))
  assert.isUndefined(find("GET", "/users/octo/"))
  assert.deepStrictEqual(methods("/repos/octo/hello"), ["GET", "PATCH", "DELETE"])
})
