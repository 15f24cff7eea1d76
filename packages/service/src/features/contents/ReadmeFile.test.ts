import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Forge from "../../main/Forge.test-support.ts"
import { commit, git } from "../../git/Fixture.test-support.ts"

const { TestForge } = Forge

const ISC = `ISC License

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
granted, provided that the above copyright notice appears in all copies.
`

layer(
  Forge.layer((repos) => {
    const path = Forge.repository(repos, "hello", {
      "docs/README.md": "in docs\n",
      "src/readme": "plain\n",
      "src/README.rst": "markup\n",
      "src/deep/er/Readme.markdown": "# deep\n",
      "lib/readme.txt/x": "a folder\n"
    })
    git(path, ["branch", "docs-only"])
    commit(path, { "README.md": "# hello\n", LICENSE: ISC }, "the root")
    git(path, ["reset", "--quiet", "--hard"])
    git(path, ["branch", "rooted"])
    commit(path, { ".github/readme.md": "for the profile\n" }, "a profile")
    git(path, ["reset", "--quiet", "--hard"])
    symlinkSync("README.rst", join(path, "src", "README.md"))
    git(path, ["add", "src"])
    git(path, ["commit", "--quiet", "-m", "a link"])
    Forge.repository(repos, "bare", { "a.txt": "no README, no license\n" })
  })
)("the README and the license of a repository", (it) => {
  const at = (path: string, options?: Forge.Ask) =>
    Effect.flatMap(TestForge, ({ base, get }) => get(`${base}/hello/${path}`, options))
  const textOf = ({ json }: Forge.Answer) => Buffer.from(json.content, "base64").toString()

  it.effect("are found in .github, the root and docs, in this order", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      for (const [ref, path, text] of [
        ["main", ".github/readme.md", "for the profile\n"],
        ["rooted", "README.md", "# hello\n"],
        ["docs-only", "docs/README.md", "in docs\n"]
      ] as const) {
        const found = yield* at(`readme?ref=${ref}`)
        assert.deepInclude(found.json, { path, type: "file", encoding: "base64" })
        assert.strictEqual(textOf(found), text)
        assert.deepStrictEqual(found.json, (yield* at(`contents/${path}?ref=${ref}`)).json)
      }
      for (const path of ["readme", "readme/src", "license"]) {
        assert.strictEqual((yield* get(`${base}/bare/${path}`)).status, 404)
      }
      assert.strictEqual((yield* at("readme?ref=none")).status, 404)
    })
  )

  it.effect("prefer Markdown to other markup and to plain text, also through a link", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* at("readme/src?ref=rooted")).json.name, "README.rst")
      const linked = yield* at("readme/src")
      assert.deepStrictEqual([linked.json.name, textOf(linked)], ["README.md", "markup\n"])
      assert.strictEqual((yield* at("readme/src/deep/er")).json.path, "src/deep/er/Readme.markdown")
      assert.strictEqual((yield* at("readme/src%2Fdeep%2Fer")).json.path, "src/deep/er/Readme.markdown")
      assert.strictEqual((yield* at("readme/lib")).status, 404)
      assert.strictEqual((yield* at("readme/README.md")).status, 404)
    })
  )

  it.effect("are raw or HTML by the media type, and 304 for a known ETag", () =>
    Effect.gen(function* () {
      const accept = (type: string) => ({ headers: { accept: `application/vnd.service.${type}` } })
      const raw = yield* at("readme?ref=rooted", accept("raw"))
      assert.deepStrictEqual(
        [raw.text, raw.headers["content-type"]],
        ["# hello\n", "application/vnd.service.raw; charset=utf-8"]
      )
      assert.include((yield* at("readme?ref=rooted", accept("html"))).text, "<h1")
      assert.strictEqual((yield* at("license", accept("raw"))).text, ISC)
      for (const path of ["readme", "license"]) {
        const etag = (yield* at(path)).headers["etag"] ?? ""
        assert.strictEqual((yield* at(path, { headers: { "if-none-match": etag } })).status, 304)
      }
    })
  )

  it.effect("have a license by its text", () =>
    Effect.gen(function* () {
      const { json } = yield* at("license")
      assert.deepInclude(json, { name: "LICENSE", path: "LICENSE", encoding: "base64" })
      assert.deepInclude(json.license, { key: "isc", spdx_id: "ISC", name: "ISC License" })
      assert.strictEqual((yield* at("license?ref=docs-only")).status, 404)
    })
  )
})
