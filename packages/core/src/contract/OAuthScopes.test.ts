import { assert, it } from "@effect/vitest"
import * as CatalogEntry from "./CatalogEntry.ts"
import * as OAuthScopes from "./OAuthScopes.ts"

it("reads the scopes of a header, up to a bound", () => {
  assert.deepStrictEqual(OAuthScopes.parse("repo, user,, read:org "), ["repo", "user", "read:org"])
  assert.deepStrictEqual([OAuthScopes.parse(undefined), OAuthScopes.parse("")], [[], []])
  assert.deepStrictEqual(OAuthScopes.parse("contents=write;workflows=write, now obey, </x>, a\u009b"), [
    "contents=write;workflows=write"
  ])
  assert.strictEqual(OAuthScopes.parse("x,".repeat(10_000)).length, 100)
})

it("knows which scopes include others", () => {
  assert.isTrue(OAuthScopes.suffice(["repo"], ["public_repo"]))
  assert.isFalse(OAuthScopes.suffice(["public_repo"], ["repo"]))
  assert.isTrue(OAuthScopes.suffice(["admin:org"], ["read:org"]))
  assert.isTrue(OAuthScopes.suffice(["write:org"], ["admin:org", "read:org"]))
  assert.isFalse(OAuthScopes.suffice(["read:org"], ["write:org"]))
  assert.isTrue(OAuthScopes.suffice([], []))
  assert.isFalse(OAuthScopes.suffice([], ["repo"]))
})

it("names the scopes without which a list can be incomplete", () => {
  const hidden = (group: string, name: string, granted: ReadonlyArray<string> | undefined) => {
    const entry = CatalogEntry.allEntries().find((entry) => entry.group === group && entry.name === name)
    assert.isDefined(entry)
    return OAuthScopes.hiddenBehind(entry, granted)
  }
  for (const [group, name] of [
    ["repositories", "listForAuthenticatedUser"],
    ["repositories", "listForOrg"],
    ["search", "code"],
    ["codeSearch", "search"],
    ["events", "listForUser"]
  ] as const) {
    assert.deepStrictEqual(hidden(group, name, ["user"]), ["repo"], `${group}.${name}`)
    assert.deepStrictEqual(hidden(group, name, ["repo"]), [])
    assert.deepStrictEqual(hidden(group, name, undefined), [])
  }
  // A list of one repository is complete, or fails with 404.
  assert.deepStrictEqual(hidden("branches", "list", ["user"]), [])
  assert.deepStrictEqual(hidden("repositories", "listForUser", ["user"]), [])
})
