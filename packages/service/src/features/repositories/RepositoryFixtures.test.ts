import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Forge from "../../main/Forge.test-support.ts"
import { git } from "../../git/Fixture.test-support.ts"
import { load } from "../../main/Fixtures.ts"

const { TestForge } = Forge

layer(Forge.layer((repos) => Forge.repository(repos, "own")))("fixtures of repositories", (it) => {
  it.effect("start empty, with a README or as the demonstration, and accounts have their settings", () =>
    Effect.gen(function* () {
      const { get, owner, repos } = yield* TestForge
      const file = join(repos, "fixtures.json")
      const row = (name: string, more: object) => ({ full_name: `${owner}/${name}`, description: "words", ...more })
      writeFileSync(
        file,
        JSON.stringify({
          users: [{ login: owner, name: "The Owner" }],
          repositories: [row("none", {}), row("readme", { auto_init: true }), row("shown", { demonstration: true })]
        })
      )
      yield* load(file)
      yield* load(file)
      const at = (name: string) => join(repos, "../data/repositories", owner, `${name}.git`)
      assert.strictEqual(git(at("none"), ["rev-list", "--all"]), "")
      assert.strictEqual(git(at("readme"), ["log", "--format=%an: %s", "--all"]), "The Owner: Initial commit")
      assert.strictEqual(git(at("readme"), ["show", "main:README.md"]), "# readme\n\nwords")
      assert.isAbove(git(at("shown"), ["rev-list", "--all"]).split("\n").length, 10)
      assert.strictEqual(git(at("shown"), ["fsck", "--strict", "--no-dangling"]), "")
      const shown = yield* get(`/repos/${owner}/shown/branches`)
      assert.isAbove(shown.json.length, 1)
    })
  )

  it.effect("show their custom properties: one value as a string, several as an array", () =>
    Effect.gen(function* () {
      const { get, owner, repos } = yield* TestForge
      const file = join(repos, "fixtures.json")
      const full_name = `${owner}/proper`
      const custom_properties = { Tier: "gold", teams: ["a", "b"], none: [] }
      writeFileSync(file, JSON.stringify({ repositories: [{ full_name, custom_properties }] }))
      yield* load(file)
      const found = (yield* get(`/repos/${full_name}`)).json
      assert.deepInclude(found, { custom_properties, template_repository: null, temp_clone_token: "" })
      assert.deepStrictEqual((yield* get(`/repos/${owner}/own`)).json.custom_properties, {})
    })
  )

  it.effect("keep later changes when the file is loaded again", () =>
    Effect.gen(function* () {
      const { ask, get, owner, repos } = yield* TestForge
      const file = join(repos, "fixtures.json")
      const full_name = `${owner}/open`
      const rows = {
        repositories: [{ full_name, description: "words" }],
        artifacts: [{ repository: full_name, name: "log", file }]
      }
      writeFileSync(file, JSON.stringify(rows))
      yield* load(file)
      assert.strictEqual((yield* get(`/repos/${full_name}`)).json.private, false)
      yield* ask("PATCH", `/repos/${full_name}`, { body: { private: true, description: "other" } })
      yield* load(file)
      assert.deepInclude((yield* get(`/repos/${full_name}`)).json, { private: true, description: "words" })
      assert.strictEqual((yield* get(`/repos/${full_name}/actions/artifacts`)).json.total_count, 1)
    })
  )

  it.effect("reject invalid rows with a reason", () =>
    Effect.gen(function* () {
      const { owner, repos } = yield* TestForge
      const file = join(repos, "fixtures.json")
      const refused = Effect.fnUntraced(function* (rows: object) {
        writeFileSync(file, JSON.stringify(rows))
        return (yield* Effect.flip(load(file))).message
      })
      for (const name of ["..", ".", "x.git"]) {
        assert.include(yield* refused({ repositories: [{ full_name: `${owner}/${name}` }] }), "invalid repository name")
      }
      const [a, b] = [{ slug: "a", id: 5, client_id: "c" }, { slug: "b" }]
      assert.include(yield* refused({ apps: [a, { ...b, id: 5 }] }), "apps[1].id: already used by app a")
      assert.include(
        yield* refused({ apps: [a, { ...b, client_id: "c" }] }),
        "apps[1].client_id: already used by app a"
      )
      const installation = { account: owner, app_slug: "b", app_id: 5 }
      assert.include(
        yield* refused({ apps: [a], installations: [installation] }),
        "installations[0].app_id: already used by app a"
      )
      // A token without a valid expiry time would never expire.
      const expires_at = "2026-99-99T00:00:00Z"
      assert.include(yield* refused({ tokens: [{ token: "t", user: owner, expires_at }] }), "tokens[0].expires_at")
      assert.include(yield* refused({ apps: [{ ...b, public_key: "none.pem" }] }), "no such file")
      assert.include(yield* refused({ apps: [{ ...b, public_key: "fixtures.json" }] }), "invalid key")
    })
  )
})
