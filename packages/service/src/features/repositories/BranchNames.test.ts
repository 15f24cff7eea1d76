import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { git } from "../../git/Fixture.test-support.ts"
import * as Forge from "../../main/Forge.test-support.ts"

const { TestForge } = Forge

const unusable = ["-x", "HEAD", "@", "refs/heads/x"]

layer(
  Forge.layer((repos) => {
    Forge.repository(repos, "new")
    const path = Forge.repository(repos, "old")
    for (const name of unusable) git(path, ["update-ref", `refs/heads/${name}`, "HEAD"])
  })
)("names that git or GitHub refuse for branches", (it) => {
  it.effect("are refused for new branches and tags", () =>
    Effect.gen(function* () {
      const { ask, base, get, repos } = yield* TestForge
      const sha = (yield* get(`${base}/new/commits/main`)).json.sha
      yield* ask("POST", `${base}/new/git/refs`, { body: { ref: "refs/heads/free", sha } })
      for (const name of unusable) {
        for (const ref of [`refs/heads/${name}`, `refs/tags/${name}`]) {
          const { json, status } = yield* ask("POST", `${base}/new/git/refs`, { body: { ref, sha } })
          assert.deepStrictEqual([status, json.errors[0].field], [422, "ref"], ref)
        }
        const renamed = yield* ask("POST", `${base}/new/branches/free/rename`, { body: { new_name: name } })
        assert.deepStrictEqual([renamed.status, renamed.json.errors[0].message], [422, "Branch name is invalid"])
      }
      const refs = git(join(repos, "new"), ["for-each-ref", "--format=%(refname)"])
      assert.strictEqual(refs, "refs/heads/free\nrefs/heads/main")
    })
  )

  it.effect("can be read, moved, renamed and deleted where they exist", () =>
    Effect.gen(function* () {
      const { ask, base, get } = yield* TestForge
      const at = `${base}/old`
      const sha = (yield* get(`${at}/commits/main`)).json.sha
      const tree = (yield* get(`${at}/git/commits/${sha}`)).json.tree.sha
      const next = yield* ask("POST", `${at}/git/commits`, { body: { message: "next", tree, parents: [sha] } })
      for (const [index, name] of unusable.entries()) {
        const path = encodeURIComponent(name)
        assert.strictEqual((yield* get(`${at}/branches/${path}`)).json.name, name)
        const moved = yield* ask("PATCH", `${at}/git/refs/heads/${path}`, { body: { sha: next.json.sha } })
        assert.strictEqual(moved.status, 200, moved.text)
        const renamed = yield* ask("POST", `${at}/branches/${path}/rename`, { body: { new_name: `name-${index}` } })
        assert.strictEqual(renamed.status, 201, renamed.text)
      }
      const names = (yield* get(`${at}/branches`)).json.map(({ name }: { readonly name: string }) => name)
      assert.deepStrictEqual(names, ["main", "name-0", "name-1", "name-2", "name-3"])
    })
  )
})
