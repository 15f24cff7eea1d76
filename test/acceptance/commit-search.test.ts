/** The search of commits on repositories that are unusual, damaged or slow to match. */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import { commit, git } from "@tongs/service/git/Fixture.test-support"
import { EmbeddedForge } from "@tongs/service/main/EmbeddedForge"
import * as CommitSearch from "@tongs/service/search/CommitSearch"

const root = mkdtempSync(join(tmpdir(), "tongs-commits-"))
const repos = join(root, "repos")
const folder = (name: string) => join(repos, name)

const init = (name: string) => {
  mkdirSync(folder(name), { recursive: true })
  git(folder(name), ["init", "--quiet", "--initial-branch=main"])
}

/** Writes a commit unchanged, with any bytes, and moves the branch to the commit. */
const rawCommit = (name: string, headers: string, message: Uint8Array) => {
  const tree = git(folder(name), ["rev-parse", "HEAD^{tree}"])
  const parent = git(folder(name), ["rev-parse", "HEAD"])
  const bytes = Buffer.concat([Buffer.from(`tree ${tree}\nparent ${parent}\n${headers}\n`), message])
  const oid = git(folder(name), ["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], bytes)
  git(folder(name), ["update-ref", "refs/heads/main", oid])
}

const PERSON = "Original Name <original@example.org> 1700000001 +0000"

const prepare = () => {
  init("empty")
  init("odd")
  commit(
    folder("odd"),
    { "a.txt": "needle\n", ".mailmap": "New Name <new@example.org> <original@example.org>\n" },
    "one"
  )
  rawCommit("odd", `author ${PERSON}\ncommitter ${PERSON}\n`, Buffer.from("caf\xe9 latin marker", "latin1"))
  rawCommit("odd", `author ${PERSON}\ncommitter ${PERSON}\n`, Buffer.from("marker before\0marker after NUL"))
  rawCommit("odd", `committer ${PERSON}\n`, Buffer.from("marker without an author"))
  rawCommit("odd", `author ${PERSON}\ncommitter Broken\n`, Buffer.from("marker without a date"))
  init("damaged")
  commit(folder("damaged"), { "old.txt": "needle in a lost file\n" }, "marker of the lost file")
  commit(folder("damaged"), { "old.txt": "needle changed\n" }, "next")
  commit(folder("damaged"), { "new.txt": "needle again\n" }, "last")
  const lost = git(folder("damaged"), ["rev-parse", "HEAD~2:old.txt"])
  rmSync(join(folder("damaged"), ".git/objects", lost.slice(0, 2), lost.slice(2)))
  init("full")
  for (const at of [1, 2, 3]) commit(folder("full"), { "a.txt": `needle ${at}\n` }, `number ${at}`)
  git(repos, ["clone", "--quiet", "--depth=1", `file://${folder("full")}`, folder("shallow")])
  init("slow")
  commit(folder("slow"), { "a.txt": `${"a".repeat(60)}!\n` }, `${"a".repeat(60)}!`)
}

const forge = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(Effect.sync(prepare), () =>
      Effect.sync(() => rmSync(root, { recursive: true, force: true }))
    ),
    () => EmbeddedForge.layer({ data: join(root, "data"), cwd: root, repos: [repos], dialect: "service" })
  )
)

const span = { start: 0, length: 0 }
const text = (text: string): CodeQuery.Expression => ({ _tag: "Text", text, span })
const regex = (source: string): CodeQuery.Expression => ({ _tag: "Regex", source, span })
const filterOf = (filter: CodeQuery.Filter): CodeQuery.Expression => ({ _tag: "Filter", filter, span })

/** The `git log` processes of the searches of this test. */
const logs = (): ReadonlyArray<string> =>
  process.platform !== "linux"
    ? []
    : readdirSync("/proc").flatMap((id) => {
        try {
          const line = /^\d+$/.test(id) ? readFileSync(`/proc/${id}/cmdline`, "utf8") : ""
          return line.includes(join(root, "data")) && line.includes("tformat") ? [line] : []
        } catch {
          return []
        }
      })

layer(forge, { excludeTestServices: true })("the search of commits", (it) => {
  const look = (kind: "commit" | "diff", name: string, expression: CodeQuery.Expression) =>
    Effect.gen(function* () {
      const { adopted } = yield* EmbeddedForge
      const find = yield* CommitSearch.make
      const search = find(
        { ...CodeQuery.defaultOptions, kind, expression },
        adopted.filter(({ fullName }) => name === "" || fullName.endsWith(`/${name}`))
      )
      const hits = yield* Effect.map(Stream.runCollect(search.found), (all) => all.map(({ hit }) => hit))
      return { hits, incomplete: [...search.incomplete], notes: [...search.notes] }
    })

  it.effect("finds nothing in a repository without commits, and is complete", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* look("diff", "empty", text("needle")), { hits: [], incomplete: [], notes: [] })
    })
  )

  it.effect("finds commits with invalid UTF-8, and without an author or date", () =>
    Effect.gen(function* () {
      const { hits, incomplete } = yield* look("commit", "odd", text("marker"))
      assert.deepStrictEqual(hits.map(({ message }) => message).toSorted(), [
        "café latin marker",
        "marker before",
        "marker without a date",
        "marker without an author"
      ])
      assert.deepStrictEqual(incomplete, [])
      const nameless = hits.find(({ message }) => message.endsWith("author"))
      assert.deepStrictEqual(nameless?.author, { name: "", email: "", date: "1970-01-01T00:00:00Z" })
    })
  )

  it.effect("finds the names in commits, not those of a mailmap", () =>
    Effect.gen(function* () {
      const { hits } = yield* look("commit", "odd", filterOf({ name: "author", value: "original name" }))
      assert.isAbove(hits.length, 0)
      assert.isTrue(hits.every(({ author }) => author.name === "Original Name"))
      const mapped = yield* look("commit", "odd", filterOf({ name: "author", value: "New Name" }))
      assert.deepStrictEqual(mapped.hits, [])
    })
  )

  it.effect("finds the commits before a damaged object, and says that others are missing", () =>
    Effect.gen(function* () {
      const { hits, incomplete } = yield* look("diff", "damaged", text("needle"))
      assert.include(
        hits.map(({ message }) => message),
        "last"
      )
      assert.deepStrictEqual(incomplete, ["failed"])
      const all = yield* look("diff", "", text("needle"))
      assert.isAbove(all.hits.length, hits.length)
    })
  )

  it.effect("searches the commits that a shallow clone has", () =>
    Effect.gen(function* () {
      const { hits, incomplete } = yield* look("diff", "shallow", text("needle"))
      assert.deepStrictEqual([hits.map(({ message }) => message), incomplete], [["number 3"], []])
      assert.strictEqual((yield* look("diff", "full", text("needle"))).hits.length, 3)
    })
  )

  it.effect("explains a date that git does not know", () =>
    Effect.gen(function* () {
      const { hits, notes } = yield* look("commit", "full", filterOf({ name: "after", value: "soonish" }))
      assert.deepStrictEqual(hits, [])
      assert.isTrue(notes[0]?.startsWith("soonish is not a date."))
    })
  )

  it.effect("ends an expression that takes too long, and git with it", () =>
    Effect.gen(function* () {
      for (const kind of ["commit", "diff"] as const) {
        const slow = yield* Effect.timeoutOption(look(kind, "slow", regex("(a+)+$")), "1 second")
        assert.isTrue(Option.isNone(slow))
      }
      assert.deepStrictEqual(logs(), [])
      assert.strictEqual((yield* look("diff", "full", regex("needle \\d"))).hits.length, 3)
    })
  )

  it.effect("ends git when the results are not read any more", () =>
    Effect.gen(function* () {
      const { adopted } = yield* EmbeddedForge
      const find = yield* CommitSearch.make
      const search = find({ ...CodeQuery.defaultOptions, kind: "diff", expression: text("needle") }, adopted)
      assert.strictEqual((yield* Stream.runCollect(Stream.take(search.found, 1))).length, 1)
      assert.deepStrictEqual(logs(), [])
    })
  )
})
