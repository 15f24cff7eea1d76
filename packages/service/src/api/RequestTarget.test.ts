import { assert, it } from "@effect/vitest"
import { entries } from "@tongs/core/contract/Catalog"
import { type KindOf, kindOf, needsSignIn, type NeedsSignIn } from "./RequestTarget.ts"

/** Kinds of paths as types, which the compiler compares with the texts. */
const kinds: {
  readonly [
    P in
      | "/repos/:owner/:repo"
      | "/tongs/repos/:owner/:repo/matches/:path"
      | "/orgs/:org/hooks"
      | "/organizations/:org/settings/billing/usage"
      | "/enterprises/:enterprise/actions/cache/storage-limit"
      | "/user"
      | "/tongs/user/saved-searches"
      | "/user/:account_id"
      | "/users/:username"
      | "/users/:username/suspended"
      | "/installation/token"
  ]: KindOf<P>
} = {
  "/repos/:owner/:repo": "repository",
  "/tongs/repos/:owner/:repo/matches/:path": "repository",
  "/orgs/:org/hooks": "organization",
  "/organizations/:org/settings/billing/usage": "organization",
  "/enterprises/:enterprise/actions/cache/storage-limit": "enterprise",
  "/user": "user",
  "/tongs/user/saved-searches": "user",
  "/user/:account_id": "none",
  "/users/:username": "none",
  "/users/:username/suspended": "site",
  "/installation/token": "none"
}

it("has the same kind of target as a type and as a value", () => {
  for (const [path, kind] of Object.entries(kinds)) assert.strictEqual(kindOf(path), kind, path)
})

it("needs a signed-in caller as a type and as a value", () => {
  const all: {
    readonly write: NeedsSignIn<"DELETE", "/repos/:owner/:repo">
    readonly read: NeedsSignIn<"GET", "/repos/:owner/:repo">
    readonly hooks: NeedsSignIn<"GET", "/repos/:owner/:repo/hooks/:hook_id">
    readonly installation: NeedsSignIn<"GET", "/installation/repositories">
    readonly users: NeedsSignIn<"GET", "/users/:username">
    readonly anyAccount: NeedsSignIn<"GET", "/user/:account_id">
  } = { write: true, read: false, hooks: true, installation: true, users: false, anyAccount: false }
  assert.deepStrictEqual(all, {
    write: needsSignIn("DELETE", "/repos/:owner/:repo"),
    read: needsSignIn("GET", "/repos/:owner/:repo"),
    hooks: needsSignIn("GET", "/repos/:owner/:repo/hooks/:hook_id"),
    installation: needsSignIn("GET", "/installation/repositories"),
    users: needsSignIn("GET", "/users/:username"),
    anyAccount: needsSignIn("GET", "/user/:account_id")
  })
})

it("lets anonymous callers use no operation whose handler needs a signed-in one", () => {
  const open = entries.filter(
    ({ endpoint, operation }) => operation.public && needsSignIn(endpoint.method, endpoint.path)
  )
  assert.deepStrictEqual(open, [])
})
