/** Searches are complete or report missing results, while repositories or the index cannot be read. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import { commit, folder, git } from "@tongs/service/git/Fixture.test-support"
import { EmbeddedForge } from "@tongs/service/main/EmbeddedForge"
import { CodeSearch } from "@tongs/service/search/CodeSearch"
import * as IndexDatabase from "@tongs/service/search/sqlite/IndexDatabase"
import * as SearchOracle from "./SearchOracle.test-support.ts"

const names = ["one", "two", "three"]

/** Creates three repositories with a branch and a tag each. */
const create = (root: string) => {
  for (const name of names) {
    const path = join(root, "repos", name)
    mkdirSync(path, { recursive: true })
    git(path, ["init", "--quiet", "--initial-branch=main"])
    commit(path, { "a.txt": `needle ${name}\n`, "b/old.txt": `needle only in the tag of ${name}\n` }, "first")
    git(path, ["tag", `v-${name}`])
    git(path, ["rm", "--quiet", "--cached", "b/old.txt"])
    commit(path, { "c.txt": `needle new ${name}\n` }, "second")
    git(path, ["branch", "shared"])
  }
}

/** Starts a forge, which does not wait for the index unless `indexed`. */
const start = (root: string, indexed: boolean) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(
      EmbeddedForge.layer({ data: join(root, "data"), cwd: root, repos: [join(root, "repos")], dialect: "service" })
    )
    const { adopted } = Context.get(context, EmbeddedForge)
    if (indexed) yield* Effect.provide(SearchOracle.untilIndexed(adopted), context)
    const { search } = Context.get(context, CodeSearch)
    return (text: string) =>
      Effect.gen(function* () {
        const query = Result.getOrThrow(CodeQueryParser.parse(text))
        const { found, isIncomplete, notes } = yield* search(query, adopted, {
          show: { lines: "all", context: 0 },
          order: "best",
          deadline: Duration.minutes(1)
        })
        const batches = yield* Stream.runCollect(found)
        // Without the index, a file that several revisions share is one result per revision.
        const hits = batches.flatMap(({ hits }) =>
          hits.flatMap(({ path, revisions, served }) => {
            const file = `${served.fullName.replace(/^.*\//, "")} ${path}`
            return revisions.length === 0 ? [file] : revisions.map((revision) => `${file} ${revision}`)
          })
        )
        return {
          hits: hits.toSorted(),
          isIncomplete: isIncomplete || batches.some((batch) => batch.isIncomplete === true),
          notes: [...notes, ...batches.flatMap(({ notes = [] }) => notes)]
        }
      })
  })

const tips = (of: ReadonlyArray<string>) => of.flatMap((name) => [`${name} a.txt`, `${name} c.txt`]).toSorted()
const shared = (of: ReadonlyArray<string>) => tips(of).map((file) => `${file} shared`)

describe("searches with failures", { timeout: 120_000 }, () => {
  it.live("search the other repositories when one is removed or damaged, and say that they are incomplete", () =>
    Effect.gen(function* () {
      const root = yield* folder
      create(root)
      const find = yield* start(root, true)
      assert.deepStrictEqual(yield* find("needle"), { hits: tips(names), isIncomplete: false, notes: [] })

      const two = join(root, "repos", "two")
      renameSync(two, join(root, "moved"))
      for (const [query, hits] of [
        ["needle", tips(["one", "three"])],
        ["needle rev:shared", shared(["one", "three"])]
      ] as const) {
        const found = yield* find(query)
        assert.deepStrictEqual([found.hits, found.isIncomplete], [hits, true], query)
      }
      renameSync(join(root, "moved"), two)
      assert.deepStrictEqual(yield* find("needle"), { hits: tips(names), isIncomplete: false, notes: [] })

      // The tree of a branch that is not indexed is lost, so that git cannot list the files of the branch.
      commit(two, { "d.txt": "needle lost\n" }, "third")
      git(two, ["branch", "lost"])
      const tree = git(two, ["rev-parse", "lost^{tree}"])
      git(two, ["reset", "--quiet", "HEAD~1"])
      git(join(root, "repos", "one"), ["branch", "lost"])
      rmSync(join(two, ".git", "objects", tree.slice(0, 2), tree.slice(2)))
      const damaged = yield* find("needle rev:lost")
      assert.deepStrictEqual(
        damaged.hits,
        tips(["one"]).map((file) => `${file} lost`)
      )
      assert.isTrue(damaged.isIncomplete)
      assert.isFalse((yield* find("needle")).isIncomplete)
    })
  )

  it.live("name a revision that no repository has, and search those that some have", () =>
    Effect.gen(function* () {
      const root = yield* folder
      create(root)
      const find = yield* start(root, true)
      const absent = yield* find("needle rev:absent")
      assert.deepStrictEqual([absent.hits, absent.isIncomplete], [[], false])
      assert.lengthOf(absent.notes, 1)
      assert.match(absent.notes[0] ?? "", /revision absent/)
      const pattern = yield* find("needle rev:absent-* rev:v-one")
      assert.deepStrictEqual(pattern.hits, ["one a.txt v-one", "one b/old.txt v-one"])
      assert.match(pattern.notes.join("\n"), /^No searched repository has the revision absent-\*/)
      assert.deepStrictEqual((yield* find("needle rev:v-two")).notes, [])
    })
  )

  const broken: ReadonlyArray<readonly [string, (filename: string) => void]> = [
    ["is a folder", (filename) => mkdirSync(filename, { recursive: true })],
    [
      "has a log that is a folder",
      (filename) => {
        mkdirSync(`${filename}-wal`)
        mkdirSync(`${filename}-shm`)
      }
    ],
    ["is damaged", (filename) => writeFileSync(filename, "no database\n".repeat(9_000))]
  ]
  it.live.each(broken)("are complete when the index file %s", ([, breakFile]) =>
    Effect.gen(function* () {
      const root = yield* folder
      create(root)
      const filename = IndexDatabase.fileIn(join(root, "data"))
      mkdirSync(dirname(filename), { recursive: true })
      breakFile(filename)
      const find = yield* start(root, false)
      for (let round = 0; round < 2; round++) {
        const { hits } = yield* find("needle")
        assert.deepStrictEqual(hits, tips(names))
        assert.deepStrictEqual(
          (yield* find("needle rev:shared rev:v-one")).hits,
          [...shared(names), "one a.txt v-one", "one b/old.txt v-one"].toSorted()
        )
      }
    })
  )
})
