import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Blame from "./history/Blame.ts"
import { commit, folder, git, manyCommits, manyFiles, workTree } from "./Fixture.test-support.ts"
import { Git } from "./process/Git.ts"
import { changesOf, hostilePaths, open, repositories } from "./GitRepository.test-support.ts"

layer(repositories)("GitRepository reading", (it) => {
  it.effect("resolves names and abbreviated ids, but no revision syntax", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const first = git(path, ["rev-parse", "HEAD"])
      const second = commit(path, {}, "second")
      git(path, ["branch", "topic/x", first])
      git(path, ["tag", "-a", "v1", "-m", "v1", first])
      git(path, ["tag", "beef", first])
      const tag = git(path, ["rev-parse", "v1"])
      const tree = git(path, ["rev-parse", "HEAD^{tree}"])
      const repository = yield* open(path)
      for (const [revision, expected] of [
        ["HEAD", second],
        ["main", second],
        ["heads/main", second],
        ["refs/heads/main", second],
        ["topic/x", first],
        ["v1", first],
        ["tags/v1", first],
        ["beef", first],
        [second, second],
        [second.slice(0, 9), second],
        [second.slice(0, 9).toUpperCase(), second],
        [tag, first]
      ] as const)
        assert.strictEqual(yield* repository.resolve(revision), expected, revision)
      for (const revision of [
        tree,
        "HEAD^",
        "main~1",
        "main:a.txt",
        "@",
        "@{0}",
        "main@{0}",
        ":/second",
        "^main",
        "--all",
        "-1",
        "",
        "abc",
        "main\nHEAD",
        "main\0",
        "refs/heads",
        "..",
        "0".repeat(40)
      ])
        assert.isUndefined(yield* repository.resolve(revision), JSON.stringify(revision))
    })
  )

  it.effect("finds the entry at a path, and rejects paths outside the repository", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      mkdirSync(join(path, "d/e"), { recursive: true })
      writeFileSync(join(path, "d/e/ü 霧.txt"), "wide")
      symlinkSync("/etc/passwd", join(path, "d/link"))
      git(path, ["add", "."])
      git(path, ["update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},sub`])
      const head = commit(path, {}, "more")
      const repository = yield* open(path)
      const kind = (at: string) => Effect.map(repository.entryAt(head, at), (entry) => entry?.kind)
      assert.deepStrictEqual(
        yield* Effect.forEach(["", "d", "d/e/", "d/e/ü 霧.txt", "d/link", "sub", "sub/x", "d/link/x"], kind),
        ["dir", "dir", "dir", "file", "symlink", "submodule", undefined, undefined]
      )
      for (const name of hostilePaths) assert.isUndefined(yield* repository.entryAt(head, name), JSON.stringify(name))
      const entry = yield* repository.entryAt(head, "d/e/ü 霧.txt")
      assert.strictEqual(Buffer.from((yield* repository.blob(entry?.oid ?? ""))?.bytes ?? []).toString(), "wide")
      assert.isUndefined(yield* repository.blob(head))
      assert.isUndefined(yield* repository.commit(entry?.oid ?? ""))
      assert.isUndefined(yield* repository.tree("HEAD"))
    })
  )

  it.effect("does not expose cached objects to another repository", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* workTree, yield* workTree]
      const secret = commit(one, { "secret.txt": "secret" }, "secret")
      const [a, b] = [yield* open(one), yield* open(two)]
      assert.isDefined(yield* a.commit(secret))
      assert.isUndefined(yield* b.commit(secret))
      assert.isUndefined(yield* b.resolve(secret))
    })
  )

  it.effect("pages through a log of 2,000 commits as git does", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      manyCommits(path, "long", 2000)
      const expected = git(path, ["rev-list", "long"]).split("\n")
      const repository = yield* open(path)
      const from = expected[0] ?? ""
      const pages: Array<string> = []
      for (let skip = 0; skip < 2100; skip += 100) pages.push(...(yield* repository.log({ from, skip, limit: 100 })))
      assert.deepStrictEqual(pages, expected)
      assert.strictEqual(yield* repository.countLog({ from }), 2000)
      assert.deepStrictEqual(yield* repository.log({ from, skip: 500_000, limit: 3 }), [])
      assert.deepStrictEqual(
        yield* repository.log({ from, skip: 0, limit: 5, since: 1_600_000_010, until: 1_600_000_011 }),
        git(path, ["rev-list", "--max-count=2", "--skip=1988", "long"]).split("\n")
      )
    })
  )

  it.effect("filters the log by path, author and committer, without parsing patterns as options", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const touched = commit(path, { "src/x.ts": "1" }, "x")
      const top = commit(path, { "y.ts": "1" }, "y")
      const author = git(path, ["commit-tree", "-p", top, "HEAD^{tree}", "-m", "z"])
      const repository = yield* open(path)
      const log = (filter: object) => repository.log({ from: author, skip: 0, limit: 10, ...filter })
      assert.deepStrictEqual(yield* log({ path: "src" }), [touched])
      assert.deepStrictEqual(yield* log({ path: "src/" }), [touched])
      assert.deepStrictEqual(yield* log({ path: "*.ts" }), [])
      assert.deepStrictEqual(yield* log({ path: ":(top)src" }), [])
      assert.strictEqual((yield* log({ author: "TEST@example" })).length, 4)
      assert.deepStrictEqual(yield* log({ author: "t.st" }), [])
      assert.deepStrictEqual(yield* log({ committer: "--output=/tmp/x" }), [])
      assert.strictEqual((yield* Effect.flip(log({ path: "../x" }))).reason._tag, "InvalidName")
      assert.strictEqual((yield* Effect.flip(log({ author: "a\0b" }))).reason._tag, "InvalidName")
      assert.strictEqual((yield* Effect.flip(log({ from: "--all" }))).reason._tag, "InvalidObject")
      assert.strictEqual((yield* Effect.flip(log({ from: "1".repeat(40) }))).reason._tag, "ObjectMissing")
      assert.isTrue(yield* repository.isAncestor(touched, author))
      assert.isTrue(yield* repository.isAncestor(top, top))
      assert.isFalse(yield* repository.isAncestor(author, touched))
      assert.strictEqual((yield* Effect.flip(repository.isAncestor("--help", top))).reason._tag, "ObjectMissing")
    })
  )

  it.effect("counts files and languages of a tree", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const head = commit(path, { "a.ts": "12345", "d/b.TS": "1", Makefile: "x", "d/🎉": "1" }, "x")
      const repository = yield* open(path)
      assert.deepStrictEqual(yield* repository.languageStatistics((yield* repository.commit(head))?.tree ?? ""), {
        files: 5,
        bytes: 12,
        languages: [
          { name: "TypeScript", bytes: 6, files: 2 },
          { name: "Makefile", bytes: 1, files: 1 }
        ]
      })
      assert.strictEqual((yield* Effect.flip(repository.languageStatistics(head))).reason._tag, "ObjectMissing")
    })
  )

  it.effect("gives line counts and patches for the first files of a very large commit", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const long = "x".repeat(200)
      const names = Array.from({ length: 12_000 }, (_, index) => `${long}-${String(index).padStart(5, "0")}.ts`)
      const head = manyFiles(path, "main", names)
      const repository = yield* open(path)
      const commit = yield* repository.commit(head)
      const changes = yield* changesOf(repository, head)
      assert.deepStrictEqual(
        changes.map(({ path }) => path),
        names.slice(0, 300)
      )
      for (const change of changes) {
        assert.deepStrictEqual(
          [change.status, change.additions, change.deletions, change.patch],
          ["added", 1, 0, "@@ -0,0 +1 @@\n+hi"]
        )
      }
      const { bytes, files, languages } = yield* repository.languageStatistics(commit?.tree ?? "")
      assert.deepStrictEqual([bytes, files], [36_004, 12_001])
      assert.deepStrictEqual(languages, [{ name: "TypeScript", bytes: 36_000, files: 12_000 }])
    })
  )

  it.effect("does not count the lines of a commit with more files than a listing has", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const names = Array.from({ length: 20_001 }, (_, index) => `f${String(index).padStart(5, "0")}`)
      const head = manyFiles(path, "main", names)
      const { changes } = yield* open(path)
      const range = { from: git(path, ["rev-parse", `${head}^`]), to: head }
      const listing = yield* changes.list(range)
      assert.deepStrictEqual([listing.files.length, listing.isCounted], [20_000, false])
      assert.deepStrictEqual(yield* changes.paths(range), names)
      const [last] = yield* changes.withPatches(range, listing, listing.files.slice(-1))
      assert.deepInclude(last, { path: "f19999", additions: 1, patch: "@@ -0,0 +1 @@\n+hi" })
    })
  )

  it.effect("lists the files of a partial clone without their content", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const head = commit(path, { "b.txt": "two\n" }, "second")
      git(path, ["config", "uploadpack.allowFilter", "true"])
      const clone = join(yield* folder, "clone.git")
      git(path, ["clone", "--quiet", "--bare", "--filter=blob:none", `file://${path}`, clone])
      const repository = yield* open(clone)
      const files = yield* repository.files((yield* repository.commit(head))?.tree ?? "")
      assert.deepStrictEqual(
        files.map(({ path, size }) => [path, size]),
        [
          ["a.txt", 0],
          ["b.txt", 0]
        ]
      )
      const oid = files[0]?.oid ?? ""
      assert.isUndefined(yield* repository.blob(oid))
      const { reason } = yield* Effect.flip(changesOf(repository, head))
      assert.strictEqual(reason._tag, "ObjectMissing")
      const blame = Blame.make(yield* Git)(repository.gitDir, head, "b.txt")
      assert.strictEqual((yield* Effect.flip(blame)).reason._tag, "ObjectMissing")
    })
  )

  it.effect("gives each change its own patch, even next to a file that became a link", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      commit(path, { "b.txt": "b\n", "c.txt": "c\n" }, "before")
      rmSync(join(path, "a.txt"), { force: true })
      symlinkSync("b.txt", join(path, "a.txt"))
      git(path, ["add", "a.txt"])
      const after = commit(path, { "b.txt": "B\n", "d.txt": "d\n" }, "after")
      const repository = yield* open(path)
      assert.deepStrictEqual(
        (yield* changesOf(repository, after)).map(({ patch, path, status }) => [path, status, patch]),
        [
          ["a.txt", "changed", "@@ -1 +0,0 @@\n-one\n@@ -0,0 +1 @@\n+b.txt\n\\ No newline at end of file"],
          ["b.txt", "modified", "@@ -1 +1 @@\n-b\n+B"],
          ["d.txt", "added", "@@ -0,0 +1 @@\n+d"]
        ]
      )
    })
  )
})
