/** Compares refused names of tree entries with the errors of `git fsck --strict`. */
import { spawnSync } from "node:child_process"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder, git } from "../Fixture.test-support.ts"
import * as TreeEntryName from "./TreeEntryName.ts"

const names = [
  "a",
  ".gitignore",
  ".gitx",
  "git",
  "x.git",
  ".git ",
  ".git.",
  ".git. .",
  ".git:x",
  ".GIT",
  ".g\u200cit",
  "git~1",
  "GIT~1",
  "git~2",
  "git~1 ",
  "git~1x",
  "git~1:",
  ".git~1",
  "a\\.git",
  "a\\.gitx",
  ".git\\b",
  "\ufeff.git",
  ".",
  "..",
  "...",
  ".gi\u200ft",
  "..git",
  "\u206f.Git\u202a",
  "x".repeat(255),
  "git ~1",
  "..\\a"
]

const modulesNames = [
  ".gitmodules",
  ".GITMODULES",
  "gitmod~1",
  "gitmod~5",
  "gi7eba~1",
  ".gitmodules ",
  ".gitmodules:x",
  "x.gitmodules"
]

it.effect("the names that git fsck rejects are refused", () =>
  Effect.gen(function* () {
    const path = yield* folder
    git(path, ["init", "--quiet", "--bare"])
    const blob = git(path, ["hash-object", "-w", "--stdin"], "x")
    const writeTree = (mode: string, name: string) => {
      const content = Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(blob, "hex")])
      return git(path, ["hash-object", "-t", "tree", "-w", "--literally", "--stdin"], content)
    }
    const files = new Map(names.map((name) => [writeTree("100644", name), name]))
    const links = new Map(modulesNames.map((name) => [writeTree("120000", name), name]))
    const { stderr } = spawnSync("git", ["fsck", "--strict"], { cwd: path, encoding: "utf8" })
    const rejected = new Set([...stderr.matchAll(/error in tree ([0-9a-f]+): /g)].map(([, oid = ""]) => oid))
    for (const [oid, name] of files) {
      assert.strictEqual(TreeEntryName.isRefused(name), rejected.has(oid), JSON.stringify(name))
    }
    for (const [oid, name] of links) {
      assert.strictEqual(TreeEntryName.isGitModules(name), rejected.has(oid), JSON.stringify(name))
    }
    assert.isAbove(rejected.size, 10)
  })
)
