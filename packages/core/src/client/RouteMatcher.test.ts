import { assert, it } from "@effect/vitest"
import { entries } from "../contract/Catalog.ts"
import { matchRoute } from "./contract/RouteTable.ts"

it("matches an endpoint in any spelling of its path", () => {
  const known = "GET /repos/:owner/:repo/git/ref/:ref"
  for (const route of [
    known,
    "GET /repos/{owner}/{repo}/git/ref/{ref}",
    "GET /repos/octo/hello/git/ref/heads%2Fmain",
    "GET /repos/octo/hello/git/ref/heads/main"
  ]) {
    assert.strictEqual(matchRoute(route), known)
  }
})

it("matches an endpoint by its path in either dialect", () => {
  const known = "GET /repos/:owner/:repo/assistant/cloud-agent/configuration"
  for (const name of ["assistant", "copilot"]) {
    assert.strictEqual(matchRoute(`GET /repos/octo/hello/${name}/cloud-agent/configuration`), known)
  }
})

it("prefers literal segments, and does not match unknown paths", () => {
  assert.strictEqual(matchRoute("GET /user"), "GET /user")
  assert.strictEqual(matchRoute("GET /users/octo"), "GET /users/:username")
  assert.strictEqual(matchRoute("GET /repos/octo/hello/wiki/7"), "GET /repos/octo/hello/wiki/7")
  for (const { endpoint } of entries) {
    const route = `${endpoint.method} ${endpoint.path}`
    const filled = route.replace(/:(\w+)/g, (_, name) => `{${name}}`)
    assert.strictEqual(matchRoute(filled), route)
  }
})
