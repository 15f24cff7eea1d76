import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Forge from "../../main/Forge.test-support.ts"
import { git } from "../../git/Fixture.test-support.ts"

const { TestForge } = Forge

interface Entry {
  readonly path: string
}

layer(
  Forge.layer((repos) => {
    const path = Forge.repository(repos, "hello", {
      "a.txt": "one\n",
      "src/deep/b.txt": "two\n",
      "src/c.txt": "three\n"
    })
    git(repos, ["clone", "--quiet", "--bare", path, join(repos, "bare.git")])
    git(repos, ["init", "--quiet", "--bare", join(repos, "empty.git")])
  })
)("new git objects", (it) => {
  const post = (path: string, body: object) =>
    Effect.flatMap(TestForge, ({ ask, base }) => ask("POST", `${base}/bare/git/${path}`, { body }))
  const inBare = (args: ReadonlyArray<string>, input?: string) =>
    Effect.map(TestForge, ({ repos }) => git(join(repos, "bare.git"), args, input))

  it.effect("are blobs of text or Base64 with the ids of git", () =>
    Effect.gen(function* () {
      const text = yield* post("blobs", { content: "é\n" })
      assert.strictEqual(text.status, 201)
      assert.strictEqual(text.json.sha, yield* inBare(["hash-object", "--stdin"], "é\n"))
      assert.strictEqual(text.headers["location"], text.json.url)
      const bytes = yield* post("blobs", { content: "AP8=", encoding: "base64" })
      assert.strictEqual(yield* inBare(["cat-file", "-s", bytes.json.sha]), "2")
      assert.strictEqual(
        (yield* post("blobs", { content: "" })).json.sha,
        yield* inBare(["hash-object", "--stdin"], "")
      )
    })
  )

  it.effect("are trees that add, change and remove entries, also in folders", () =>
    Effect.gen(function* () {
      const base_tree = yield* inBare(["rev-parse", "main^{tree}"])
      const blob = yield* inBare(["rev-parse", "main:a.txt"])
      const tree = [
        { path: "src/deep/b.txt", mode: "100644", type: "blob", sha: null },
        { path: "src/run.sh", mode: "100755", type: "blob", content: "echo\n" },
        { path: "new/folder/a.txt", mode: "100644", sha: blob },
        { path: "link", mode: "120000", content: "a.txt" },
        { path: "a.txt", mode: "100644", type: "blob", content: "changed\n", sha: null }
      ]
      const made = yield* post("trees", { base_tree, tree })
      assert.strictEqual(made.status, 201, made.text)
      assert.deepStrictEqual(
        made.json.tree.map(({ path }: Entry) => path),
        ["a.txt", "link", "new", "src"]
      )
      assert.deepStrictEqual(
        (yield* inBare(["ls-tree", "-r", made.json.sha])).split("\n").map((line) => line.replace(/ blob \w+\t/, " ")),
        ["100644 a.txt", "120000 link", "100644 new/folder/a.txt", "100644 src/c.txt", "100755 src/run.sh"]
      )
      assert.strictEqual(yield* inBare(["cat-file", "blob", `${made.json.sha}:a.txt`]), "changed")
      // The id of a commit resolves to the tree.
      const commit = yield* inBare(["rev-parse", "main"])
      assert.strictEqual((yield* post("trees", { base_tree: commit, tree: [] })).json.sha, base_tree)
    })
  )

  it.effect("are annotated tags, by the caller at the current time by default", () =>
    Effect.gen(function* () {
      const object = yield* inBare(["rev-parse", "main"])
      const tagger = { name: "Ada", email: "ada@example.org", date: "2026-01-31T12:00:00+01:00" }
      const body = { tag: "v1", message: "First\n", object, type: "commit" }
      const made = yield* post("tags", { ...body, tagger })
      assert.strictEqual(made.status, 201)
      const text = `object ${object}\ntype commit\ntag v1\ntagger Ada <ada@example.org> 1769857200 +0100\n\nFirst\n`
      assert.strictEqual(made.json.sha, yield* inBare(["mktag"], text))
      assert.deepStrictEqual(made.json.tagger, { ...tagger, date: "2026-01-31T11:00:00Z" })
      const { owner } = yield* TestForge
      assert.strictEqual((yield* post("tags", body)).json.tagger.name, owner)
    })
  )

  it.effect("are not written from invalid input", () =>
    Effect.gen(function* () {
      const before = yield* inBare(["count-objects", "-v"])
      const blob = yield* inBare(["rev-parse", "main:a.txt"])
      const base_tree = yield* inBare(["rev-parse", "main^{tree}"])
      const file = { path: "x", mode: "100644" }
      const tag = { tag: "v1", message: "", object: blob, type: "blob" }
      const cases: ReadonlyArray<readonly [path: string, body: object, message: RegExp]> = [
        ["blobs", { content: "%", encoding: "base64" }, /not valid Base64/],
        ["blobs", { content: "x", encoding: "utf-16" }, /encoding is invalid/],
        ["blobs", {}, /content is missing/],
        ["trees", { tree: [] }, /Invalid tree info/],
        ["trees", { tree: [file] }, /either tree.sha or tree.content/],
        ["trees", { tree: [{ ...file, sha: blob, content: "x" }] }, /either tree.sha or tree.content/],
        ["trees", { tree: [{ ...file, sha: null }] }, /x does not exist in base_tree/],
        ["trees", { tree: [{ ...file, path: "src/none", sha: null }], base_tree }, /does not exist in base_tree/],
        ["trees", { tree: [{ ...file, sha: "1".repeat(40) }] }, /is not a valid blob/],
        ["trees", { tree: [{ ...file, sha: base_tree }] }, /is not a valid blob/],
        ["trees", { tree: [{ ...file, mode: "040000", content: "x" }] }, /content cannot be that of a tree/],
        ["trees", { tree: [{ ...file, type: "tree", sha: blob }] }, /must be blob/],
        ["trees", { tree: [{ ...file, mode: "100600", sha: blob }] }, /mode is invalid/],
        ["trees", { tree: [{ ...file, content: "x" }], base_tree: blob }, /not a valid tree oid/],
        ["trees", { tree: [{ ...file, content: "x" }], base_tree: "main" }, /not a valid tree oid/],
        ["trees", { tree: [{ ...file, path: "../x", sha: blob }] }, /not a valid name/],
        ["trees", { tree: [{ ...file, path: "a/.git/x", sha: blob }] }, /not a valid name/],
        ["trees", { tree: [{ ...file, path: "x/".repeat(300) + "x", sha: blob }] }, /not a valid name/],
        [
          "trees",
          {
            tree: [
              { ...file, content: "x" },
              { ...file, path: "x/y", content: "y" }
            ]
          },
          /x cannot be a file and/
        ],
        ["tags", { ...tag, object: "1".repeat(40) }, /does not exist/],
        ["tags", { ...tag, type: "commit" }, /it is a blob, not a commit/],
        ["tags", { ...tag, tag: "a b" }, /not a valid name/],
        ["tags", { ...tag, tagger: { name: "", email: "x" } }, /is empty/],
        ["tags", { ...tag, tagger: { name: "x", email: "x", date: "2026-99-99T00:00:00Z" } }, /tagger.date/]
      ]
      for (const [path, body, message] of cases) {
        const answer = yield* post(path, body)
        assert.strictEqual(answer.status, 422, answer.text)
        assert.match(answer.json.message, message)
      }
      assert.strictEqual(yield* inBare(["count-objects", "-v"]), before)
    })
  )

  it.effect("need a repository with commits and permission to write", () =>
    Effect.gen(function* () {
      const { ask, base, token, user } = yield* TestForge
      const body = { content: "x" }
      const empty = yield* ask("POST", `${base}/empty/git/blobs`, { body })
      assert.deepStrictEqual([empty.status, empty.json.message], [409, "Git Repository is empty."])
      const stranger = yield* token({ userId: yield* user({ login: "mia" }), kind: "classic", scopes: ["repo"] })
      assert.strictEqual((yield* ask("POST", `${base}/bare/git/blobs`, { body, token: stranger })).status, 403)
      assert.strictEqual((yield* ask("POST", `${base}/bare/git/blobs`, { body, token: null })).status, 401)
    })
  )
})
