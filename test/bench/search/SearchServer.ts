/** A `tongs serve` process over the corpus, and timed searches on it. */
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as Effect from "effect/Effect"
import type { IndexStatus } from "@tongs/core/contract/CodeIndex"
import type { SearchEvent } from "@tongs/core/contract/CodeSearch"
import * as IndexDatabase from "@tongs/service/search/sqlite/IndexDatabase"
import * as ProcessLauncher from "../ProcessLauncher.ts"

export interface SearchTiming {
  /** Milliseconds until the first file, and until the end of the response. */
  readonly first: number
  readonly done: number
  readonly files: number
}

export interface IndexTiming {
  readonly seconds: number
  readonly peakMegabytes: number
  readonly indexBytes: number
}

export class SearchServer {
  readonly #pid: number
  readonly #data: string
  readonly #url: string
  readonly #headers: Record<string, string>

  /** `data`: the folder with the index. */
  private constructor({ pid, token, url }: ProcessLauncher.ServeInfo, data: string) {
    this.#pid = pid
    this.#data = data
    this.#url = url
    this.#headers = { authorization: `Bearer ${token}`, "user-agent": "bench" }
  }

  /** Starts the server. The scope ends it. */
  static readonly start = Effect.fnUntraced(function* (home: string, repository: string) {
    const data = join(home, "data")
    const flags = ["--search-deadline", "60000"]
    return new SearchServer(yield* ProcessLauncher.serve({ home, data, repos: repository, flags }), data)
  })

  /** Waits until all repositories are indexed. */
  async waitForIndex(): Promise<IndexTiming> {
    const begun = performance.now()
    while (true) {
      const response = await fetch(`${this.#url}/tongs/index`, { headers: this.#headers })
      const { repositories } = (await response.json()) as IndexStatus // oxlint-disable-line typescript/no-unsafe-type-assertion -- of this very version
      if (repositories.every(({ state }) => state === "ready")) break
      if (repositories.some(({ state }) => state === "failed")) throw new Error("indexing the corpus failed")
      await sleep(250)
    }
    return {
      seconds: (performance.now() - begun) / 1000,
      peakMegabytes: peakMegabytes(this.#pid),
      indexBytes: ["", "-wal"].reduce((sum, suffix) => sum + sizeOf(`${IndexDatabase.fileIn(this.#data)}${suffix}`), 0)
    }
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
  async searchStreamed(query: string, limit: number): Promise<SearchTiming> {
    const begun = performance.now()
    const path = `/tongs/search?q=${encodeURIComponent(query)}&limit=${limit}&deadline=60000`
    const response = await fetch(this.#url + path, { headers: this.#headers })
    let first = Number.NaN
    let files = 0
    const decoder = new TextDecoder()
    let rest = ""
    for await (const bytes of response.body ?? []) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) {
        const event: SearchEvent = JSON.parse(line)
        if (event._tag === "File" && Number.isNaN(first)) first = performance.now() - begun
        if (event._tag === "Done") files = event.files
      }
    }
    return { first, done: performance.now() - begun, files }
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** The peak memory of a process; `NaN` without /proc. */
const peakMegabytes = (pid: number): number => {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
