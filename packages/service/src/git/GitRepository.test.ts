import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Blame from "./Blame.ts"
import { commit, folder, git, manyCommits, manyFiles, workTree } from "./Fixture.test-support.ts"
import { Git } from "./Git.ts"
import { GitRepositories } from "./GitRepositories.ts"

const open = (path: string) => Effect.flatMap(GitRepositories, (repositories) => repositories.open(path))

const hostileNames = ["../x", "/etc/passwd", "a/../../b", "a//b", "./a", ".", "..", "a/./b", "a\0b", "//", "a.txt/x"]

layer(Layer.merge(GitRepositories.layer, Git.layer))("GitRepository", (it) => {
  describe("opening", () => {
    it.effect("opens work trees, bare repositories, linked work trees and .git files, but no other folders", () =>
      Effect.gen(function* () {
        const path = yield* workTree
        const other = join(yield* folder, "other")
        const bare = join(yield* folder, "bare.git")
        git(path, ["worktree", "add", "-q", "-b", "side", other])
        git(path, ["clone", "-q", "--bare", path, bare])
        assert.deepStrictEqual(
          yield* Effect.forEach([path, join(path, ".git"), other, bare], (each) =>
            Effect.map(open(each), (repository) => [repository.path, repository.bare])
          ),
          [
            [path, false],
            [path, false],
            [other, false],
            [bare, true]
          ]
        )
        assert.strictEqual(yield* open(path), yield* open(path))
        const inside = join(path, "inside")
        mkdirSync(inside)
        for (const none of [inside, join(path, "absent"), join(path, "a.txt"), "/"]) {
          assert.strictEqual((yield* Effect.flip(open(none))).reason._tag, "NotARepository")
        }
      })
    )

    it.effect("shares references with a linked work tree, which has its own HEAD", () =>
      Effect.gen(function* () {
        const path = yield* workTree
        const other = join(yield* folder, "other")
        git(path, ["worktree", "add", "-q", "-b", "side", other])
        const repository = yield* open(other)
        assert.strictEqual(yield* repository.head, "side")
        assert.deepStrictEqual(
          (yield* repository.refs()).map(({ name }) => name),
          ["refs/heads/main", "refs/heads/side"]
        )
        git(other, ["checkout", "-q", "--detach"])
        assert.strictEqual(yield* repository.head, "main")
      })
    )

    it.effect("gives the unborn branch and no objects of an empty repository", () =>
      Effect.gen(function* () {
        const path = yield* folder
        git(path, ["init", "-q", "--initial-branch=a/b"])
        const repository = yield* open(path)
        assert.strictEqual(yield* repository.head, "a/b")
        assert.deepStrictEqual(yield* repository.refs(), [])
        assert.isUndefined(yield* repository.resolve("HEAD"))
      })
    )

    it.effect("reads a SHA-256 repository", () =>
      Effect.gen(function* () {
        const path = yield* folder
        git(path, ["init", "-q", "--initial-branch=main", "--object-format=sha256"])
        const head = commit(path, { "d/a.txt": "x" }, "first")
        const repository = yield* open(path)
        assert.strictEqual(repository.objectFormat, "sha256")
        assert.strictEqual((yield* repository.entryAt(head, "d/a.txt"))?.oid, git(path, ["rev-parse", "HEAD:d/a.txt"]))
      })
    )
  })

  describe("references", () => {
    it.effect("sees rapid changes by other programs at once", () =>
      Effect.gen(function* () {
        const path = yield* workTree
        const first = git(path, ["rev-parse", "HEAD"])
        const second = commit(path, {}, "second")
        const repository = yield* open(path)
        for (let round = 0; round < 25; round++) {
          const oid = round % 2 === 0 ? first : second
          git(path, ["update-ref", "refs/heads/deep/er/x", oid])
          assert.strictEqual((yield* repository.ref("refs/heads/deep/er/x"))?.oid, oid)
          if (round % 5 === 0) git(path, ["pack-refs", "--all"])
          assert.strictEqual((yield* repository.ref("refs/heads/deep/er/x"))?.oid, oid)
        }
        git(path, ["update-ref", "-d", "refs/heads/deep/er/x"])
        assert.isUndefined(yield* repository.ref("refs/heads/deep/er/x"))
        git(path, ["symbolic-ref", "HEAD", "refs/heads/elsewhere"])
        assert.strictEqual(yield* repository.head, "elsewhere")
      })
    )

    it.effect("lists by prefix, peels nested tags, omits broken references, and fails when reading one", () =>
      Effect.gen(function* () {
        const path = yield* workTree
        const head = git(path, ["rev-parse", "HEAD"])
        git(path, ["tag", "-a", "one", "-m", "one"])
        git(path, ["tag", "-a", "two", "-m", "two", "one"])
        git(path, ["update-ref", "refs/notes/x", head])
        const repository = yield* open(path)
        assert.deepStrictEqual(
          (yield* repository.refs("refs/tags/t")).map(({ name, peeled, type }) => [name, type, peeled]),
          [["refs/tags/two", "tag", head]]
        )
        writeFileSync(join(path, ".git/refs/heads/broken"), `${"1".repeat(40)}\n`)
        assert.deepStrictEqual(
          (yield* repository.refs()).map(({ name, peeled }) => [name, peeled]),
          [
            ["refs/heads/main", undefined],
            ["refs/notes/x", undefined],
            ["refs/tags/one", head],
            ["refs/tags/two", head]
          ]
        )
        git(path, ["symbolic-ref", "HEAD", "refs/heads/broken"])
        const problem = { _tag: "ObjectMissing", oid: "1".repeat(40) } as const
        assert.deepInclude((yield* Effect.flip(repository.ref("refs/heads/broken"))).reason, problem)
        assert.deepInclude((yield* Effect.flip(repository.resolve("HEAD"))).reason, problem)
      })
    )

    it.effect("creates, updates and deletes with the expected value, and reports conflicts", () =>
      Effect.gen(function* () {
        const path = yield* workTree
        const first = git(path, ["rev-parse", "HEAD"])
        const second = commit(path, {}, "second")
        const blob = git(path, ["rev-parse", "HEAD:a.txt"])
        const repository = yield* open(path)
        const reason = (effect: ReturnType<typeof repository.createRef>) =>
          Effect.map(Effect.flip(effect), (error) => error.reason._tag)
        yield* repository.createRef("refs/heads/a/b", first)
        assert.strictEqual(git(path, ["rev-parse", "a/b"]), first)
        assert.strictEqual((yield* repository.ref("refs/heads/a/b"))?.oid, first)
        assert.strictEqual(yield* reason(repository.createRef("refs/heads/a/b", first)), "AlreadyExists")
        assert.strictEqual(yield* reason(repository.createRef("refs/heads/a", first)), "DirectoryConflict")
        assert.strictEqual(yield* reason(repository.createRef("refs/heads/a/b/c", first)), "DirectoryConflict")
        git(path, ["pack-refs", "--all"])
        assert.strictEqual(yield* reason(repository.createRef("refs/heads/a", first)), "DirectoryConflict")
        assert.strictEqual(yield* reason(repository.createRef("refs/heads/x", "1".repeat(40))), "InvalidObject")
        assert.strictEqual(yield* reason(repository.createRef("refs/heads/x", "0".repeat(40))), "InvalidObject")
        assert.strictEqual(yield* reason(repository.createRef("refs/heads/x", "HEAD")), "InvalidObject")
        assert.strictEqual(yield* reason(repository.createRef("refs/heads/x", blob)), "InvalidObject")
        yield* repository.updateRef("refs/heads/a/b", second, first)
        assert.strictEqual(yield* reason(repository.updateRef("refs/heads/a/b", first, first)), "RefConflict")
        assert.strictEqual(yield* reason(repository.updateRef("refs/heads/gone", first, second)), "RefConflict")
        assert.strictEqual(yield* reason(repository.deleteRef("refs/heads/a/b", first)), "RefConflict")
        yield* repository.deleteRef("refs/heads/a/b", second)
        assert.isUndefined(yield* repository.ref("refs/heads/a/b"))
        assert.strictEqual(yield* reason(repository.deleteRef("refs/heads/a/b", second)), "RefConflict")
      })
    )

    it.effect("rejects malicious names without running git", () =>
      Effect.gen(function* () {
        const path = yield* workTree
        const oid = git(path, ["rev-parse", "HEAD"])
        const repository = yield* open(path)
        for (const name of [
          "HEAD",
          "config",
          "refs/../config",
          "refs/heads/.lock",
          "refs/heads/a\0b",
          "refs/heads/a\nb",
          `refs/heads/${"x".repeat(10_000)}`,
          "/refs/heads/x",
          "--help"
        ]) {
          assert.strictEqual((yield* Effect.flip(repository.createRef(name, oid))).reason._tag, "InvalidName", name)
          assert.strictEqual((yield* Effect.flip(repository.deleteRef(name, oid))).reason._tag, "InvalidName", name)
        }
      })
    )

    it.effect("lets exactly one of 50 concurrent updates succeed", () =>
      Effect.gen(function* () {
        const path = yield* workTree
        const base = git(path, ["rev-parse", "HEAD"])
        manyCommits(path, "pile", 50)
        const targets = git(path, ["rev-list", "pile"]).split("\n")
        const repository = yield* open(path)
        yield* repository.createRef("refs/heads/raced", base)
        const outcomes = yield* Effect.forEach(
          targets,
          (oid) =>
            Effect.match(repository.updateRef("refs/heads/raced", oid, base), {
              onFailure: (error) => error.reason._tag,
              onSuccess: () => oid
            }),
          { concurrency: "unbounded" }
        )
        const winners = outcomes.filter((outcome) => outcome !== "RefConflict")
        assert.deepStrictEqual(winners, [git(path, ["rev-parse", "raced"])])
        assert.strictEqual(git(path, ["fsck", "--no-dangling"]), "")
      })
    )

    it.effect("does not create the unborn branch of a work tree", () =>
      Effect.gen(function* () {
        const path = yield* workTree
        const head = git(path, ["rev-parse", "HEAD"])
        git(path, ["symbolic-ref", "HEAD", "refs/heads/unborn"])
        const repository = yield* open(path)
        const reasonOf = (name: string) =>
          Effect.map(Effect.flip(repository.createRef(name, head)), ({ reason }) => reason._tag)
        assert.strictEqual(yield* reasonOf("refs/heads/unborn"), "CheckedOut")
        yield* repository.createRef("refs/heads/other", head)
        git(path, ["symbolic-ref", "HEAD", "refs/heads/main"])
        assert.strictEqual(yield* reasonOf("refs/heads/main"), "AlreadyExists")
      })
    )

    it.effect("does not change a branch that a work tree uses through a symbolic reference", () =>
      Effect.gen(function* () {
        const path = yield* workTree
        const first = git(path, ["rev-parse", "HEAD"])
        const second = git(path, ["commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "x"])
        git(path, ["symbolic-ref", "refs/heads/alias", "refs/heads/main"])
        git(path, ["symbolic-ref", "HEAD", "refs/heads/alias"])
        const repository = yield* open(path)
        for (const ref of ["refs/heads/main", "refs/heads/alias"]) {
          const { reason } = yield* Effect.flip(repository.updateRef(ref, second, first))
          assert.strictEqual(reason._tag, "CheckedOut", ref)
        }
        assert.strictEqual(git(path, ["rev-parse", "main"]), first)
      })
    )

    it.effect("does not change a branch that a work tree uses", () =>
      Effect.gen(function* () {
        const path = yield* workTree
        const other = join(yield* folder, "other")
        git(path, ["worktree", "add", "-q", "-b", "side", other])
        const first = git(path, ["rev-parse", "HEAD"])
        const second = git(path, ["commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "x"])
        const repository = yield* open(path)
        for (const ref of ["refs/heads/main", "refs/heads/side"]) {
          assert.strictEqual((yield* Effect.flip(repository.updateRef(ref, second, first))).reason._tag, "CheckedOut")
          assert.strictEqual((yield* Effect.flip(repository.deleteRef(ref, first))).reason._tag, "CheckedOut")
        }
        git(other, ["checkout", "-q", "--detach"])
        const rebase = join(path, ".git/worktrees/other/rebase-merge")
        mkdirSync(rebase)
        writeFileSync(join(rebase, "head-name"), "refs/heads/side\n")
        assert.strictEqual(
          (yield* Effect.flip(repository.updateRef("refs/heads/side", second, first))).message,
          `refs/heads/side is checked out in ${other}; switch that work tree to another branch first`
        )
        rmSync(rebase, { recursive: true })
        yield* repository.updateRef("refs/heads/side", second, first)
        const bare = join(yield* folder, "bare.git")
        git(path, ["clone", "-q", "--bare", path, bare])
        yield* (yield* open(bare)).updateRef("refs/heads/main", second, first)
        // The same holds when it is opened through a linked work tree.
        const added = join(yield* folder, "added")
        git(bare, ["worktree", "add", "-q", "-b", "topic", added])
        const opened = yield* open(added)
        yield* opened.updateRef("refs/heads/main", first, second)
        assert.strictEqual(
          (yield* Effect.flip(opened.updateRef("refs/heads/topic", first, second))).reason._tag,
          "CheckedOut"
        )
      })
    )
  })

  describe("reading", () => {
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
        for (const name of hostileNames) assert.isUndefined(yield* repository.entryAt(head, name), JSON.stringify(name))
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
        const changes = yield* repository.changes.ofCommit(head)
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
        const { reason } = yield* Effect.flip(repository.changes.ofCommit(head))
        assert.strictEqual(reason._tag, "ObjectMissing")
        const blame = Blame.make(yield* Git)(repository.gitDir, head, "b.txt")
        assert.strictEqual((yield* Effect.flip(blame)).reason._tag, "ObjectMissing")
      })
    )
  })

  describe("writing objects", () => {
    const person = (name: string, timezone: string) => ({
      name,
      email: `${name}@example.org`,
      seconds: 1_700_000_000,
      timezone
    })

    it.effect("writes commits with the same ids as git commit-tree", () =>
      Effect.gen(function* () {
        const path = yield* workTree
        const head = git(path, ["rev-parse", "HEAD"])
        const tree = git(path, ["rev-parse", "HEAD^{tree}"])
        const repository = yield* open(path)
        const message = "霧笛 ünd 🎉\n\nno line feed at the end"
        for (const parents of [[], [head], [head, git(path, ["commit-tree", tree, "-m", "other"])]]) {
          const written = yield* repository
            .writeCommit({
              tree,
              parents,
              author: person("Test", "+0100"),
              committer: { ...person("Test", "+0100"), name: " Test, " },
              message
            })
            .pipe(Effect.map((oid) => git(path, ["cat-file", "commit", oid])))
          const args = [
            "-c",
            "user.email=Test@example.org",
            "commit-tree",
            tree,
            ...parents.flatMap((parent) => ["-p", parent]),
            "-F",
            "-"
          ]
          assert.strictEqual(written, git(path, ["cat-file", "commit", git(path, args, message)]))
        }
        assert.strictEqual(git(path, ["fsck", "--no-dangling", "--strict"]), "")
      })
    )

    it.effect("rejects commits that git would not write", () =>
      Effect.gen(function* () {
        const path = yield* workTree
        const head = git(path, ["rev-parse", "HEAD"])
        const tree = git(path, ["rev-parse", "HEAD^{tree}"])
        const repository = yield* open(path)
        const good = {
          tree,
          parents: [head],
          author: person("A", "+0000"),
          committer: person("A", "+0000"),
          message: "m"
        }
        for (const [bad, tag] of [
          [{ tree: head }, "InvalidObject"],
          [{ tree: "1".repeat(40) }, "ObjectMissing"],
          [{ tree: "HEAD^{tree}" }, "ObjectMissing"],
          [{ parents: [tree] }, "InvalidObject"],
          [{ parents: ["1".repeat(40)] }, "ObjectMissing"],
          [{ message: "a\0b" }, "InvalidObject"],
          [{ author: person("<>", "+0000") }, "InvalidObject"],
          [{ author: { ...person("A", "+0000"), seconds: -1 } }, "InvalidObject"],
          [{ committer: person("A", "Z") }, "InvalidObject"]
        ] as const) {
          assert.strictEqual(
            (yield* Effect.flip(repository.writeCommit({ ...good, ...bad }))).reason._tag,
            tag,
            JSON.stringify(bad)
          )
        }
      })
    )

    it.effect("writes the same blobs, nested trees and tags as git", () =>
      Effect.gen(function* () {
        const path = yield* workTree
        const repository = yield* open(path)
        const head = git(path, ["rev-parse", "HEAD"])
        const base = git(path, ["rev-parse", "HEAD^{tree}"])
        const oid = yield* repository.writeBlob(Uint8Array.of(0, 255, 10))
        assert.strictEqual(oid, git(path, ["hash-object", "--stdin"], Uint8Array.of(0, 255, 10)))
        const file = (at: string, blob: string | null = oid) => ({ path: at, mode: "100644" as const, oid: blob })
        const tree = yield* repository.writeTree([file("d/e/f.txt"), file("d.txt"), file("d0")], base)
        assert.strictEqual(
          git(path, ["ls-tree", "-r", "--name-only", tree]),
          ["a.txt", "d.txt", "d/e/f.txt", "d0"].join("\n")
        )
        const less = yield* repository.writeTree([file("d/e/f.txt", null), file("a.txt", null), file("d0/x")], tree)
        assert.strictEqual(git(path, ["ls-tree", "-r", "--name-only", less]), ["d.txt", "d0/x"].join("\n"))
        assert.strictEqual(yield* repository.writeTree([]), "4b825dc642cb6eb9a060e54bf8d69288fbee4904")
        for (const name of [
          ...hostileNames.filter((each) => each !== "a.txt/x"),
          "",
          ".git/config",
          "d/.GIT/x",
          "\ud800"
        ]) {
          assert.strictEqual(
            (yield* Effect.flip(repository.writeTree([file(name)]))).reason._tag,
            "InvalidName",
            JSON.stringify(name)
          )
        }
        assert.strictEqual((yield* Effect.flip(repository.writeTree([file("x", head)]))).reason._tag, "InvalidObject")
        const tag = yield* repository.writeTag({
          object: head,
          type: "commit",
          name: "v1",
          tagger: person("T", "+0000"),
          message: "one\n"
        })
        assert.strictEqual((yield* repository.tag(tag))?.message, "one\n")
        assert.strictEqual(git(path, ["fsck", "--no-dangling"]), "")
      })
    )
  })

  it.effect("keeps names that are not UTF-8 distinct and unchanged in new trees", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const blob = git(path, ["rev-parse", "HEAD:a.txt"])
      // Names in Latin-1, two of which would be equal if decoded as UTF-8.
      const names = ["caf\u00e9.txt", "caf\u00e8.txt", "caf\u00e9"]
      const listed = (input: ReadonlyArray<string>) => Buffer.from(input.map((each) => `${each}\0`).join(""), "latin1")
      const base = git(path, ["mktree", "-z"], listed(names.map((name) => `100644 blob ${blob}\t${name}`)))
      const repository = yield* open(path)
      const tree = yield* repository.writeTree([{ path: "caf\u00e9", mode: "100644", oid: blob }], base)
      const expected = [...names, "caf\u00c3\u00a9"].map((name) => `100644 blob ${blob}\t${name}`)
      assert.strictEqual(tree, git(path, ["mktree", "-z"], listed(expected)))

      const folder = git(path, ["mktree", "-z"], listed([`040000 tree ${base}\tn\u00e9`]))
      const head = git(path, ["commit-tree", "-m", "x", folder])
      const paths = (yield* repository.files(folder)).map((file) => file.path)
      assert.deepStrictEqual(paths.toSorted(), names.map((name) => `n\u00e9/${name}`).toSorted())
      for (const one of paths) assert.strictEqual((yield* repository.entryAt(head, one))?.path, one)
      assert.deepStrictEqual(
        (yield* repository.changes.ofCommit(head)).map((change) => change.path),
        paths
      )
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
      const { changes } = yield* open(path)
      assert.deepStrictEqual(
        (yield* changes.ofCommit(after)).map(({ patch, path, status }) => [path, status, patch]),
        [
          ["a.txt", "changed", undefined],
          ["b.txt", "modified", "@@ -1 +1 @@\n-b\n+B"],
          ["d.txt", "added", "@@ -0,0 +1 @@\n+d"]
        ]
      )
    })
  )

  it.effect("fails with NotARepository after the repository is deleted", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const head = git(path, ["rev-parse", "HEAD"])
      const repository = yield* open(path)
      renameSync(path, `${path}-moved`)
      assert.strictEqual((yield* Effect.flip(open(path))).reason._tag, "NotARepository")
      assert.strictEqual((yield* Effect.flip(repository.refs())).reason._tag, "NotARepository")
      assert.strictEqual((yield* Effect.flip(repository.info(head))).reason._tag, "NotARepository")
      renameSync(`${path}-moved`, path)
      assert.strictEqual((yield* repository.info(head))?.type, "commit")
    })
  )
})
