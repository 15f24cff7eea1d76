import { assert, it } from "@effect/vitest"
import { entries } from "../contract/Catalog.ts"
import * as RouteMatcher from "./RouteMatcher.ts"

it("matches an endpoint in any spelling of its path", () => {
  const known = "GET /repos/:owner/:repo/git/ref/:ref"
  for (const route of [
    known,
    "GET /repos/{owner}/{repo}/git/ref/{ref}",
    "GET /repos/octo/hello/git/ref/heads%2Fmain",
    "GET /repos/octo/hello/git/ref/heads/main"
  ]) {
    assert.strictEqual(RouteMatcher.match(route), known)
  }
})

it("matches an endpoint by its path in either dialect", () => {
  const known = "GET /repos/:owner/:repo/assistant/cloud-agent/configuration"
  for (const name of ["assistant", "copilot"]) {
    assert.strictEqual(RouteMatcher.match(`GET /repos/octo/hello/${name}/cloud-agent/configuration`), known)
  }
})

it("prefers literal segments, and does not match unknown paths", () => {
  assert.strictEqual(RouteMatcher.match("GET /user"), "GET /user")
  assert.strictEqual(RouteMatcher.match("GET /users/octo"), "GET /users/:username")
  assert.strictEqual(RouteMatcher.match("GET /repos/octo/hello/issues/7"), "GET /repos/octo/hello/issues/7")
  for (const { endpoint } of entries) {
    const route = `${endpoint.method} ${endpoint.path}`
    const filled = route.replace(/:(\w+)/g, (_, name) => `{${name}}`)
    assert.strictEqual(RouteMatcher.match(filled), route)
  }
})
