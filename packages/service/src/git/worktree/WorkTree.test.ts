import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { folder, git } from "../Fixture.test-support.ts"
import { Git } from "../process/Git.ts"
import { GitRepositories } from "../GitRepositories.ts"
import * as WorkTree from "./WorkTree.ts"
import * as WorkTreeFiles from "./WorkTreeFiles.ts"
import * as WorkTreeSnapshot from "./WorkTreeSnapshot.ts"

const write = (path: string, files: Readonly<Record<string, string>>) => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), content)
  }
}

/** A repository whose work tree is clean. */
const clean = (files: Readonly<Record<string, string>>, ...init: ReadonlyArray<string>) =>
  Effect.map(folder, (path) => {
    git(path, ["init", "--quiet", "--initial-branch=main", ...init])
    write(path, files)
    git(path, ["add", "--force", "."])
    git(path, ["commit", "--quiet", "-m", "first"])
    return path
  })

/** The changed and the removed paths, sorted. */
const changes = Effect.fnUntraced(function* (path: string, most?: number) {
  const repository = yield* Effect.flatMap(GitRepositories, (repositories) => repositories.open(path))
  const found = yield* WorkTree.changes(
    repository,
    yield* repository.resolve("HEAD"),
    most === undefined ? {} : { most }
  )
  if (found === undefined) return undefined
  const { changed, isComplete, notes, removed } = found
  return {
    changed: changed.map(({ path }) => path).sort(),
    removed: [...removed].sort(),
    ...(isComplete ? {} : { notes })
  }
})

const ignored = Effect.fnUntraced(function* (path: string) {
  const repository = yield* Effect.flatMap(GitRepositories, (repositories) => repositories.open(path))
  return [...(yield* WorkTree.ignored(repository))].sort()
})

const nothing = { changed: [], removed: [] }

layer(Layer.merge(GitRepositories.layer, Git.layer))("WorkTree", (it) => {
  it.effect("does not take a time that a program has set for the time of the last change", () =>
    Effect.gen(function* () {
      const path = yield* folder
      write(path, { file: "1" })
      const future = Date.now() / 1_000 + 3_600
      utimesSync(join(path, "file"), future, future)
      const entry = WorkTreeFiles.make({ folder: path, gitFolders: [] }).entry(Buffer.from("file"))
      assert.isBelow(entry?.changedAt ?? Infinity, future * 1_000 - 60_000)
    })
  )

  it.effect("counts the trees and the commit of a snapshot", () =>
    Effect.gen(function* () {
      const path = yield* clean({ "d/gone": "1", "d/kept": "1" })
      rmSync(join(path, "d/gone"))
      const repositories = yield* GitRepositories
      const repository = yield* repositories.open(path)
      const head = yield* repository.resolve("HEAD")
      const difference = yield* WorkTree.changes(repository, head)
      assert.isDefined(difference)
      const view = yield* repositories.openView(repository)
      const { commit, written } = yield* WorkTreeSnapshot.write(view, head, difference, new Map(), 0)
      const sizes = yield* Effect.forEach([commit, `${commit}^{tree}`, `${commit}:d`], (name) =>
        Effect.sync(() => git(view.gitDir, ["cat-file", "-s", name]))
      )
      assert.strictEqual(
        written,
        sizes.reduce((sum, size) => sum + Number(size), 0)
      )
    })
  )

  describe("changes", () => {
    it.effect("finds edits, new, deleted, renamed and staged files, and files with another type", () =>
      Effect.gen(function* () {
        const path = yield* clean({ same: "1", edited: "1", gone: "1", old: "1", staged: "1", link: "1", "d/x": "1" })
        assert.deepStrictEqual(yield* changes(path), nothing)
        write(path, { edited: "22", new: "1", "in/side/new": "1", staged: "22", added: "1" })
        git(path, ["add", "staged", "added"])
        git(path, ["mv", "old", "renamed"])
        for (const name of ["gone", "link", "d"]) rmSync(join(path, name), { recursive: true })
        symlinkSync("same", join(path, "link"))
        symlinkSync("same", join(path, "new-link"))
        write(path, { d: "1" })
        assert.deepStrictEqual(yield* changes(path), {
          changed: ["added", "d", "edited", "in/side/new", "new", "renamed", "staged"],
          removed: ["d/x", "gone", "link", "old"]
        })
      })
    )

    it.effect("gives sizes, and a staged change that the disk undid", () =>
      Effect.gen(function* () {
        const path = yield* clean({ a: "1" })
        const repository = yield* Effect.flatMap(GitRepositories, (repositories) => repositories.open(path))
        write(path, { a: "22" })
        git(path, ["add", "a"])
        write(path, { a: "1", "b c": "12345" })
        const found = yield* WorkTree.changes(repository, yield* repository.resolve("HEAD"))
        assert.deepStrictEqual(found?.changed, [
          { path: "a", size: 1 },
          { path: "b c", size: 5 }
        ])
        assert.strictEqual(found?.folder, repository.path)
      })
    )

    it.effect("leaves out ignored files, whichever file has the rule, and even if they were added or committed", () =>
      Effect.gen(function* () {
        const path = yield* clean({ ".env": "old", "sub/keep": "1" })
        const rules = join(yield* folder, "user-ignore")
        writeFileSync(rules, "*.user\n")
        git(path, ["config", "core.excludesFile", rules])
        write(path, { ".gitignore": ".env\n.env.*\n", "sub/.gitignore": "*.sub\n", ".git/info/exclude": "*.own\n" })
        write(path, { ".env.local": "1", "a.user": "1", "a.own": "1", "sub/a.sub": "1", "a.sub": "1" })
        git(path, ["add", "--force", ".env.local"])
        git(path, ["rm", "--quiet", "--cached", ".env"])
        const expected = { changed: [".gitignore", "a.sub", "sub/.gitignore"], removed: [".env"] }
        assert.deepStrictEqual(yield* changes(path), expected)
        // A linked work tree has the same exclude file.
        const other = join(yield* folder, "other")
        git(path, ["worktree", "add", "-q", "--detach", other])
        write(other, { "b.own": "1", "b.user": "1", b: "1" })
        assert.deepStrictEqual(yield* changes(other), { changed: ["b"], removed: [] })
      })
    )

    it.effect("never follows a link, and leaves out submodules, nested repositories and git directories", () =>
      Effect.gen(function* () {
        const path = yield* clean({ "dir/a": "1", b: "1" })
        const outside = yield* clean({ a: "secret", secret: "secret" })
        git(path, ["-c", "protocol.file.allow=always", "submodule", "add", "--quiet", outside, "module"])
        git(path, ["commit", "--quiet", "-m", "module"])
        renameSync(join(path, "dir"), join(path, "moved"))
        symlinkSync(outside, join(path, "dir"))
        symlinkSync(outside, join(path, "elsewhere"))
        write(path, { "module/new": "1" })
        git(path, ["init", "--quiet", "nested"])
        write(path, { "nested/a": "1" })
        assert.deepStrictEqual(yield* changes(path), { changed: ["moved/a"], removed: ["dir/a"] })
        const apart = join(yield* folder, "apart")
        git(path, ["init", "--quiet", `--separate-git-dir=${join(apart, "data")}`, apart])
        write(apart, { a: "1" })
        assert.deepStrictEqual(yield* changes(apart), { changed: ["a"], removed: [] })
      })
    )

    it.effect("gives nothing for a bare repository, and every file before the first commit", () =>
      Effect.gen(function* () {
        const path = yield* clean({ a: "1" })
        const bare = join(yield* folder, "bare.git")
        git(path, ["clone", "-q", "--bare", path, bare])
        assert.isUndefined(yield* changes(bare))
        for (const format of ["sha1", "sha256"]) {
          const empty = yield* folder
          git(empty, ["init", "--quiet", `--object-format=${format}`])
          write(empty, { a: "1", b: "1" })
          git(empty, ["add", "a"])
          assert.deepStrictEqual(yield* changes(empty), { changed: ["a", "b"], removed: [] })
        }
      })
    )

    it.effect("reads the disk for entries that git does not compare", () =>
      Effect.gen(function* () {
        const path = yield* clean({ a: "1", b: "1", "in/c": "1", "out/d": "1", "out/e": "1" })
        git(path, ["update-index", "--assume-unchanged", "a"])
        git(path, ["update-index", "--assume-unchanged", "b"])
        write(path, { a: "22" })
        rmSync(join(path, "b"))
        assert.deepStrictEqual(yield* changes(path), { changed: ["a"], removed: ["b"] })
        const other = yield* clean({ a: "1", "in/c": "1", "out/d": "1", "out/e": "1" })
        for (const mode of ["--no-sparse-index", "--sparse-index"]) {
          git(other, ["sparse-checkout", "set", "--cone", mode, "in"])
          assert.deepStrictEqual(yield* changes(other), { changed: [], removed: ["out/d", "out/e"] })
        }
        write(other, { "out/d": "here" })
        assert.deepStrictEqual(yield* changes(other), { changed: ["out/d"], removed: ["out/e"] })
      })
    )

    it.effect("reads a split index, index version 4, and an index that git is writing", () =>
      Effect.gen(function* () {
        const path = yield* clean({ a: "1", b: "1" })
        git(path, ["update-index", "--split-index"])
        write(path, { a: "22" })
        assert.deepStrictEqual(yield* changes(path), { changed: ["a"], removed: [] })
        git(path, ["update-index", "--no-split-index"])
        git(path, ["update-index", "--index-version=4"])
        write(path, { ".git/index.lock": "half" })
        assert.deepStrictEqual(yield* changes(path), { changed: ["a"], removed: [] })
        assert.isTrue(existsSync(join(path, ".git/index.lock")))
      })
    )

    it.effect("reads names with line ends, other encodings and characters of patterns", () =>
      Effect.gen(function* () {
        const names = ["line\nend", "tab\there", 'quo"te', "*?[x]", ":(glob)**", "é", "-x"]
        const path = yield* clean(Object.fromEntries(names.map((name) => [name, "1"])))
        write(path, Object.fromEntries(names.map((name) => [name, "22"])))
        writeFileSync(Buffer.concat([Buffer.from(`${path}/`), Buffer.from("caf\xe9", "latin1")]), "1")
        assert.deepStrictEqual(yield* changes(path), { changed: [...names, "café"].sort(), removed: [] })
      })
    )

    it.effect("ignores line-end conversion, and files that were only touched and refreshed", () =>
      Effect.gen(function* () {
        const path = yield* clean({ a: "one\ntwo\n", b: "one\n" })
        git(path, ["config", "core.autocrlf", "true"])
        rmSync(join(path, "a"))
        git(path, ["checkout", "--", "a"])
        assert.deepStrictEqual(yield* changes(path), nothing)
      })
    )

    it.effect("bounds the untracked files, with a note", () =>
      Effect.gen(function* () {
        const path = yield* clean({ a: "1" })
        write(path, Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`new-${at}`, "1"])))
        const found = yield* changes(path, 10)
        assert.strictEqual(found?.changed.length, 10)
        assert.match(found?.notes?.[0] ?? "", /more than 10 untracked files/)
        assert.strictEqual((yield* changes(path, 12))?.notes, undefined)
      })
    )

    it.effect("fails without an answer if rules or the index cannot be read", () =>
      Effect.gen(function* () {
        const path = yield* clean({ a: "1" })
        const pipe = join(yield* folder, "pipe")
        execFileSync("mkfifo", [pipe])
        git(path, ["config", "core.excludesFile", pipe])
        assert.strictEqual((yield* Effect.flip(changes(path))).reason._tag, "Unreadable")
        git(path, ["config", "--unset", "core.excludesFile"])
        write(path, { ".git/index": "damaged" })
        assert.strictEqual((yield* Effect.flip(changes(path))).reason._tag, "CommandFailed")
      })
    )
  })

  it.effect("runs no program that the repository configures", () =>
    Effect.gen(function* () {
      const path = yield* clean({ a: "1", "b.txt": "1" })
      const trap = join(yield* folder, "trap")
      const proof = join(dirname(trap), "proof")
      writeFileSync(trap, `#!/bin/sh\ntouch ${proof}\ncat\n`)
      chmodSync(trap, 0o755)
      write(path, { ".gitattributes": "* filter=x diff=x merge=x\n", ".git/info/attributes": "* filter=x diff=x\n" })
      const programs = "filter.x.clean filter.x.smudge filter.x.process core.fsmonitor diff.external diff.x.command"
      for (const name of `${programs} diff.x.textconv core.pager core.sshCommand`.split(" ")) {
        git(path, ["config", name, trap])
      }
      git(path, ["config", "core.hooksPath", dirname(trap)])
      for (const hook of ["post-index-change", "fsmonitor-watchman", "pre-commit"]) {
        symlinkSync(trap, join(dirname(trap), hook))
      }
      // Equal size and times, so that git compares contents.
      write(path, { a: "2" })
      assert.deepStrictEqual(yield* changes(path), { changed: [".gitattributes", "a"], removed: [] })
      yield* ignored(path)
      assert.isFalse(existsSync(proof))
      git(path, ["status"])
      assert.isTrue(existsSync(proof), "the trap works")
    })
  )

  it.effect("lists tracked files that ripgrep ignores", () =>
    Effect.gen(function* () {
      const path = yield* clean({ "a.o": "1", a: "1", "b.skip": "1", "in/c.deep": "1", "c.deep": "1" })
      assert.deepStrictEqual(yield* ignored(path), [])
      write(path, { ".gitignore": "*.o\n", ".ignore": "*.skip\n", "in/.rgignore": "*.deep\n", "new.skip": "1" })
      assert.deepStrictEqual(yield* ignored(path), ["a.o", "b.skip", "in/c.deep", "new.skip"])
    })
  )
})
