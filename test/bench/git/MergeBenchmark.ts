/** Measures merges of the embedded forge in a long history, compared with the commands of git that do the same. */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { GitRepositories } from "@tongs/service/git/GitRepositories"
import * as Merging from "@tongs/service/git/merging/Merging"
import { Git } from "@tongs/service/git/process/Git"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as Comparison from "../Comparison.ts"
import { atMost, type Goal, type Row } from "../Report.ts"
import { median } from "../Statistics.ts"

const COMMITS = 100_000

/** Number of commits of the branch to rebase. */
const REBASED = 100

/** How many times as long as git's commands a merge and a rebase may take. */
const MAX_MERGE_RATIO = 1.5
const MAX_REBASE_RATIO = 2

const person = { name: "Bench", email: "bench@example.org", seconds: 1_700_000_000, timezone: "+0000" }

const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  ...Object.fromEntries(
    ["AUTHOR", "COMMITTER"].flatMap((role) => [
      [`GIT_${role}_NAME`, person.name],
      [`GIT_${role}_EMAIL`, person.email],
      [`GIT_${role}_DATE`, `${person.seconds} ${person.timezone}`]
    ])
  )
}

/** A history in which each commit of `main` changes one of a thousand files, and those of `side` one new file each. */
const historyOf = (): string => {
  const commit = (branch: string, at: number, file: string) =>
    `commit refs/heads/${branch}\n${at === COMMITS - REBASED ? "mark :1\n" : ""}` +
    `committer Bench <bench@example.org> ${1_500_000_000 + at * 60} +0000\ndata 0\n` +
    `M 100644 inline ${file}\ndata ${String(at).length}\n${at}\n`
  const lines = Array.from({ length: COMMITS }, (_, at) => commit("main", at, `d${at % 30}/f${at % 1000}.txt`))
  lines.push("reset refs/heads/side\nfrom :1\n\n")
  for (let at = 0; at < REBASED; at++) lines.push(commit("side", COMMITS + at, `side/s${at}.txt`))
  return lines.join("")
}

/** Makes the history, and measures both operations. */
export const run = Effect.fnUntraced(function* (quick: boolean) {
  const home = yield* BenchmarkEnvironment.temporaryFolder
  const path = join(home, "history")
  const git = (args: ReadonlyArray<string>, input = "") =>
    execFileSync("git", args, { cwd: path, env: environment, input, maxBuffer: 1024 ** 3 })
      .toString()
      .trim()
  yield* BenchmarkEnvironment.runCommand("git", ["init", "--quiet", "--initial-branch=main", path])
  git(["fast-import", "--quiet"], historyOf())
  git(["repack", "-adq"])
  git(["commit-graph", "write", "--reachable"])
  const [base = "", head = ""] = git(["rev-parse", "main", "side"]).split("\n")
  git(["update-ref", "refs/heads/target", base])
  git(["reset", "--quiet", "--hard"])

  const layer = Layer.merge(GitRepositories.layer, Git.layer)
  const rows: Array<Row> = []
  const goals: Array<Goal> = []
  yield* Effect.gen(function* () {
    const repository = yield* Effect.flatMap(GitRepositories, (all) => all.open(path))
    const merge = yield* Merging.make
    let round = 0
    const ours = (method: "merge" | "rebase") =>
      Effect.gen(function* () {
        const committer = { ...person, seconds: person.seconds + ++round }
        const before = yield* repository.ref("refs/heads/target")
        const start = performance.now()
        const merged = yield* merge(
          repository,
          method === "rebase"
            ? { method, base, head, committer }
            : { method, base, head, committer, author: person, message: "merge\n" }
        )
        if (merged._tag !== "Merged") return yield* failure(merged._tag)
        yield* repository.updateRef("refs/heads/target", merged.oid, before?.oid ?? "")
        return performance.now() - start
      })
    const theirs = {
      merge: () => {
        const tree = git(["merge-tree", "--write-tree", base, head])
        const oid = git(["commit-tree", tree, "-p", base, "-p", head, "-m", `merge ${++round}`])
        git(["update-ref", "refs/heads/target", oid])
      },
      rebase: () => git(["rebase", "--quiet", "--no-ff", base])
    }
    for (const method of ["merge", "rebase"] as const) {
      const commands = Effect.sync(() => {
        if (method === "rebase") git(["checkout", "--quiet", "--force", "--detach", head])
        const start = performance.now()
        theirs[method]()
        return performance.now() - start
      })
      const contenders = [
        { name: "tongs", measure: Effect.mapError(ours(method), (cause) => failureOf(String(cause))) },
        { name: "git", measure: commands }
      ]
      const times = yield* Comparison.run(contenders, quick ? 5 : 15)
      const [mine = [], gits = []] = [times.get("tongs"), times.get("git")]
      const ratio = median(mine.map((time, at) => time / (gits[at] ?? Number.NaN)))
      const title = method === "merge" ? "merge" : `rebase of ${REBASED} commits`
      rows.push({ operation: title, "tongs (ms)": median(mine), "git (ms)": median(gits), ratio })
      const limit = method === "merge" ? MAX_MERGE_RATIO : MAX_REBASE_RATIO
      goals.push({ goal: `${title}: at most ${limit} of git`, ...atMost(ratio, limit, "") })
    }
  }).pipe(Effect.provide(layer))
  return { section: { title: `merges in a history of ${COMMITS} commits`, rows }, goals }
})

const failureOf = (detail: string) => new BenchmarkEnvironment.BenchmarkError({ detail })

const failure = (tag: string) => Effect.fail(failureOf(`the merge ended with ${tag}`))
