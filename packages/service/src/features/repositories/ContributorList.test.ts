import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Forge from "../../main/Forge.test-support.ts"
import { git } from "../../git/Fixture.test-support.ts"

const { TestForge } = Forge

const author = (path: string, name: string, email: string, count: number) => {
  for (let index = 0; index < count; index++) {
    git(path, ["commit", "--quiet", "--allow-empty", "--author", `${name} <${email}>`, "-m", `${name} ${index}`])
  }
}

layer(
  Forge.layer((repos) => {
    const path = Forge.repository(repos, "hello")
    author(path, "Ada", "ada@example.org", 2)
    author(path, "Ada L.", "ada@example.org", 1)
    author(path, "Nobody", "nobody@example.net", 4)
    Forge.repository(repos, "empty")
    git(`${repos}/empty`, ["update-ref", "-d", "refs/heads/main"])
  })
)("the contributors of a repository", (it) => {
  it.effect("are accounts with their commits, and other authors if asked for", () =>
    Effect.gen(function* () {
      const { base, get, user } = yield* TestForge
      yield* user({ login: "ada", email: "ada@example.org" })
      const path = `${base}/hello/contributors`
      const { json, status } = yield* get(path)
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(
        json.map(({ contributions, login, type }: Record<string, unknown>) => [login, type, contributions]),
        [["ada", "User", 3]]
      )
      for (const anon of ["1", "true"]) {
        assert.deepStrictEqual((yield* get(`${path}?anon=${anon}`, { token: null })).json, [
          { type: "Anonymous", contributions: 4, email: "nobody@example.net", name: "Nobody" },
          json[0],
          { type: "Anonymous", contributions: 1, email: "test@example.org", name: "Test" }
        ])
      }
      assert.lengthOf((yield* get(`${path}?anon=0`)).json, 1)
      const second = yield* get(`${path}?anon=1&per_page=2&page=2`)
      assert.lengthOf(second.json, 1)
      assert.include(second.headers["link"], 'page=1>; rel="prev"')
    })
  )

  it.effect("follow the default branch, and are 204 without commits", () =>
    Effect.gen(function* () {
      const { base, get, repos } = yield* TestForge
      const path = `${base}/hello/contributors?anon=1`
      const etag = (yield* get(path)).headers["etag"] ?? ""
      assert.strictEqual((yield* get(path, { headers: { "if-none-match": etag } })).status, 304)
      author(`${repos}/hello`, "New", "new@example.org", 1)
      const { json, status } = yield* get(path, { headers: { "if-none-match": etag } })
      assert.deepStrictEqual([status, json.length], [200, 4])
      const empty = yield* get(`${base}/empty/contributors`)
      assert.deepStrictEqual([empty.status, empty.text], [204, ""])
    })
  )
})
