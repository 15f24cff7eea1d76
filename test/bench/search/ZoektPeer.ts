/** Zoekt over the corpus: an index by zoekt-git-index, and timed searches on zoekt-webserver. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as ReadyChecks from "../startup/ReadyChecks.ts"
import * as PeakMemory from "./PeakMemory.ts"
import type { SearchTiming } from "./SearchTiming.ts"

/** A running zoekt-webserver, and the measurements of the server's index. */
export interface ZoektPeer {
  readonly seconds: number
  readonly indexBytes: number
  /** Peak memory of zoekt-git-index. */
  readonly buildMegabytes: number
  /** Returns the peak memory of zoekt-webserver so far. */
  readonly servingMegabytes: () => number
  /** Returns the paths of the best files, in zoekt's order. */
  readonly search: (query: string, limit: number) => Promise<SearchTiming & { readonly paths: ReadonlyArray<string> }>
  /** Finds all files with all matching lines. */
  readonly searchAll: (query: string) => Promise<SearchTiming>
}

/** More than all matches and files. */
const UNLIMITED = 1_000_000_000

const readResult = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      Result: Schema.Struct({
        FileCount: Schema.Int,
        MatchCount: Schema.Int,
        Files: Schema.NullOr(Schema.Array(Schema.Struct({ Repository: Schema.String, FileName: Schema.String })))
      })
    })
  )
)

const programs = ["zoekt-git-index", "zoekt-webserver"]

/** True if the programs of zoekt are on the PATH. */
export const isInstalled = () => programs.every((name) => BenchmarkEnvironment.findProgram(name) !== undefined)

/** True if zoekt indexes symbols, which takes longer: `TONGS_BENCH_CTAGS` is the path of universal-ctags. */
export const hasSymbols = () => process.env["TONGS_BENCH_CTAGS"] !== undefined

/** Indexes repositories and starts a server over the index. The server ends with the scope. */
export const start = Effect.fnUntraced(function* (home: string, repositories: ReadonlyArray<string>) {
  const folder = join(home, "zoekt")
  const build = yield* BenchmarkEnvironment.tryPromise(() => index(folder, repositories))
  const port = yield* BenchmarkEnvironment.tryPromise(ReadyChecks.freePort)
  const args = ["-index", folder, "-rpc", "-listen", `127.0.0.1:${port}`]
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn("zoekt-webserver", args, { stdio: "ignore" })),
    (child) => Effect.sync(() => child.kill())
  )
  const url = `http://127.0.0.1:${port}`
  yield* BenchmarkEnvironment.tryPromise(() => waitUntilReady(child, url))
  const memory = PeakMemory.sample(child.pid ?? 0)
  yield* Effect.addFinalizer(() => Effect.promise(memory.stop))
  const peer: ZoektPeer = {
    ...build,
    servingMegabytes: memory.peak,
    search: (query, limit) => search(url, query, { MaxDocDisplayCount: limit }),
    searchAll: (query) => search(url, query, { ShardMaxMatchCount: UNLIMITED, TotalMaxMatchCount: UNLIMITED })
  }
  return peer
})

const index = async (folder: string, repositories: ReadonlyArray<string>) => {
  const begun = performance.now()
  let buildMegabytes = 0
  for (const repository of repositories) {
    const flags = hasSymbols() ? ["-require_ctags"] : ["-disable_ctags"]
    const env = { ...process.env, CTAGS_COMMAND: process.env["TONGS_BENCH_CTAGS"] }
    const child = spawn("zoekt-git-index", ["-index", folder, ...flags, repository], { stdio: "ignore", env })
    const memory = PeakMemory.sample(child.pid ?? 0)
    const [code] = await once(child, "exit")
    const peak = await memory.stop()
    if (code !== 0) throw new Error(`zoekt-git-index of ${repository} ended with ${code}`)
    if (peak > buildMegabytes) buildMegabytes = peak
  }
  const indexBytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  return { seconds: (performance.now() - begun) / 1000, indexBytes, buildMegabytes }
}

const waitUntilReady = async (child: ChildProcess, url: string) => {
  while ((await fetch(`${url}/readyz`).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null) throw new Error(`zoekt-webserver ended with ${child.exitCode}`)
    await sleep(50)
  }
}

const search = async (url: string, query: string, options: Readonly<Record<string, number>>) => {
  const begun = performance.now()
  const response = await fetch(`${url}/api/search`, {
    method: "POST",
    body: JSON.stringify({ Q: query, Opts: options })
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`zoekt: ${query}: ${text}`)
  const done = performance.now() - begun
  const { Result } = readResult(text)
  const paths = (Result.Files ?? []).map(({ FileName, Repository }) => `${Repository}/${FileName}`)
  // The response arrives at once.
  return { first: done, done, files: Result.FileCount, matches: Result.MatchCount, paths }
}
