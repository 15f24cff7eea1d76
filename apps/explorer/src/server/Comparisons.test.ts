import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stub from "./FakeForge.test-support.ts"
import { json, reply, start } from "./TestServer.test-support.ts"

const base = "a".repeat(40)

const commit = (sha: string, message: string) => ({
  ...Stub.commit,
  sha,
  parents: [{ sha: base, url: "" }],
  commit: {
    ...Stub.commit.commit,
    author: { name: "Ada", email: "ada@example.org", date: "2026-01-02T03:04:05Z" },
    message
  }
})

const change = (filename: string, more: Readonly<Record<string, unknown>> = {}) => ({
  sha: "b".repeat(40),
  filename,
  status: "modified",
  additions: 1,
  deletions: 1,
  changes: 2,
  blob_url: null,
  raw_url: null,
  contents_url: "",
  patch: "@@ -1 +1 @@\n-a\n+b",
  ...more
})

const files = [
  change("src/a.ts"),
  change("src/new.ts", { status: "renamed", previous_filename: "old.ts" }),
  change("logo.png", { additions: 0, deletions: 0, changes: 0, patch: undefined })
]

/** A forge without the extensions of the contract. */
const documents = Stub.layer({
  "/repos/octo/hello/compare/v1...main": reply({
    url: "",
    html_url: "",
    permalink_url: "",
    diff_url: "",
    patch_url: "",
    base_commit: commit(base, "base"),
    merge_base_commit: commit(base, "base"),
    status: "ahead",
    ahead_by: 2,
    behind_by: 0,
    total_commits: 2,
    commits: [commit("1".repeat(40), "first\n\nwhy"), commit(Stub.commitId, "second")],
    files
  }),
  "/repos/octo/hello/commits/main": reply({ ...commit(Stub.commitId, "second\n\nwhy"), files })
})

const at = (path: string) => Effect.flatMap(start, (url) => json(`${url}api/${path}&owner=octo&repo=hello`))

describe("a forge without the extension", () => {
  it.live("compares by the operation of the documents, newest commit first", () =>
    Effect.gen(function* () {
      const [status, body] = yield* at("comparison?base=v1&head=main")
      assert.strictEqual(status, 200)
      assert.deepInclude(body, {
        base: base,
        head: Stub.commitId,
        from: base,
        aheadBy: 2,
        totalFiles: 3,
        hasPages: false
      })
      assert.deepNestedInclude(body, {
        additions: 2,
        "commits[0].summary": "second",
        "commits[1].summary": "first",
        "files[0].patch": "@@ -1 +1 @@\n-a\n+b",
        "files[1].previousPath": "old.ts",
        "files[2].binary": true
      })
    }).pipe(Effect.provide(documents))
  )

  it.live("keeps the files of a path, also by their earlier name", () =>
    Effect.gen(function* () {
      const paths = ([, body]: readonly [number, any]) => body.files.map(({ path }: { readonly path: string }) => path) // oxlint-disable-line typescript/no-explicit-any -- JSON of a response
      assert.deepStrictEqual(paths(yield* at("comparison?base=v1&head=main&path=src")), ["src/a.ts", "src/new.ts"])
      assert.deepStrictEqual(paths(yield* at("comparison?base=v1&head=main&path=old.ts")), ["src/new.ts"])
    }).pipe(Effect.provide(documents))
  )

  it.live("shows a commit with its message and parents", () =>
    Effect.gen(function* () {
      const [, body] = yield* at("commit?ref=main")
      assert.deepInclude(body, { sha: Stub.commitId, message: "second\n\nwhy", parents: [base] })
      assert.deepNestedInclude(body, { "comparison.from": base, "comparison.totalFiles": 3 })
    }).pipe(Effect.provide(documents))
  )

  it.live("does not find unknown versions, or two versions in one name", () =>
    Effect.gen(function* () {
      const [status] = yield* at("comparison?base=v1&head=absent")
      assert.strictEqual(status, 404)
      const [invalid, body] = yield* at("comparison?base=v1...main&head=main")
      assert.strictEqual(invalid, 404)
      assert.include(JSON.stringify(body), "is not the name of a branch, tag or commit")
    }).pipe(Effect.provide(documents))
  )
})
