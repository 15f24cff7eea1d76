import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commit, git, workTree } from "../Fixture.test-support.ts"
import { open, repositories } from "../GitRepository.test-support.ts"
import * as WorkTreeMove from "./WorkTreeMove.ts"

const REF = "refs/heads/main"

/** A clean work tree at `from`, and a commit `to` that changes, adds, removes, renames and links files. */
const prepare = Effect.gen(function* () {
  const path = yield* workTree
  const from = commit(
    path,
    { "dir/b.txt": "b\n", "gone.txt": "gone\n", file: "file\n", "run.sh": "#!/bin/sh\n" },
    "from"
  )
  git(path, ["reset", "--quiet", "--hard"])
  writeFileSync(join(path, "a.txt"), "two\n")
  rmSync(join(path, "gone.txt"))
  rmSync(join(path, "file"))
  mkdirSync(join(path, "file"))
  writeFileSync(join(path, "file/inside.txt"), "inside\n")
  mkdirSync(join(path, "new"))
  writeFileSync(join(path, "new/c.txt"), "c\n")
  symlinkSync("a.txt", join(path, "link"))
  chmodSync(join(path, "run.sh"), 0o755)
  git(path, ["add", "--all"])
  git(path, ["commit", "--quiet", "-m", "to"])
  const to = git(path, ["rev-parse", "HEAD"])
  git(path, ["reset", "--quiet", "--hard", from])
  return { path, from, to }
})

const reasonOf = Effect.fnUntraced(function* (path: string, from: string, to: string) {
  const repository = yield* open(path)
  return (yield* Effect.flip(WorkTreeMove.move(repository, { ref: REF, from, to }))).reason
})

layer(repositories)("WorkTreeMove", (it) => {
  it.effect("moves the branch, the index and the files", () =>
    Effect.gen(function* () {
      const { from, path, to } = yield* prepare
      const marker = join(path, ".git/hook-ran")
      for (const hook of ["post-checkout", "post-index-change", "reference-transaction"]) {
        writeFileSync(join(path, ".git/hooks", hook), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 })
      }
      writeFileSync(join(path, "untracked.txt"), "untracked\n")
      // Equal content with other times is no change.
      writeFileSync(join(path, "dir/b.txt"), "b\n")
      const repository = yield* open(path)
      yield* WorkTreeMove.move(repository, { ref: REF, from, to })
      assert.isFalse(existsSync(marker))
      assert.strictEqual(git(path, ["rev-parse", "main", "HEAD"]), `${to}\n${to}`)
      assert.strictEqual(git(path, ["status", "--porcelain"]), "?? untracked.txt")
      assert.strictEqual(readFileSync(join(path, "link"), "utf8"), "two\n")
      assert.strictEqual(git(path, ["fsck", "--no-dangling"]), "")
      yield* WorkTreeMove.move(repository, { ref: REF, from: to, to: from })
      assert.strictEqual(git(path, ["status", "--porcelain"]), "?? untracked.txt")
    })
  )

  it.effect("changes nothing if a change could be lost", () =>
    Effect.gen(function* () {
      const { from, path, to } = yield* prepare
      const write = (name: string, content: string) => () => writeFileSync(join(path, name), content)
      const stage = () => {
        write("dir/b.txt", "staged\n")()
        git(path, ["add", "dir/b.txt"])
        write("dir/b.txt", "b\n")()
      }
      const cases: ReadonlyArray<readonly [RegExp, () => void]> = [
        [/uncommitted changes/, write("dir/b.txt", "edited\n")],
        [/uncommitted changes/, stage],
        [/uncommitted changes/, () => rmSync(join(path, "dir/b.txt"))],
        [/uncommitted changes/, () => git(path, ["rm", "--quiet", "--cached", "dir/b.txt"])],
        [/new is in the way/, write("new", "untracked\n")],
        [/link is in the way/, () => (mkdirSync(join(path, "link")), write("link/inside", "untracked\n")())],
        [/link is in the way/, () => (write(".git/info/exclude", "link\n")(), write("link", "ignored\n")())],
        [/a merge is in progress/, write(".git/MERGE_HEAD", `${to}\n`)],
        [/a bisect is in progress/, write(".git/BISECT_LOG", "")],
        [/a rebase is in progress/, () => mkdirSync(join(path, ".git/rebase-merge"))],
        [/changing its index/, write(".git/index.lock", "")],
        [/detached/, () => git(path, ["checkout", "--quiet", "--detach"])],
        [/attributes/, write(".git/info/attributes", "*.txt filter=lfs\n")],
        [/core.autocrlf=true/, () => git(path, ["config", "core.autocrlf", "true"])],
        [/sparse/, () => git(path, ["update-index", "--assume-unchanged", "dir/b.txt"])]
      ]
      for (const [message, change] of cases) {
        change()
        const before = git(path, ["status", "--porcelain", "--ignored"])
        const reason = yield* reasonOf(path, from, to)
        const text = reason._tag === "WorkTreeUnmovable" ? reason.detail : reason._tag
        assert.match(text === "CheckedOut" ? "detached" : text, message)
        if (message.source !== "changing its index") rmSync(join(path, ".git/index.lock"), { force: true })
        assert.strictEqual(git(path, ["rev-parse", "main"]), from, message.source)
        assert.strictEqual(git(path, ["status", "--porcelain", "--ignored"]), before, message.source)
        for (const name of [
          "index.lock",
          "MERGE_HEAD",
          "BISECT_LOG",
          "rebase-merge",
          "info/attributes",
          "info/exclude"
        ]) {
          rmSync(join(path, ".git", name), { recursive: true, force: true })
        }
        git(path, ["config", "core.autocrlf", "false"])
        git(path, ["checkout", "--quiet", "--force", "main"])
        git(path, ["reset", "--quiet", "--hard"])
        git(path, ["update-index", "--no-assume-unchanged", "dir/b.txt"])
        git(path, ["clean", "--quiet", "-ffdx"])
      }
      yield* WorkTreeMove.move(yield* open(path), { ref: REF, from, to })
      assert.strictEqual(git(path, ["status", "--porcelain"]), "")
    })
  )

  it.effect("refuses files that git converts, and names the command to run", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const from = commit(path, { ".gitattributes": "*.bin filter=lfs\n*.txt text=auto\n" }, "from")
      git(path, ["reset", "--quiet", "--hard"])
      const text = commit(path, { "a.txt": "two\n" }, "text")
      const large = commit(path, { "x.bin": "pointer\n" }, "large")
      const attributes = commit(path, { "dir/.gitattributes": "# comment\n*.txt  eol=crlf\n" }, "attributes")
      git(path, ["reset", "--quiet", "--hard", from])
      assert.deepStrictEqual(yield* reasonOf(path, from, large), {
        _tag: "WorkTreeUnmovable",
        ref: REF,
        detail: "attributes convert the content of x.bin, which needs your configuration of git",
        command: `git merge --ff-only ${large}`
      })
      yield* WorkTreeMove.move(yield* open(path), { ref: REF, from, to: text })
      const changed = git(path, ["commit-tree", "-p", text, "-m", "c", `${attributes}^{tree}`])
      assert.strictEqual((yield* reasonOf(path, text, changed))._tag, "WorkTreeUnmovable")
    })
  )

  it.effect("restores the files if the branch has moved", () =>
    Effect.gen(function* () {
      const { from, path, to } = yield* prepare
      const other = git(path, ["commit-tree", "-p", from, "-m", "same files", `${from}^{tree}`])
      git(path, ["update-ref", REF, other])
      const reason = yield* reasonOf(path, from, to)
      assert.deepStrictEqual(reason, { _tag: "RefConflict", ref: REF, expected: from, actual: other })
      assert.strictEqual(git(path, ["status", "--porcelain"]), "")
    })
  )
})
