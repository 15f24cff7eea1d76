/** Repositories that are deleted and created again at the same path while being served. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Forge from "./Forge.test-support.ts"
import { commit, git } from "../git/Fixture.test-support.ts"

const forge = Forge.layer((repos) => {
  for (const name of ["format", "bare", "settings"]) Forge.repository(repos, name)
})

layer(forge)("recreated repositories", (it) => {
  it.effect("can have another object format", () =>
    Effect.gen(function* () {
      const { base, get, repos } = yield* Forge.TestForge
      const path = join(repos, "format")
      assert.strictEqual((yield* get(`${base}/format/commits/main`)).json.sha.length, 40)
      rmSync(path, { recursive: true })
      assert.strictEqual((yield* get(`${base}/format/commits/main`)).status, 404)
      git(repos, ["init", "--quiet", "--initial-branch=main", "--object-format=sha256", path])
      const head = commit(path, { "b.txt": "two\n" }, "anew")
      const list = yield* get(`${base}/format/commits`)
      assert.strictEqual(list.status, 200)
      // The API sends 40 digits for ids of both formats.
      assert.deepStrictEqual(
        list.json.map((one: { readonly sha: string }) => one.sha),
        [head.slice(0, list.json[0].sha.length)]
      )
      const contents = yield* get(`${base}/format/contents/`)
      assert.deepStrictEqual(
        contents.json.map((entry: { readonly name: string }) => entry.name),
        ["b.txt"]
      )
    })
  )

  it.effect("can be bare", () =>
    Effect.gen(function* () {
      const { base, get, repos } = yield* Forge.TestForge
      const path = join(repos, "bare")
      const source = Forge.repository(join(repos, ".sources"), "bare", { "c.txt": "three\n" })
      assert.strictEqual((yield* get(`${base}/bare/commits/main`)).status, 200)
      rmSync(path, { recursive: true })
      git(repos, ["clone", "--quiet", "--bare", source, path])
      const { json } = yield* get(`${base}/bare/commits/main`)
      assert.strictEqual(json.sha, git(path, ["rev-parse", "main"]))
    })
  )

  it.effect("stay open when settings other than the format change", () =>
    Effect.gen(function* () {
      const { base, get, repos } = yield* Forge.TestForge
      const path = join(repos, "settings")
      const { headers } = yield* get(`${base}/settings/commits/main`)
      git(path, ["config", "user.name", "Somebody"])
      const after = yield* get(`${base}/settings/commits/main`)
      assert.deepStrictEqual([after.status, after.headers["etag"]], [200, headers["etag"]])
    })
  )
})
