import { appendFileSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { commit, folder, git, workTree } from "../Fixture.test-support.ts"
import { changesOf } from "../GitRepository.test-support.ts"
import { GitRepositories } from "../GitRepositories.ts"

const open = (path: string) => Effect.flatMap(GitRepositories, (repositories) => repositories.open(path))

/** Creates a bare clone with these lines in the configuration. */
const clone = Effect.fnUntraced(function* (config: string) {
  const path = join(yield* folder, "clone.git")
  git("/", ["clone", "--quiet", "--bare", yield* workTree, path])
  const text = readFileSync(join(path, "config"), "utf8")
  const version = /repositoryformatversion = \d+/.exec(config)?.[0]
  writeFileSync(
    join(path, "config"),
    version === undefined ? text : text.replace(/repositoryformatversion = 0/, version)
  )
  appendFileSync(join(path, "config"), config.replace(/repositoryformatversion = \d+\n/, ""))
  return path
})

const VERSION1 = "repositoryformatversion = 1\n"

layer(GitRepositories.layer)("RepositoryFormat", (it) => {
  it.effect("rejects unsupported formats with the reason", () =>
    Effect.gen(function* () {
      for (const [config, words] of [
        [`${VERSION1}[extensions]\n refStorage = reftable\n`, "git refs migrate --ref-format=files"],
        [`[extensions]\n refStorage = reftable\n`, "extensions.refstorage"],
        [`${VERSION1}[extensions]\n madeUp = yes\n`, "extensions.madeup=yes"],
        [`${VERSION1}[extensions]\n objectFormat = sha512\n`, "extensions.objectformat=sha512"],
        [`[extensions]\n objectFormat = sha256\n`, "core.repositoryFormatVersion=1"],
        ["repositoryformatversion = 2\n", "core.repositoryFormatVersion is 2"],
        ["[broken\n", "config"]
      ] as const) {
        const path = yield* clone(config)
        const { message, reason } = yield* Effect.flip(open(path))
        assert.strictEqual(reason._tag, "Unreadable", config)
        assert.include(message, path)
        assert.include(message, words)
      }
    })
  )

  it.effect("writes files with the permissions of core.sharedRepository", () =>
    Effect.gen(function* () {
      for (const config of ["sharedRepository = 660", "sharedRepository = 0664", "sharedRepository"]) {
        const path = yield* clone(`[core]\n ${config}\n`)
        const oid = yield* (yield* open(path)).writeBlob(Buffer.from(config))
        const forGroup = statSync(join(path, "objects", oid.slice(0, 2))).mode & 0o020
        assert.strictEqual(forGroup, 0o020, config)
      }
    })
  )

  it.effect("accepts irrelevant extensions and unusual configuration syntax", () =>
    Effect.gen(function* () {
      for (const config of [
        `${VERSION1}[extensions]\n noop-v1 = true\n preciousObjects = true\n partialClone = origin\n`,
        `${VERSION1}[extensions]\n objectFormat = sha1\n refStorage = files\n worktreeConfig = true\n`,
        "[extensions]\n madeUp = yes\n"
      ]) {
        const repository = yield* open(yield* clone(config))
        assert.deepStrictEqual([yield* repository.head, repository.bare], ["main", true])
      }
    })
  )

  it.effect("distinguishes bare repositories from work trees, including by config.worktree", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      git(path, ["config", "core.bare", "true"])
      assert.isTrue((yield* open(path)).bare)
      const other = yield* workTree
      git(other, ["config", "extensions.worktreeConfig", "true"])
      writeFileSync(join(other, ".git/config.worktree"), "[core]\n bare = true\n")
      assert.isTrue((yield* open(other)).bare)
      const third = yield* workTree
      git(third, ["config", "core.worktree", third])
      assert.isFalse((yield* open(third)).bare)
    })
  )

  it.effect("reads shallow clones and clones with alternates, including relative ones", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const head = commit(path, { "b.txt": "b\n" }, "second")
      const shallow = join(yield* folder, "shallow.git")
      git("/", ["clone", "--quiet", "--bare", "--depth=1", `file://${path}`, shallow])
      const short = yield* open(shallow)
      assert.deepStrictEqual(yield* short.log({ from: head, skip: 0, limit: 10 }), [head])
      assert.lengthOf(yield* changesOf(short, head), 2)
      git(shallow, ["fetch", "--quiet", "--unshallow"])
      assert.strictEqual(yield* short.countLog({ from: head }), 2)
      assert.lengthOf(yield* changesOf(short, head), 1)
      const borrowing = join(yield* folder, "shared")
      git("/", ["clone", "--quiet", "--shared", path, borrowing])
      const shared = yield* open(borrowing)
      assert.strictEqual((yield* shared.commit(head))?.message, "second\n")
      // A relative alternate starts at the enclosing objects folder.
      const relative = join(yield* folder, "relative")
      mkdirSync(relative)
      symlinkSync(join(path, ".git/objects"), join(relative, "elsewhere"))
      git("/", ["init", "--quiet", "--bare", join(relative, "r.git")])
      writeFileSync(join(relative, "r.git/objects/info/alternates"), "../../elsewhere\n")
      git(join(relative, "r.git"), ["update-ref", "refs/heads/main", head])
      assert.strictEqual(yield* (yield* open(join(relative, "r.git"))).resolve("main"), head)
    })
  )

  it.effect("writes valid objects and references without changing the configuration", () =>
    Effect.gen(function* () {
      for (const format of ["sha1", "sha256"]) {
        const path = join(yield* folder, "r.git")
        git("/", ["init", "--quiet", "--bare", `--object-format=${format}`, "--initial-branch=main", path])
        git(path, ["config", "core.sharedRepository", "group"])
        const config = readFileSync(join(path, "config"), "utf8")
        const repository = yield* open(path)
        assert.strictEqual(repository.objectFormat, format)
        const blob = yield* repository.writeBlob(Buffer.from("one\n"))
        const tree = yield* repository.writeTree([{ path: "d/a.txt", mode: "100644", oid: blob }])
        const person = { name: "A", email: "a@example.org", seconds: 1_700_000_000, timezone: "+0100" }
        const made = { tree, parents: [], author: person, committer: person, message: "one\n" }
        const oid = yield* repository.writeCommit(made)
        yield* repository.createRef("refs/heads/main", oid)
        yield* repository.createRef("refs/heads/next", oid)
        yield* repository.setHead("next")
        yield* repository.deleteRef("refs/heads/main", oid)
        assert.strictEqual(git(path, ["symbolic-ref", "HEAD"]), "refs/heads/next")
        assert.strictEqual(git(path, ["fsck", "--strict"]), "")
        assert.strictEqual(git(path, ["for-each-ref", "--format=%(refname) %(objectname)"]), `refs/heads/next ${oid}`)
        assert.deepStrictEqual(
          (yield* changesOf(repository, oid)).map(({ path, patch }) => [path, patch]),
          [["d/a.txt", "@@ -0,0 +1 @@\n+one"]]
        )
        const patch = Buffer.concat(
          yield* Stream.runCollect(repository.changes.patch(oid, { ...made, author: person }))
        ).toString()
        assert.include(patch, `From ${oid} Mon Sep 17`)
        assert.strictEqual(readFileSync(join(path, "config"), "utf8"), config)
      }
    })
  )
})
