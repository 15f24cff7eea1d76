import { assert, it } from "@effect/vitest"
import * as RunEnvironment from "./RunEnvironment.ts"

const forge = { token: "secret", repository: "octo/hello" }

it("reaches a forge on plain HTTP as the proxy of github.localhost", () => {
  const env = RunEnvironment.make({ ...forge, url: "http://127.0.0.1:4180" }, "/config", { PATH: "/bin" })
  assert.deepStrictEqual(env, {
    PATH: "/bin",
    GH_HOST: "github.localhost",
    GH_TOKEN: "secret",
    HTTP_PROXY: "http://127.0.0.1:4180",
    http_proxy: "http://127.0.0.1:4180",
    GH_CONFIG_DIR: "/config",
    GH_NO_UPDATE_NOTIFIER: "1",
    GH_REPO: "github.localhost/octo/hello",
    GITHUB_API_URL: "http://127.0.0.1:4180",
    GITHUB_GRAPHQL_URL: "http://127.0.0.1:4180/graphql",
    GITHUB_SERVER_URL: "http://127.0.0.1:4180",
    GITHUB_TOKEN: "secret",
    GIT_CONFIG_COUNT: "2",
    GIT_CONFIG_KEY_0: "http.http://127.0.0.1:4180/.extraHeader",
    GIT_CONFIG_VALUE_0: "Authorization: Basic eC1hY2Nlc3MtdG9rZW46c2VjcmV0",
    GIT_CONFIG_KEY_1: "http.http://github.localhost/.extraHeader",
    GIT_CONFIG_VALUE_1: "Authorization: Basic eC1hY2Nlc3MtdG9rZW46c2VjcmV0"
  })
})

it("reaches GitHub and GitHub Enterprise Server with their hosts", () => {
  const { GH_HOST, GH_TOKEN, GITHUB_GRAPHQL_URL, GITHUB_SERVER_URL, HTTP_PROXY } = RunEnvironment.make(
    { ...forge, url: "https://api.github.com/" },
    "/config",
    {}
  )
  assert.deepStrictEqual(
    [GH_HOST, GH_TOKEN, GITHUB_GRAPHQL_URL, GITHUB_SERVER_URL, HTTP_PROXY],
    ["github.com", "secret", "https://api.github.com/graphql", "https://github.com", undefined]
  )
  const server = RunEnvironment.make({ ...forge, url: "https://forge.example:8443/api/v3" }, "/config", {})
  assert.deepStrictEqual(
    [server["GH_HOST"], server["GH_ENTERPRISE_TOKEN"], server["GH_TOKEN"], server["GITHUB_GRAPHQL_URL"]],
    ["forge.example:8443", "secret", undefined, "https://forge.example:8443/api/graphql"]
  )
})

it("keeps the settings of the user, and sends no empty token", () => {
  const given = { GH_REPO: "octo/other", GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "a.b", GIT_CONFIG_VALUE_0: "c" }
  const env = RunEnvironment.make({ ...forge, url: "https://forge.example" }, "/config", given)
  assert.deepStrictEqual([env["GH_REPO"], env["GIT_CONFIG_COUNT"], env["GIT_CONFIG_KEY_0"]], ["octo/other", "2", "a.b"])
  assert.strictEqual(env["GIT_CONFIG_KEY_1"], "http.https://forge.example/.extraHeader")
  const anonymous = RunEnvironment.make(
    { url: "https://forge.example", token: undefined, repository: undefined },
    "/c",
    {}
  )
  assert.notProperty(anonymous, "GITHUB_TOKEN")
  assert.notProperty(anonymous, "GIT_CONFIG_COUNT")
})
