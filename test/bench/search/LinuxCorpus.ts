/** A large repository: the Linux source of Debian's package in one commit. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { basename, join } from "node:path"
import * as Effect from "effect/Effect"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"

export interface LinuxCorpus {
  readonly name: string
  readonly path: string
  readonly files: number
  /** Total size of the files. */
  readonly bytes: number
}

/** The folder of Debian's packages `linux-source-*`. */
const SOURCES = "/usr/src"

/** The repository of `TONGS_BENCH_CORPUS`, or the Linux source, unpacked and committed in the cache folder. */
export const find = Effect.gen(function* () {
  const { TONGS_BENCH_CORPUS: named, XDG_CACHE_HOME: cache = join(homedir(), ".cache") } = process.env
  const path = named ?? (yield* make(join(cache, "tongs", "bench")))
  const listing = yield* BenchmarkEnvironment.runCommand("git", ["-C", path, "ls-tree", "-r", "-l", "HEAD"])
  const sizes = listing
    .split("\n")
    .map((line) => Number(/^100\d{3} blob \w+ +(\d+)\t/.exec(line)?.[1] ?? Number.NaN))
    .filter((size) => !Number.isNaN(size))
  const corpus: LinuxCorpus = {
    name: basename(path),
    path,
    files: sizes.length,
    bytes: sizes.reduce((sum, size) => sum + size, 0)
  }
  return corpus
})

const make = Effect.fnUntraced(function* (folder: string) {
  const archive = (existsSync(SOURCES) ? readdirSync(SOURCES) : []).find((name) =>
    /^linux-source-.*\.tar\.xz$/.test(name)
  )
  if (archive === undefined) {
    const detail = "no large source to search: apt install linux-source, or name a repository in TONGS_BENCH_CORPUS"
    return yield* new BenchmarkEnvironment.BenchmarkError({ detail })
  }
  const name = archive.replace(/\.tar\.xz$/, "")
  const made = join(folder, name)
  if (existsSync(made)) return made
  const unfinished = join(folder, `${name}.new`)
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  yield* BenchmarkEnvironment.runCommand("tar", [
    "-xJf",
    join(SOURCES, archive),
    "-C",
    unfinished,
    "--strip-components=1"
  ])
  const git = (...args: ReadonlyArray<string>) =>
    BenchmarkEnvironment.runCommand("git", [
      "-C",
      unfinished,
      "-c",
      "user.name=Bench",
      "-c",
      "user.email=bench@example.org",
      ...args
    ])
  yield* git("init", "--quiet")
  yield* git("add", "--all", "--force")
  yield* git("commit", "--quiet", "-m", name)
  // One pack, as in a clone.
  yield* git("repack", "-adq")
  renameSync(unfinished, made)
  return made
})
