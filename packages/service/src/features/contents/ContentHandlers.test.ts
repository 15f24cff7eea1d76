import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Forge from "../../main/Forge.test-support.ts"
import { git } from "../../git/Fixture.test-support.ts"

const { TestForge } = Forge

/** Symbolic links in `docs/links` by name. */
const links = {
  "to-guide": "../guide.md",
  "to-link": "to-guide",
  "to-big": "../../big.bin",
  "to-folder": "..",
  outside: "../../../etc/passwd",
  dangling: "none",
  circle: "circle",
  slash: "text/",
  "through-folder": "to-folder/guide.md"
}

layer(
  Forge.layer((repos) => {
    const path = Forge.repository(repos, "hello", {
      "README.md": "# hello\n",
      "src/deep/é ?#%.txt": "odd\n",
      "big.bin": "x".repeat(1024 * 1024 + 1),
      "docs/guide.md": "# Guide\n\none\ntwo [x](javascript:alert(1)) <script>\n",
      "docs/long.md": "# x\n".repeat(20_000),
      "docs/a.html": "<script>alert(1)</script>\n",
      "docs/nul": "a\0b",
      "docs/links/text": "text\n",
      ".gitmodules": '[submodule "m"]\n\tpath = vendor/m\n\turl = https://example.org/m.git\n'
    })
    git(path, ["update-index", "--add", "--cacheinfo", `160000,${git(path, ["rev-parse", "HEAD"])},vendor/m`])
    symlinkSync("/etc/passwd", join(path, "link"))
    git(path, ["add", "link"])
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(path, "docs/links", name))
    git(path, ["add", "docs/links"])
    git(path, ["commit", "--quiet", "-m", "more"])
    git(path, ["branch", "old", "HEAD~1"])
  })
)("contents and objects", (it) => {
  const at = (path: string, options?: Forge.Ask) =>
    Effect.flatMap(TestForge, ({ base, get }) => get(`${base}/hello/${path}`, options))
  const raw = { headers: { accept: "application/vnd.service.raw" } }
  const html = { headers: { accept: "application/vnd.service.html" } }

  it.effect("lists the entries of a folder, and gives the bytes of a file", () =>
    Effect.gen(function* () {
      const { repos } = yield* TestForge
      const root = (yield* at("contents")).json
      assert.deepStrictEqual(
        root.map(({ name, type }: { readonly name: string; readonly type: string }) => [name, type]),
        [
          [".gitmodules", "file"],
          ["README.md", "file"],
          ["big.bin", "file"],
          ["docs", "dir"],
          ["link", "symlink"],
          ["src", "dir"],
          ["vendor", "dir"]
        ]
      )
      const file = (yield* at("contents/README.md")).json
      assert.deepInclude(file, {
        type: "file",
        size: 8,
        encoding: "base64",
        sha: git(join(repos, "hello"), ["rev-parse", "HEAD:README.md"])
      })
      assert.strictEqual(Buffer.from(file.content, "base64").toString(), "# hello\n")
      assert.strictEqual((yield* at("contents/src/deep/")).json[0].path, "src/deep/é ?#%.txt")
    })
  )

  it.effect("renders Markdown as HTML, escapes other text, and removes scripts", () =>
    Effect.gen(function* () {
      const html = (path: string) =>
        at(`contents/${path}`, { headers: { accept: "application/vnd.service.html+json" } })
      const guide = yield* html("docs/guide.md")
      assert.strictEqual(guide.headers["content-type"], "application/vnd.service.html; charset=utf-8")
      assert.strictEqual(
        guide.text,
        '<article class="markdown-body"><h1>Guide</h1>\n' +
          "<p>one\ntwo [x](javascript:alert(1)) &lt;script&gt;</p></article>"
      )
      assert.strictEqual((yield* html("docs/a.html")).text, "<pre>&lt;script&gt;alert(1)&lt;/script&gt;\n</pre>")
      assert.match((yield* html("docs/long.md")).text, /^<pre># x\n/)
      for (const path of ["docs", "docs/nul", "big.bin", "link", "vendor/m"]) {
        assert.isDefined((yield* html(path)).json, path)
      }
    })
  )

  it.effect("accepts any file name, and gives a working URL for it", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const file = (yield* at(`contents/src/deep/${encodeURIComponent("é ?#%.txt")}`)).json
      assert.strictEqual(file.name, "é ?#%.txt")
      assert.strictEqual((yield* get(file.url.slice("http://forge.localhost".length), raw)).text, "odd\n")
      assert.strictEqual((yield* get(file.git_url.slice("http://forge.localhost".length))).json.sha, file.sha)
    })
  )

  it.effect("serves raw links without a header, with the same access control", () =>
    Effect.gen(function* () {
      const { ask, base, get, owner } = yield* TestForge
      const { download_url } = (yield* at("contents/README.md?ref=old")).json
      const there = yield* get(download_url.slice("http://forge.localhost".length), { token: null })
      assert.deepStrictEqual([there.status, there.headers["content-type"]?.includes("html")], [200, false])
      const { sha } = (yield* at("commits/main")).json
      const { files } = (yield* at(`commits/${sha}`)).json
      const link: string = files[0].raw_url
      assert.include(link, `/raw/${owner}/hello/${sha}/`)
      assert.strictEqual((yield* get(link.slice("http://forge.localhost".length))).status, 200)

      yield* ask("POST", `${base}/hello/git/refs`, { body: { ref: "refs/heads/a+b&c/d", sha } })
      const file = (yield* at(`contents/README.md?ref=${encodeURIComponent("a+b&c/d")}`)).json
      const path: string = file.download_url.slice("http://forge.localhost".length)
      const content = Buffer.from(file.content, "base64").toString()
      assert.strictEqual((yield* get(path)).text, content)
      assert.strictEqual((yield* get(path.replace("%2B", "+").replace("%26", "&"))).text, content)
      assert.strictEqual((yield* get(`/raw/${owner}/hello/none/README.md`)).status, 404)
      assert.strictEqual((yield* get(`/raw/${owner}/hello/%zz/README.md`)).status, 404)
      assert.strictEqual((yield* get(`/raw/${owner}/hello/main`)).status, 404)
      yield* ask("PATCH", `${base}/hello`, { body: { private: true } })
      assert.strictEqual((yield* get(path, { token: null })).status, 404)
      assert.strictEqual((yield* get(path)).status, 200)
      yield* ask("PATCH", `${base}/hello`, { body: { private: false } })
    })
  )

  it.effect("reads other revisions", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* at("contents/link?ref=old")).status, 404)
      assert.strictEqual((yield* at("contents/link?ref=main")).status, 200)
      for (const ref of ["absent", "HEAD~1", "%00", "--all", "main:README.md"]) {
        assert.strictEqual((yield* at(`contents/README.md?ref=${ref}`)).status, 404, ref)
      }
    })
  )

  it.effect("gives the content of a linked file at the path of the link, as GitHub does", () =>
    Effect.gen(function* () {
      const { content, encoding, git_url, sha, size, type } = (yield* at("contents/docs/guide.md")).json
      for (const name of ["to-guide", "to-link"]) {
        const path = `docs/links/${name}`
        const { json } = yield* at(`contents/${path}`)
        assert.deepInclude(json, { content, encoding, git_url, sha, size, type, name, path })
        assert.include(json.html_url, path)
        assert.match((yield* at(`contents/${path}`, raw)).text, /^# Guide/)
        assert.match((yield* at(`contents/${path}`, html)).text, /^<pre># Guide/)
      }
      assert.deepInclude((yield* at("contents/docs/links/to-big")).json, { type: "file", encoding: "none" })
      for (const name of ["to-folder", "outside", "dangling", "circle", "slash", "through-folder"] as const) {
        const { json } = yield* at(`contents/docs/links/${name}`)
        assert.deepInclude(json, { type: "symlink", target: links[name], size: links[name].length })
        assert.notProperty(json, "content")
      }
    })
  )

  it.effect("does not follow symbolic links out of the repository, and gives the URL of a submodule", () =>
    Effect.gen(function* () {
      assert.deepInclude((yield* at("contents/link")).json, { type: "symlink", target: "/etc/passwd" })
      assert.strictEqual((yield* at("contents/link", raw)).text, "/etc/passwd")
      assert.strictEqual((yield* at("contents/link/x")).status, 404)
      const module = (yield* at("contents/vendor/m")).json
      assert.deepInclude(module, {
        type: "submodule",
        size: 0,
        submodule_git_url: "https://example.org/m.git",
        download_url: null
      })
    })
  )

  it.effect("sends a large file only in raw form", () =>
    Effect.gen(function* () {
      assert.deepInclude((yield* at("contents/big.bin")).json, { encoding: "none", content: "", size: 1024 * 1024 + 1 })
      assert.strictEqual((yield* at("contents/big.bin", raw)).text.length, 1024 * 1024 + 1)
    })
  )

  it.effect("rejects paths outside of the tree", () =>
    Effect.gen(function* () {
      for (const path of [
        "../../../etc/passwd",
        "src/../README.md",
        "%2e%2e/README.md",
        "..%2f..%2fconfig",
        "./README.md",
        "src//deep",
        "%00",
        ".git/config",
        "/etc/passwd"
      ]) {
        assert.strictEqual((yield* at(`contents/${path}`)).status, 404, path)
      }
    })
  )

  it.effect("gives a tree by id or branch, also recursively", () =>
    Effect.gen(function* () {
      const { repos } = yield* TestForge
      const sha = git(join(repos, "hello"), ["rev-parse", "main^{tree}"])
      const flat = (yield* at("git/trees/main")).json
      assert.deepStrictEqual([flat.sha, flat.truncated, flat.tree.length], [sha, false, 7])
      assert.deepStrictEqual((yield* at(`git/trees/${sha}`)).json, flat)
      const deep = (yield* at(`git/trees/${sha}?recursive=1`)).json.tree
      const shown = deep.map(({ mode, path, sha, type }: Record<string, string>) => `${mode} ${type} ${sha}\t${path}`)
      const expected = git(join(repos, "hello"), ["-c", "core.quotePath=false", "ls-tree", "-r", "-t", "main"])
      assert.deepStrictEqual(shown, expected.split("\n"))
      for (const name of ["absent", "..", "%00", "1".repeat(40)])
        assert.strictEqual((yield* at(`git/trees/${name}`)).status, 404)
    })
  )

  it.effect("gives a blob by id only", () =>
    Effect.gen(function* () {
      const { repos } = yield* TestForge
      const tree = git(join(repos, "hello"), ["rev-parse", "main^{tree}"])
      for (const name of [tree, "main", "absent", "1".repeat(40), "main:README.md", "%00"]) {
        const status = /^[0-9a-f]{40}$/.test(name) ? 404 : 422
        assert.strictEqual((yield* at(`git/blobs/${name}`)).status, status, name)
        assert.strictEqual((yield* at(`git/tags/${name}`)).status, 404, name)
      }
    })
  )
})
