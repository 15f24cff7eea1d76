import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Forge from "../../main/Forge.test-support.ts"
import { git } from "../../git/Fixture.test-support.ts"

const { TestForge } = Forge

const unusual = ["a b.txt", "tab\there", "new\nline", "diff --git a b", 'quote"d', "ünïcode", "-flag", ":(top)x"]

const lines = (count: number, changed?: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}${index === changed ? " changed" : ""}\n`).join("")

/** A repository whose branch `next` changes files in every way that git knows. */
const prepare = (repos: string) => {
  const cwd = join(repos, "hello")
  mkdirSync(join(cwd, "many"), { recursive: true })
  const write = (name: string, content: string | Uint8Array) => writeFileSync(join(cwd, name), content)
  const commit = (message: string) => {
    git(cwd, ["add", "--all"])
    git(cwd, ["commit", "--quiet", "-m", message])
  }
  git(cwd, ["init", "--quiet", "--initial-branch=main"])
  for (const name of unusual) write(name, lines(5))
  write("moved.txt", lines(40))
  write("gone.txt", lines(3))
  write("run.sh", "echo\n")
  write("link", "a file\n")
  write("spaces.txt", "a b\nc d\n")
  write("end.txt", "last line")
  write("image.bin", Buffer.from([0, 1, 2]))
  for (let index = 0; index < 310; index++) write(`many/${index}.txt`, "before\n")
  commit("first")
  git(cwd, ["tag", "v1"])
  git(cwd, ["checkout", "--quiet", "-b", "next"])
  for (const name of unusual) write(name, lines(5, 2))
  rmSync(join(cwd, "moved.txt"))
  mkdirSync(join(cwd, "elsewhere"))
  write("elsewhere/moved.txt", lines(40, 20))
  rmSync(join(cwd, "gone.txt"))
  chmodSync(join(cwd, "run.sh"), 0o755)
  rmSync(join(cwd, "link"))
  symlinkSync("run.sh", join(cwd, "link"))
  write("spaces.txt", "a  b\nc d\n")
  write("end.txt", "last line\n")
  write("image.bin", Buffer.from([0, 1, 3]))
  for (let index = 0; index < 310; index++) write(`many/${index}.txt`, "after\n")
  commit("second\n\nwhy")
  git(cwd, ["checkout", "--quiet", "main"])
  write("aside.txt", "only on main\n")
  commit("aside")
  git(cwd, ["checkout", "--quiet", "--orphan", "unrelated"])
  commit("unrelated")
  git(cwd, ["checkout", "--quiet", "main"])
}

layer(Forge.layer(prepare))("comparisons", (it) => {
  const ask = Effect.fnUntraced(function* (operation: "comparison" | "differences", rest: string) {
    const { base, get } = yield* TestForge
    return yield* get(`/tongs${base}/hello/${operation}/${rest}`)
  })

  const allFiles = Effect.fnUntraced(function* (basehead: string, query = "") {
    const files: Array<any> = [] // oxlint-disable-line typescript/no-explicit-any -- JSON of responses
    for (let page = 1; ; page++) {
      const { json } = yield* ask("differences", `${basehead}?per_page=100&page=${page}${query}`)
      files.push(...json)
      if (json.length < 100) return files
    }
  })

  it.effect("lists every file and patch that git lists, over pages", () =>
    Effect.gen(function* () {
      const { repos } = yield* TestForge
      const cwd = join(repos, "hello")
      const files = yield* allFiles("main...next")
      const base = git(cwd, ["merge-base", "main", "next"])
      const expected = git(cwd, ["diff", "-M", "--name-only", "-z", base, "next"]).split("\0").filter(Boolean)
      assert.deepStrictEqual(
        files.map(({ filename }) => filename),
        expected
      )
      for (const { filename, patch, previous_filename: previous, status } of files.filter(
        ({ filename }) => !filename.startsWith("many/") || filename === "many/7.txt"
      )) {
        const paths = [previous ?? filename, filename]
        const diff = git(cwd, ["--literal-pathspecs", "diff", "-M", "--no-renames", "-M", base, "next", "--", ...paths])
        const hunks = diff
          .split(/^diff --git .*\n/m)
          .map((part) => (/^@@ [^]*/m.exec(part)?.[0] ?? "").replace(/\n$/, ""))
        assert.strictEqual(patch ?? "", hunks.filter(Boolean).join("\n"), filename)
        assert.include(["added", "removed", "modified", "renamed", "changed"], status)
      }
    })
  )

  it.effect("gives modes, renames, ids and binary files", () =>
    Effect.gen(function* () {
      const files = yield* allFiles("v1..next")
      const byName = new Map(files.map((file) => [file.filename, file]))
      const moved = byName.get("elsewhere/moved.txt")
      assert.deepInclude(moved, { status: "renamed", previous_filename: "moved.txt", additions: 1, deletions: 1 })
      assert.deepInclude(byName.get("run.sh"), { mode: "100755", previous_mode: "100644", additions: 0 })
      assert.notProperty(byName.get("run.sh"), "patch")
      assert.deepInclude(byName.get("gone.txt"), { status: "removed", sha: null, mode: null })
      assert.deepInclude(byName.get("link"), { status: "changed", mode: "120000", previous_mode: "100644" })
      assert.deepInclude(byName.get("image.bin"), { binary: true, additions: 0 })
      for (const name of unusual) assert.deepInclude(byName.get(name), { additions: 1, deletions: 1 }, name)
      assert.include(byName.get("end.txt").patch, "\\ No newline at end of file")
    })
  )

  it.effect("restricts to a folder or file, follows a rename, and ignores white space", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* allFiles("main...next", "&path=many")).length, 310)
      const [moved, ...more] = yield* allFiles("main...next", "&path=moved.txt")
      assert.deepInclude(moved, { status: "renamed", filename: "elsewhere/moved.txt" })
      assert.deepStrictEqual(more, [])
      const spaces = (query: string) => Effect.map(allFiles("main...next", `&path=spaces.txt${query}`), ([one]) => one)
      assert.deepInclude(yield* spaces(""), { additions: 1, deletions: 1 })
      assert.deepInclude(yield* spaces("&ignore_whitespace=true"), { additions: 0, deletions: 0 })
      assert.notProperty((yield* allFiles("main...next", "&path=end.txt&patches=false"))[0], "patch")
    })
  )

  it.effect("summarizes two commits, one commit, and the first commit", () =>
    Effect.gen(function* () {
      const { repos } = yield* TestForge
      const id = (revision: string) => git(join(repos, "hello"), ["rev-parse", revision])
      const summary = Effect.fnUntraced(function* (rest: string) {
        const { json } = yield* ask("comparison", rest)
        return { ...json, commits: json.commits.map(({ summary }: { readonly summary: string }) => summary) }
      })
      const two = yield* summary("main...next")
      assert.deepInclude(two, { base: id("main"), head: id("next"), from: id("v1"), ahead_by: 1, behind_by: 1 })
      assert.deepInclude(two, { commits: ["second"], total_files: (yield* allFiles("main...next")).length })
      assert.deepInclude(yield* summary("next"), { base: id("v1"), from: id("v1"), commits: ["second"] })
      assert.deepInclude(yield* summary("v1"), { base: null, from: null, commits: ["first"], deletions: 0 })
      assert.deepInclude(yield* summary("main...unrelated"), { from: id("main"), commits: ["unrelated"] })
      assert.deepInclude(yield* summary("main...next?path=many/3.txt"), { total_files: 1, additions: 1, deletions: 1 })
    })
  )

  it.effect("does not find unknown revisions and invalid paths", () =>
    Effect.gen(function* () {
      for (const rest of [
        "main...absent",
        "absent",
        "main...main...main",
        "main..main..main",
        "main...next?path=..",
        "main...next?path=/etc",
        "a..b..c"
      ]) {
        assert.strictEqual((yield* ask("comparison", rest)).status, 404, rest)
        assert.strictEqual((yield* ask("differences", rest)).status, 404, rest)
      }
      assert.deepStrictEqual(yield* allFiles("main...next", "&path=absent"), [])
    })
  )
})
