/** The repositories that the benchmark clones, and the clients that fetch. */
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs"
import { basename, delimiter, join } from "node:path"
import * as Effect from "effect/Effect"
import { BenchmarkError, root, runCommand } from "../BenchmarkEnvironment.ts"
import * as LinuxCorpus from "../search/LinuxCorpus.ts"

export interface Repository {
  readonly name: string
  /** Words for the tables. */
  readonly title: string
  /** A client that has all but the last ten commits. Undefined for a repository of one commit. */
  readonly behind: string | undefined
}

/** How many commits a fetch gets. */
const NEW_COMMITS = 10

/** The repositories of `TONGS_BENCH_HISTORY`, separated as in `PATH`, or the one of this file. */
const historySources = process.env.TONGS_BENCH_HISTORY?.split(delimiter) ?? [root]

const makeHistory = Effect.fnUntraced(function* (source: string, name: string, folder: string, clients: string) {
  const served = join(folder, `${name}.git`)
  yield* clone(source, served)
  const git = (...args: ReadonlyArray<string>) => runCommand("git", ["-C", served, ...args])
  const old = (yield* git("rev-parse", `HEAD~${NEW_COMMITS}`)).trim()
  const behind = join(clients, `${name}-behind.git`)
  yield* runCommand("git", ["init", "--quiet", "--bare", behind])
  yield* git("update-ref", "refs/bench/old", old)
  yield* runCommand("git", ["-C", behind, "fetch", "--quiet", served, "refs/bench/old:refs/heads/main"])
  yield* git("update-ref", "-d", "refs/bench/old")
  const commits = (yield* git("rev-list", "--count", "HEAD")).trim()
  const title = `${basename(source)}, ${commits} commits`
  return { name, title, behind } satisfies Repository
})

const makeLinux = Effect.fnUntraced(function* (folder: string) {
  const { files, path } = yield* LinuxCorpus.find
  yield* clone(path, join(folder, "linux.git"))
  const title = `Linux, one commit of ${files} files`
  return { name: "linux", title, behind: undefined } satisfies Repository
})

/** A repository with a single pack and no alternates, as on a server. */
const clone = (source: string, target: string) =>
  Effect.gen(function* () {
    yield* runCommand("git", ["clone", "--quiet", "--bare", "--no-local", "--single-branch", source, target])
    yield* runCommand("git", ["-C", target, "repack", "-adq"])
  })

/** Creates the repositories in `folder`. Without the Linux source only the repositories with a history. */
export const make = Effect.fnUntraced(function* (folder: string, clients: string) {
  for (const path of [folder, clients]) mkdirSync(path, { recursive: true })
  const histories = yield* Effect.forEach(historySources, (source, at) =>
    makeHistory(source, at === 0 ? "history" : `history-${at + 1}`, folder, clients)
  )
  const linux = yield* Effect.catchIf(
    makeLinux(folder),
    (error) => error instanceof BenchmarkError,
    () => Effect.undefined
  )
  return linux === undefined ? histories : [...histories, linux]
})

/** Copies a client, so that each round fetches the same. */
export const copy = (client: string, target: string) => {
  if (existsSync(target)) rmSync(target, { recursive: true })
  cpSync(client, target, { recursive: true })
}
