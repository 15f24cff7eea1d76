import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Commit, Comparison } from "@tongs/core/contract/groups/Commits"
import * as Samples from "@tongs/core/contract/Samples.test-support"
import { estimateTokens } from "../text/TokenEstimate.ts"
import * as Stub from "./StubForge.test-support.ts"

const commits =
  (...all: ReadonlyArray<object>) =>
  (url: URL) =>
    url.pathname.endsWith("/commits") ? Stub.page(url, all) : undefined

const many = Array.from({ length: 100 }, (_, index) =>
  Stub.commit(index, { message: `mcp: change item ${index} of the list so that agents understand it` })
)

describe("list_commits", () => {
  it.effect("has a hundred commits of one author in at most 4,000 tokens", () =>
    Effect.gen(function* () {
      const { read } = yield* Stub.connect(commits(...many))
      const text = yield* read("list_commits", { limit: 100 })
      assert.isAtMost(estimateTokens(text), 4_000)
      assert.match(text, /^0000063 (in )?\d+ \w+( ago)? mcp: change item 99/m)
      assert.strictEqual(text.split(" by Mona\n").length - 1, 2) // one heading a day
    }).pipe(Effect.scoped)
  )

  it.effect("names each author if they differ, by login if there is one", () =>
    Effect.gen(function* () {
      const { read } = yield* Stub.connect(
        commits(Stub.commit(1), Stub.commit(2, { name: "Ada", author: Samples.user("ada"), message: "Two\n\nLines" }))
      )
      const text = yield* read("list_commits", {})
      assert.match(text, /^0000001 2026-01-30 (in )?\d+ \w+( ago)? Mona: Subject 1$/m)
      assert.match(text, /^0000002 2026-01-30 (in )?\d+ \w+( ago)? ada: Two$/m)
    }).pipe(Effect.scoped)
  )

  it.effect("escapes hidden characters of subjects and authors", () =>
    Effect.gen(function* () {
      const { read } = yield* Stub.connect(
        commits(Stub.commit(1, { name: "Mo\u200bna", message: "hidden \u{E0041}\u202e text\u001b[31m" }))
      )
      assert.notMatch(yield* read("list_commits", {}), /[\u200b\u202e\u001b\u{E0041}]/u)
    }).pipe(Effect.scoped)
  )

  it.effect("counts a person once: by login, by e-mail address, and by the address of a login", () =>
    Effect.gen(function* () {
      const { data } = yield* Stub.connect(
        commits(
          Stub.commit(1, { author: Samples.user("mona"), email: "mona@work.example" }),
          Stub.commit(2, { email: "MONA@work.example", name: "Mona L." }),
          Stub.commit(3, { author: Samples.user("mona"), email: "mona@home.example" }),
          Stub.commit(4, { name: "Ada", email: "ada@example.com" }),
          Stub.commit(5, { name: "Ada Lovelace", email: "Ada@example.com" }),
          Stub.commit(6, { name: "Ada", email: "other@example.com" })
        ),
        { structured: true }
      )
      const { items, source } = yield* data("list_commits", { counts: true })
      assert.deepStrictEqual(
        items.map(({ commits, email, login }) => [commits, login ?? email]),
        [
          [3, "mona"],
          [2, "ada@example.com"],
          [1, "other@example.com"]
        ]
      )
      assert.strictEqual(source["commits"], 6)
    }).pipe(Effect.scoped)
  )

  it.effect("sends dates and ages as times, and explains invalid ones", () =>
    Effect.gen(function* () {
      const urls: Array<URL> = []
      const { read } = yield* Stub.connect((url) => {
        urls.push(url)
        return Stub.page(url, [])
      })
      yield* read("list_commits", { since: "2026-01-31", until: "2026-02-01", path: "/src/" })
      assert.deepInclude(Object.fromEntries(urls[0]?.searchParams ?? []), {
        since: "2026-01-31T00:00:00Z",
        until: "2026-02-01T23:59:59Z",
        path: "src"
      })
      assert.include(yield* read("list_commits", { since: "recently" }), "Invalid since")
      assert.include(yield* read("list_commits", { author: "Mona Lisa" }), "author is a login or an e-mail address")
    }).pipe(Effect.scoped)
  )

  it.effect("says that a repository is empty", () =>
    Effect.gen(function* () {
      const { read } = yield* Stub.connect(() => ({ status: 409, body: { message: "Git Repository is empty." } }))
      assert.include(yield* read("list_commits", {}), "The repository has no commits")
      assert.include(yield* read("list_commits", { counts: true }), "The repository has no commits")
    }).pipe(Effect.scoped)
  )
})

const signed = { verified: true, reason: "valid", signature: "s", payload: "p", verified_at: null }

const readable = (fields: object, commit: object = {}) => {
  const base = Stub.commit(7, { message: "Add a thing\n\nBecause of it.\n" })
  return (url: URL): Stub.Answer | undefined =>
    /\/commits\/(main|0{6}7a+)$/.test(url.pathname)
      ? {
          body: Stub.resource(Commit, { ...base, ...fields, commit: { ...Object(base).commit, ...commit } })
        }
      : undefined
}

const files = [
  Stub.change("src/a.ts", { patch: "@@ -1 +1 @@\n-old\n+new\u202e\n" }),
  Stub.change("src/b.ts", {
    status: "renamed",
    previous_filename: "lib/b.ts",
    additions: 0,
    changes: 0,
    patch: undefined
  }),
  Stub.change("logo.png", { status: "added", additions: 0, changes: 0, patch: undefined }),
  Stub.change("data.json", { additions: 90_000, changes: 90_000, patch: undefined }),
  Stub.change("srcs", {})
]

describe("read_commit", () => {
  it.effect("has the message, the parents, the signature and a line for each file", () =>
    Effect.gen(function* () {
      const { read } = yield* Stub.connect(readable({ files }, { verification: signed }))
      const text = yield* read("read_commit", { ref: "main" })
      for (const part of [
        `commit ${Stub.sha(7)}`,
        "author Mona <mona@example.com>",
        "parent 0000008, signature verified, 5 files +90002 -0",
        "    Add a thing\n\n    Because of it.\nfiles",
        "files in src/\na.ts +1\nb.ts renamed from lib/b.ts\nfiles in ./\nlogo.png added binary or empty\n"
      ])
        assert.include(text, part)
      assert.notInclude(text, "committer")
      assert.notInclude(text, "+new")
    }).pipe(Effect.scoped)
  )

  it.effect("has the committer only if it differs from the author", () =>
    Effect.gen(function* () {
      const committer = { name: "Hubot", email: "hubot@example.com", date: "2026-02-01T00:00:00Z" }
      const { read } = yield* Stub.connect(readable({ files, parents: [] }, { committer }))
      const text = yield* read("read_commit", { ref: "main", patch: "none" })
      assert.include(text, "committer Hubot <hubot@example.com>")
      assert.include(text, "no parent")
      assert.notInclude(text, "src/a.ts")
    }).pipe(Effect.scoped)
  )

  it.effect("has the patches of a file or folder, and says why a patch is missing", () =>
    Effect.gen(function* () {
      const { read } = yield* Stub.connect(readable({ files }))
      const full = yield* read("read_commit", { ref: "main", patch: "full" })
      assert.include(full, "src/a.ts +1\n@@ -1 +1 @@\n-old\n+new<U+202E>")
      assert.match(full, /^src\/b.ts renamed from lib\/b.ts\nWithout changes/m)
      assert.match(full, /^logo.png added binary or empty\nNo patch: a binary/m)
      assert.match(full, /^data.json \+90000\nThe forge shows no patch of this size/m)
      const folder = yield* read("read_commit", { ref: "main", patch: "full", path: "/src/" })
      assert.include(folder, "2 files")
      assert.notInclude(folder, "srcs")
      assert.include(yield* read("read_commit", { ref: "main", path: "lib" }), "src/b.ts renamed from lib/b.ts")
      assert.include(yield* read("read_commit", { ref: "main", path: "nowhere" }), "does not change this path")
    }).pipe(Effect.scoped)
  )

  it.effect("says that the forge lists only the first 300 files", () =>
    Effect.gen(function* () {
      const all = Array.from({ length: 300 }, (_, index) => Stub.change(`file-${index}`))
      const { read } = yield* Stub.connect(readable({ files: all }))
      assert.match(yield* read("read_commit", { ref: "main", path: "nowhere" }), /only the first 300 files.*read_file/)
    }).pipe(Effect.scoped)
  )

  it.effect("continues with the same commit after a branch moved", () =>
    Effect.gen(function* () {
      const long = [Stub.change("a.ts", { patch: `@@\n${"+a line of the patch\n".repeat(5_000)}` })]
      const { read, requests } = yield* Stub.connect(readable({ files: long }))
      const text = yield* read("read_commit", { ref: "main", patch: "full" })
      yield* read("read_commit", JSON.parse(/^More: call again with (.*)$/m.exec(text)?.[1] ?? "{}"))
      assert.deepStrictEqual(
        requests.map((path) => path.split("/").at(-1)),
        ["main", Stub.sha(7)]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("explains names that only git knows", () =>
    Effect.gen(function* () {
      const { read } = yield* Stub.connect(() => ({ status: 422, body: { message: "No commit found" } }))
      assert.match(yield* read("read_commit", { ref: "HEAD~3" }), /does not find "HEAD~3"\. Pass a branch/)
    }).pipe(Effect.scoped)
  )
})

describe("compare", () => {
  const comparison = (fields: object) => (url: URL) =>
    url.pathname.includes("/compare/")
      ? {
          body: Stub.resource(Comparison, {
            status: "ahead",
            ahead_by: 2,
            behind_by: 0,
            base_commit: Stub.commit(9),
            merge_base_commit: Stub.commit(9),
            commits: [Stub.commit(2), Stub.commit(1)],
            files,
            ...fields
          })
        }
      : undefined

  it.effect("has the commits, newest first, and the files, in one answer", () =>
    Effect.gen(function* () {
      const { read } = yield* Stub.connect(comparison({ behind_by: 3, status: "diverged" }))
      const text = yield* read("compare", { base: "main", head: "topic" })
      assert.include(text, "base main (0000009), head topic (0000001)")
      assert.include(text, "ahead 2, behind 3, merge base 0000009; 5 files +90002 -0")
      assert.include(text, "newest first, by Mona:\n0000001 Subject 1\n0000002 Subject 2\n")
      assert.include(text, "b.ts renamed from lib/b.ts")
      assert.notInclude(text, "More:")
    }).pipe(Effect.scoped)
  )

  it.effect("has the patches of a path, and only commits without patch", () =>
    Effect.gen(function* () {
      const { read } = yield* Stub.connect(comparison({}))
      const full = yield* read("compare", { base: "main", patch: "full", path: "src/a.ts" })
      assert.include(full, "-old\n+new")
      assert.notInclude(full, "logo.png")
      const none = yield* read("compare", { base: "main", patch: "none" })
      assert.include(none, "Subject 2")
      assert.notInclude(none, "src/")
      assert.include(yield* read("compare", { base: "main", path: "nowhere" }), "No file in this path differs")
    }).pipe(Effect.scoped)
  )

  it.effect("starts a long answer with the largest folders and files", () =>
    Effect.gen(function* () {
      const all = Array.from({ length: 299 }, (_, index) =>
        Stub.change(`packages/core/part-${index % 3}/a-long-name-of-a-file-${index}.ts`, {
          additions: index,
          changes: index
        })
      )
      const { read } = yield* Stub.connect(comparison({ files: [...all, Stub.change("README.md")] }))
      const text = yield* read("compare", { base: "main" })
      assert.isAtMost(estimateTokens(text), 2_000)
      assert.match(text, /folders:\npackages\/core\/part-0\/ 100 files[^]*\.\/ 1 file \+1 -0/)
      assert.match(text, /most changes first:\npackages\/core\/part-1\/a-long-name-of-a-file-298.ts \+298/)
      assert.include(text, "only the first 300 files")
    }).pipe(Effect.scoped)
  )

  it.effect("says how to read the commits that the forge does not list", () =>
    Effect.gen(function* () {
      const { read } = yield* Stub.connect(comparison({ ahead_by: 260 }))
      assert.include(
        yield* read("compare", { base: "main" }),
        `newest 2 of 260 commits. Older ones: list_commits with {"ref":"${Stub.sha(3)}","limit":100}`
      )
    }).pipe(Effect.scoped)
  )

  it.effect("says that only base has commits", () =>
    Effect.gen(function* () {
      const { read } = yield* Stub.connect(
        comparison({ status: "behind", ahead_by: 0, behind_by: 4, commits: [], files: [] })
      )
      assert.match(yield* read("compare", { base: "main" }), /ahead 0, behind 4[^]*Swap them/)
    }).pipe(Effect.scoped)
  )

  it.effect("says that both are the same", () =>
    Effect.gen(function* () {
      const { read } = yield* Stub.connect(comparison({ status: "identical", ahead_by: 0, commits: [], files: [] }))
      assert.include(yield* read("compare", { base: "main" }), "identical")
    }).pipe(Effect.scoped)
  )
})
