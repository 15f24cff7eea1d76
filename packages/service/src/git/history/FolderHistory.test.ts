import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commit, git as runGit, workTree } from "../Fixture.test-support.ts"
import * as FolderHistory from "./FolderHistory.ts"
import { Git } from "../process/Git.ts"

/** Reads the summary of the last commit of each entry of a folder at HEAD. */
const summaries = Effect.fnUntraced(function* (repository: string, path: string) {
  const git = yield* Git
  const entries = runGit(repository, ["ls-tree", "-z", path === "" ? "HEAD" : `HEAD:${path}`])
    .split("\0")
    .filter((line) => line !== "")
    .map((line): [string, string] => [line.slice(line.indexOf("\t") + 1), line.split(/[ \t]/)[2] ?? ""])
  const { commits, isComplete } = yield* FolderHistory.make(git)({
    gitDir: `${repository}/.git`,
    commit: runGit(repository, ["rev-parse", "HEAD"]),
    path,
    entries: new Map(entries)
  })
  assert.isTrue(isComplete)
  return Object.fromEntries(Array.from(commits, ([name, { summary }]) => [name, summary]))
})

it.live("finds the last commit of files and folders, as `git log -1` does", () =>
  Effect.gen(function* () {
    const repository = yield* workTree
    commit(repository, { "src/a.ts": "1", "src/deep/er/b.ts": "1", "src/ : odd\tname": "1" }, "begin")
    commit(repository, { "src/deep/er/b.ts": "2" }, "change b\n\nbody")
    commit(repository, { "a.txt": "two" }, "change a")
    assert.deepStrictEqual(yield* summaries(repository, ""), { "a.txt": "change a", src: "change b" })
    assert.deepStrictEqual(yield* summaries(repository, "src"), {
      " : odd\tname": "begin",
      "a.ts": "begin",
      deep: "change b"
    })
    assert.deepStrictEqual(yield* summaries(repository, "src/deep"), { er: "change b" })
  }).pipe(Effect.provide(Git.layer))
)

it.live("gives a merge the entries that it changed itself, and ignores changes that it discarded", () =>
  Effect.gen(function* () {
    const repository = yield* workTree
    commit(repository, { "d/one": "1", "d/two": "1", discarded: "1" }, "begin")
    runGit(repository, ["branch", "side"])
    commit(repository, { "d/one": "2" }, "main changes one")
    const main = runGit(repository, ["rev-parse", "HEAD"])
    runGit(repository, ["reset", "--quiet", "--hard", "side"])
    commit(repository, { "d/two": "2" }, "side changes two")
    const side = commit(repository, { discarded: "2" }, "side changes discarded")
    runGit(repository, ["reset", "--quiet", "--hard", main])
    runGit(repository, ["merge", "--quiet", "--no-commit", side])
    runGit(repository, ["checkout", "--quiet", main, "--", "discarded"])
    runGit(repository, ["commit", "--quiet", "-m", "merge"])
    assert.deepStrictEqual(yield* summaries(repository, ""), { "a.txt": "first", d: "merge", discarded: "begin" })
    assert.deepStrictEqual(yield* summaries(repository, "d"), { one: "main changes one", two: "side changes two" })
  }).pipe(Effect.provide(Git.layer))
)

it("parses a log in chunks of any size", () => {
  const id = "a".repeat(40)
  const log = Buffer.from(`${id}\0Ann\x0060\0:colon\0\n:100644 100644 ${"b".repeat(40)} ${"c".repeat(40)} M\0d/é\0`)
  for (const size of [1, 7, log.length]) {
    const found: Array<unknown> = []
    const read = FolderHistory.reader("d", (name, oid, { summary }) => {
      found.push([name, oid, summary])
      return true
    })
    for (let at = 0; at < log.length; at += size) read(log.subarray(at, at + size))
    assert.deepStrictEqual(found, [["é", "c".repeat(40), ":colon"]])
  }
})
