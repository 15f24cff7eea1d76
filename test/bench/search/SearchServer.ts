/** A `tongs serve` process over the corpus, and timed searches on this server. */
import { readdirSync, statSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as Effect from "effect/Effect"
import type { IndexStatus } from "@tongs/core/contract/groups/CodeIndex"
import type { SearchEvent } from "@tongs/core/contract/groups/CodeSearch"
import * as IndexDatabase from "@tongs/service/search/sqlite/IndexDatabase"
import * as ProcessLauncher from "../ProcessLauncher.ts"
import * as PeakMemory from "./PeakMemory.ts"
import type { SearchTiming } from "./SearchTiming.ts"

export interface IndexTiming {
  readonly seconds: number
  readonly peakMegabytes: number
  readonly indexBytes: number
}

export class SearchServer {
  readonly #data: string
  readonly #url: string
  readonly #headers: Record<string, string>
  readonly #memory: ReturnType<typeof PeakMemory.sample>

  /** `data`: the folder with the index. */
  private constructor(
    { token, url }: Pick<ProcessLauncher.ServeInfo, "token" | "url">,
    data: string,
    memory: ReturnType<typeof PeakMemory.sample>
  ) {
    this.#memory = memory
    this.#data = data
    this.#url = url
    this.#headers = { authorization: `Bearer ${token}`, "user-agent": "bench" }
  }

  /** Starts the server over repositories, or folders of repositories. The server ends with the scope. */
  static readonly start = (home: string, ...repositories: ReadonlyArray<string>) =>
    SearchServer.startWith(
      home,
      repositories.flatMap((path) => ["--repos", path])
    )

  /** Starts the server with further flags. The server ends with the scope. */
  static readonly startWith = Effect.fnUntraced(function* (home: string, flags: ReadonlyArray<string>) {
    const data = join(home, "data")
    const info = yield* ProcessLauncher.serve({
      home,
      data,
      flags: ["--search-deadline", String(DEADLINE), ...flags]
    })
    const memory = PeakMemory.sample(info.pid)
    yield* Effect.addFinalizer(() => Effect.promise(memory.stop))
    return new SearchServer(info, data, memory)
  })

  /** The same server, used by the user of a token. */
  as(token: string): SearchServer {
    return new SearchServer({ token, url: this.#url }, this.#data, this.#memory)
  }

  /** Waits until all repositories are indexed. Repositories that a busy machine reads too slowly are tried again. */
  async waitForIndex(): Promise<IndexTiming> {
    const begun = performance.now()
    for (let failures = 0; failures < MAX_FAILURES;) {
      const response = await fetch(`${this.#url}/tongs/index`, { headers: this.#headers })
      const { repositories } = (await response.json()) as IndexStatus // oxlint-disable-line typescript/no-unsafe-type-assertion -- of this very version
      if (repositories.every(({ state }) => state === "ready")) return this.#indexed(begun)
      failures = repositories.every(({ state }) => state === "ready" || state === "failed") ? failures + 1 : 0
      await sleep(250)
    }
    throw new Error("indexing failed")
  }

  #indexed(begun: number): IndexTiming {
    return {
      seconds: (performance.now() - begun) / 1000,
      peakMegabytes: this.#memory.peak(),
      indexBytes: indexBytes(this.#data)
    }
  }

  /** Returns the peak memory so far, in megabytes, with all child processes. */
  peakMegabytes(): number {
    return this.#memory.peak()
  }

  /** Returns the paths of the first thirty files, the best first, of a repository of the owner. */
  async searchPaths(query: string, repository: string): Promise<ReadonlyArray<string>> {
    const { login } = await this.#json("/user")
    const q = encodeURIComponent(`${query} repo:${login}/${repository}`)
    const { items } = await this.#json(`/search/code?q=${q}&per_page=30`)
    return items.map(({ path }: { readonly path: string }) => path)
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- of this very version
  async #json(path: string): Promise<any> {
    return (await fetch(this.#url + path, { headers: this.#headers })).json()
  }

  /** Runs the contract's search: the first thirty files with fragments. */
  async searchContract(query: string): Promise<SearchTiming> {
    const begun = performance.now()
    const response = await fetch(`${this.#url}/search/code?q=${encodeURIComponent(query)}`, {
      headers: { ...this.#headers, accept: "application/vnd.service.text-match+json" }
    })
    const { total_count: files } = JSON.parse(await response.text())
    const done = performance.now() - begun
    return { first: done, done, files }
  }

  /** Runs the explorer's streamed search. */
  searchStreamed(query: string, limit: number): Promise<SearchTiming> {
    return this.#stream({ q: query, limit })
  }

  /** Finds all files with all matching lines. */
  searchAll(query: string): Promise<SearchTiming> {
    return this.#stream({ q: `${query} count:all`, lines: "all", context: 0 })
  }

  /** Runs the search of the explorer within the default deadline. */
  searchShortly(query: string): Promise<SearchTiming> {
    return this.#stream({ q: query, deadline: USUAL_DEADLINE })
  }

  async #stream(parameters: Readonly<Record<string, string | number>>): Promise<SearchTiming> {
    const begun = performance.now()
    const query = Object.entries({ deadline: DEADLINE, ...parameters }).map(
      ([name, value]) => `${name}=${encodeURIComponent(value)}`
    )
    const response = await fetch(`${this.#url}/tongs/search?${query.join("&")}`, { headers: this.#headers })
    if (!response.ok) throw new Error(`search ${parameters["q"]}: ${await response.text()}`)
    let first = Number.NaN
    let last = ""
    const decoder = new TextDecoder()
    let rest = ""
    for await (const bytes of response.body ?? []) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n")
      rest = lines.pop() ?? ""
      // Only the last event is parsed, because parsing would take time of the measured search.
      if (Number.isNaN(first) && lines.some((line) => line.startsWith('{"_tag":"File"'))) {
        first = performance.now() - begun
      }
      last = lines.at(-1) ?? last
    }
    const done = performance.now() - begun
    const event: SearchEvent = JSON.parse(last)
    if (event._tag !== "Done") throw new Error(`search ${parameters["q"]}: the response has no end`)
    const incomplete = event.incomplete.join(" ")
    return { first, done, files: event.files, matches: event.matches, ...(incomplete === "" ? {} : { incomplete }) }
  }
}

/** Number of states in a row with failed repositories after which a measurement fails. */
const MAX_FAILURES = 240

/** Milliseconds that a search may take. */
const DEADLINE = 60_000

/** Milliseconds that a search may take by default. */
const USUAL_DEADLINE = 4_000

/** Returns the bytes of all files of the index in a data folder. */
const indexBytes = (data: string): number => {
  const [name = ""] = relative(data, IndexDatabase.fileIn(data)).split(sep)
  return readdirSync(data, { recursive: true, encoding: "utf8" })
    .filter((path) => path.startsWith(name))
    .map((path) => statSync(join(data, path), { throwIfNoEntry: false }))
    .reduce((sum, stats) => sum + (stats?.isFile() === true ? stats.size : 0), 0)
}
