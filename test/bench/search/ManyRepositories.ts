/** Searches in hundreds and thousands of repositories, by users with different rights, and after a restart. */
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as GeneratedRepositories from "../../search/GeneratedRepositories.test-support.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import { atMost, type Goal, type Row } from "../Report.ts"
import { median } from "../Statistics.ts"
import * as SearchRows from "./SearchRows.ts"
import { SearchServer } from "./SearchServer.ts"
import { missing } from "./SearchTiming.ts"
import * as ZoektPeer from "./ZoektPeer.ts"

/** Number of repositories of both measurements, and of the quick run. */
const SOME = 500
const MANY = 5_000
const MANY_QUICKLY = 500

/** Number of queries of each user. */
const QUERIES = 25

/** Creates the repositories in the data folder of a server. Returns the flags of the first start. */
const create = (home: string, count: number, linux: string, isPublic: boolean) => {
  const folder = join(home, "data", "repositories")
  mkdirSync(folder, { recursive: true })
  const generated = GeneratedRepositories.generate({ folder, count, linux })
  const forge = isPublic
    ? { ...generated, repositories: generated.repositories.map((one) => ({ ...one, isPrivate: false })) }
    : generated
  const file = join(home, "fixtures.json")
  writeFileSync(file, JSON.stringify(GeneratedRepositories.fixtures(forge)))
  return { forge, flags: ["--fixtures", file] }
}

/** Measures a word that each of the repositories has in one file. */
const inEach = Effect.fnUntraced(function* (home: string, linux: string, rounds: number) {
  mkdirSync(home)
  const { flags, forge } = create(home, SOME, linux, true)
  const served = yield* SearchServer.startWith(home, flags)
  const built = yield* BenchmarkEnvironment.tryPromise(() => served.waitForIndex())
  const zoekt = ZoektPeer.isInstalled()
    ? yield* ZoektPeer.start(
        home,
        forge.repositories.map(({ git, name, owner }) => {
          // zoekt names repositories without a remote by their folders, which have to differ.
          execFileSync("git", ["-C", git, "config", "zoekt.name", `${owner}/${name}`])
          return git
        })
      )
    : undefined
  const word = GeneratedRepositories.COMMON_WORD
  return yield* BenchmarkEnvironment.tryPromise(async () => {
    const own = await SearchRows.times(rounds, () => served.searchAll(word))
    const peer = await SearchRows.times(rounds, () => zoekt?.searchAll(`content:"${word}" case:no`) ?? missing)
    const row: Row = {
      repositories: SOME,
      query: word,
      files: own.files,
      missing: own.incomplete,
      "first (ms)": own.first,
      "done (ms)": own.done,
      "zoekt files": peer.files,
      "zoekt (ms)": peer.done,
      "built in (s)": built.seconds,
      "zoekt built in (s)": zoekt?.seconds
    }
    return { row, done: own.files === SOME && own.incomplete === undefined ? own.done : Number.POSITIVE_INFINITY }
  })
}, Effect.scoped)

/** The queries of a user: words of all, of some and of single repositories, which the user may read or not. */
const queriesOf = (user: number, count: number): ReadonlyArray<string> =>
  Array.from({ length: QUERIES }, (_, at) => {
    const { COMMON_WORD, sharedSteps, sharedWord, uniqueWord } = GeneratedRepositories
    if (at % 5 === 0) return COMMON_WORD
    if (at % 5 < 3) return sharedWord(sharedSteps[at % 3] ?? 3)
    return uniqueWord((user * 7_919 + at * 104_729) % count)
  })

/** Measures queries of all users at once, and the first answer after a restart. */
const byUsers = Effect.fnUntraced(function* (home: string, linux: string, count: number) {
  mkdirSync(home)
  const { flags, forge } = create(home, count, linux, false)
  const first = yield* Effect.scoped(
    Effect.gen(function* () {
      const served = yield* SearchServer.startWith(home, flags)
      return yield* BenchmarkEnvironment.tryPromise(async () => {
        const built = await served.waitForIndex()
        const times: Array<number> = []
        const wrong: Array<string> = []
        const runUser = async ({ login, token }: GeneratedRepositories.GeneratedUser, user: number) => {
          const own = served.as(token)
          const readable = forge.repositories.filter((one) => GeneratedRepositories.mayRead(forge, one, login))
          for (const query of queriesOf(user, count)) {
            const { done, files, incomplete } = await own.searchStreamed(query, 1_000)
            times.push(done)
            const expected = readable.filter(({ files }) => files.get("README.md")?.includes(query)).length
            // A word of a single repository can be the start of another word.
            if (files !== Math.min(expected, 1_000) || (incomplete !== undefined && incomplete !== "limit")) {
              wrong.push(`${login}: ${query}: ${files} of ${expected} ${incomplete ?? ""}`)
            }
          }
        }
        await Promise.all(forge.users.map(runUser))
        return { built, times, wrong, peak: served.peakMegabytes() }
      })
    })
  )
  const begun = performance.now()
  const restarted = yield* SearchServer.startWith(home, [])
  const answered = yield* BenchmarkEnvironment.tryPromise(() =>
    restarted.searchStreamed(GeneratedRepositories.uniqueWord(count - 1), 10)
  )
  const restart = performance.now() - begun
  const times = first.times.toSorted((a, b) => a - b)
  const p95 = times[Math.floor(times.length * 0.95)] ?? Number.NaN
  const row: Row = {
    repositories: count,
    users: forge.users.length,
    queries: times.length,
    "median (ms)": median(times),
    "p95 (ms)": p95,
    "slowest (ms)": times.at(-1),
    wrong: first.wrong.length,
    "of these": first.wrong.slice(0, 3).join("; "),
    "built in (s)": first.built.seconds,
    "index (MB)": first.built.indexBytes / 1e6,
    "memory (MB)": first.peak,
    "restart to first answer (ms)": restart
  }
  return { row, p95, wrong: first.wrong.length, restart: answered.files === 1 ? restart : Number.POSITIVE_INFINITY }
}, Effect.scoped)

/** Measures both. `linux` is a folder with sources. */
export const measure = Effect.fnUntraced(function* (home: string, linux: string, rounds: number, quick: boolean) {
  const count = quick ? MANY_QUICKLY : MANY
  const each = yield* inEach(join(home, "each"), linux, rounds)
  const users = yield* byUsers(join(home, "users"), linux, count)
  const goals: ReadonlyArray<Goal> = [
    { goal: `a word of each of ${SOME} repositories within 300 ms`, ...atMost(each.done, 300, " ms") },
    { goal: `p95 in ${count} repositories with 20 users at most 1,000 ms`, ...atMost(users.p95, 1_000, " ms") },
    { goal: "no user finds other files than those of readable repositories", ...atMost(users.wrong, 0, " queries") },
    { goal: "restart to the first answer within 10 s", ...atMost(users.restart / 1_000, 10, " s") }
  ]
  return {
    sections: [
      { title: `A word of each of ${SOME} generated repositories`, rows: [each.row] },
      { title: `${users.row["users"]} users at once in ${count} generated repositories`, rows: [users.row] }
    ],
    goals
  }
})
