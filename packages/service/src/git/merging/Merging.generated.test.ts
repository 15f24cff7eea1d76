/**
 * Merges generated histories by all methods, and compares ids and conflicts with git's own commands. The environment
 * variable `TONGS_MERGE_SEEDS` is the number of histories.
 */
import { rmSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder, git } from "../Fixture.test-support.ts"
import { open, repositories } from "../GitRepository.test-support.ts"
import { attempt, conflicts, make } from "./GeneratedHistory.test-support.ts"
import * as Merging from "./Merging.ts"
import * as PairFacts from "./PairFacts.ts"

const seeds = Number(process.env["TONGS_MERGE_SEEDS"] ?? (process.env["TONGS_LONG_TESTS"] === undefined ? 10 : 500))
const SEEDS_PER_TEST = 10

/** A history runs some forty processes. */
const TIMEOUT_MILLIS = 240_000

const person = { name: "Test", email: "test@example.org", seconds: 1_700_000_000, timezone: "+0100" }
const MESSAGE = "merged\n"

type Expected =
  | { readonly _tag: "Merged"; readonly oid: string }
  | { readonly _tag: "Conflict"; readonly paths: ReadonlyArray<string> }
  | { readonly _tag: "Nothing" | "Unrelated" }

/** Runs git's own commands in the work tree. */
const expected = (path: string, method: "merge" | "squash" | "rebase"): Expected => {
  const [base = "", head = ""] = git(path, ["rev-parse", "base", "head"]).split("\n")
  const common = attempt(path, ["merge-base", base, head])
  if (common === undefined) return { _tag: "Unrelated" }
  if (common === head) return { _tag: "Nothing" }
  git(path, ["checkout", "--quiet", "--force", "--detach", method === "rebase" ? head : base])
  git(path, ["clean", "--quiet", "-ffdx"])
  const commands = {
    merge: [["merge", "--quiet", "--no-ff", "-m", "merged", head]],
    squash: [
      ["merge", "--quiet", "--squash", head],
      ["commit", "--quiet", "--allow-empty", "-m", "merged"]
    ],
    rebase: [["rebase", "--quiet", "--no-ff", "--reapply-cherry-picks", "--empty=drop", base]]
  }[method]
  const isMerged = commands.every((args) => attempt(path, args) !== undefined)
  const oid = git(path, ["rev-parse", "HEAD"])
  const paths = conflicts(path)
  for (const command of ["rebase", "merge"]) attempt(path, [command, "--abort"])
  git(path, ["reset", "--quiet", "--hard"])
  if (!isMerged) return { _tag: "Conflict", paths }
  return oid === base ? { _tag: "Nothing" } : { _tag: "Merged", oid }
}

/** Numbers of changed files, added and deleted lines since the merge base. */
const changes = (path: string): ReadonlyArray<number | undefined> => {
  const common = attempt(path, ["merge-base", "base", "head"])
  if (common === undefined) return [undefined, undefined, undefined]
  const rows = git(path, ["diff", "-M", "--numstat", common, "head"]).split("\n").filter(Boolean)
  const sum = (column: number) => rows.reduce((total, row) => total + (Number(row.split("\t")[column]) || 0), 0)
  return [rows.length, sum(0), sum(1)]
}

const simplified = (merge: Merging.Merge): Expected => {
  if (merge._tag === "Merged") return { _tag: "Merged", oid: merge.oid }
  if (merge._tag === "Conflict") return { _tag: "Conflict", paths: [...merge.paths].sort() }
  return merge._tag === "Unsupported" ? assert.fail(merge.detail) : { _tag: merge._tag }
}

/** The tree of a merge into `base`; `undefined` for a conflict. */
const treeOf = (merge: Merging.Merge, path: string): string | undefined =>
  merge._tag === "Merged" ? merge.tree : merge._tag === "Nothing" ? git(path, ["rev-parse", "base^{tree}"]) : undefined

layer(repositories)("generated histories", (it) => {
  for (let first = 0; first < seeds; first += SEEDS_PER_TEST) {
    const count = Math.min(SEEDS_PER_TEST, seeds - first)
    it.effect(
      `are merged as by git: ${first} to ${first + count - 1}`,
      () =>
        Effect.gen(function* () {
          const merge = yield* Merging.make
          const facts = yield* PairFacts.make
          let mergedAlone = 0
          for (let seed = first; seed < first + count; seed++) {
            const path = yield* folder
            make(path, seed)
            const [base = "", head = ""] = git(path, ["rev-parse", "base", "head"]).split("\n")
            const repository = yield* open(path)
            const numbers = yield* facts.numbers(repository, base, head)
            const { additions, changedFiles, deletions } = numbers
            const { mergeable, rebaseable } = yield* facts.merges(repository, base, head, numbers)
            const trees = new Map<string, string | undefined>()
            assert.deepStrictEqual([changedFiles, additions, deletions], changes(path), `seed ${seed}, changed files`)
            for (const method of ["merge", "squash", "rebase"] as const) {
              const request =
                method === "rebase"
                  ? { method, base, head, committer: person }
                  : { method, base, head, committer: person, author: person, message: MESSAGE }
              const done = yield* merge(repository, request)
              trees.set(method, treeOf(done, path))
              const result = simplified(done)
              assert.deepStrictEqual(result, expected(path, method), `seed ${seed}, ${method}`)
              if (method === "merge") assert.strictEqual(mergeable, /Merged|Nothing/.test(result._tag), `seed ${seed}`)
            }
            for (const oid of git(path, ["rev-list", "--max-parents=1", "--min-parents=1", "base...head"]).split(
              "\n"
            )) {
              const [parent = ""] = oid === "" ? [] : git(path, ["rev-parse", `${oid}^`]).split("\n")
              for (const onto of [base, head]) {
                if (oid === "" || !(yield* repository.isAncestor(parent, onto))) continue
                if (yield* repository.isAncestor(oid, onto)) continue
                const request = { base: onto, head: oid, committer: person, author: person, message: MESSAGE }
                const one = yield* Merging.mergeOneCommit(repository, request, parent)
                const wanted = yield* merge(repository, { ...request, method: "merge" })
                const reason = `seed ${seed}, ${oid} into ${onto}`
                if (one !== undefined)
                  assert.strictEqual(one, wanted._tag === "Merged" ? wanted.oid : wanted._tag, reason)
                mergedAlone += one === undefined ? 0 : 1
              }
            }
            const rebased = trees.get("rebase")
            const isSame = rebased !== undefined && rebased === trees.get("merge")
            assert.strictEqual(rebaseable, isSame, `seed ${seed}, rebaseable`)
            assert.strictEqual(git(path, ["fsck", "--full", "--strict", "--no-dangling"]), "", `seed ${seed}`)
            rmSync(path, { recursive: true })
          }
          assert.isAbove(mergedAlone, 0)
        }),
      TIMEOUT_MILLIS
    )
  }
})
