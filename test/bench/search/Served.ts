/** A forge over the corpus in a process of its own, and what it answers. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import type { Index, SearchEvent } from "@tongs/core/explore/Explore"
import * as Workspace from "../Workspace.ts"

export interface Answered {
  /** Milliseconds until the first file, and until the end. */
  readonly first: number
  readonly done: number
  readonly files: number
}

export interface Built {
  readonly seconds: number
  readonly peakMegabytes: number
  readonly indexBytes: number
}

export class Served {
  readonly #child: ChildProcess
  readonly #data: string
  readonly #url: string
  readonly #headers: Record<string, string>

  private constructor(child: ChildProcess, data: string, url: string, token: string) {
    this.#child = child
    this.#data = data
    this.#url = url
    this.#headers = { authorization: `Bearer ${token}`, "user-agent": "bench" }
  }

  static async start(home: string, repository: string): Promise<Served> {
    const data = join(home, "data")
    const flags = [
      "serve",
      "--json",
      "--port",
      "0",
      "--data",
      data,
      "--repos",
      repository,
      "--search-deadline",
      "60000"
    ]
    const child = spawn(process.execPath, [Workspace.tongs, ...flags], {
      cwd: home,
      env: Workspace.environment(home),
      stdio: ["ignore", "pipe", "inherit"]
    })
    const [line] = await once(createInterface(child.stdout), "line")
    const { token, url } = JSON.parse(String(line))
    return new Served(child, data, url, token)
  }

  async stop(): Promise<void> {
    this.#child.kill()
    await once(this.#child, "exit")
  }

  /** Waits until the index has everything. */
  async built(): Promise<Built> {
    const begun = performance.now()
    while (true) {
      const response = await fetch(`${this.#url}/tongs/index`, { headers: this.#headers })
      const { repositories } = (await response.json()) as Index // oxlint-disable-line typescript/no-unsafe-type-assertion -- of this very version
      if (repositories.every(({ state }) => state === "ready")) break
      if (repositories.some(({ state }) => state === "failed")) throw new Error("the corpus could not be indexed")
      await sleep(250)
    }
    return {
      seconds: (performance.now() - begun) / 1000,
      peakMegabytes: peakMegabytes(this.#child.pid ?? 0),
      indexBytes: ["", "-wal"].reduce((sum, suffix) => sum + sizeOf(join(this.#data, `index.sqlite${suffix}`)), 0)
    }
  }

  /** The first thirty by the contract, with fragments. */
  async contract(query: string): Promise<Answered> {
    const begun = performance.now()
    const response = await fetch(`${this.#url}/search/code?q=${encodeURIComponent(query)}`, {
      headers: { ...this.#headers, accept: "application/vnd.service.text-match+json" }
    })
    const { total_count: files } = JSON.parse(await response.text())
    const done = performance.now() - begun
    return { first: done, done, files }
  }

  /** As the explorer asks: streamed. */
  async explore(query: string, limit: number): Promise<Answered> {
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

/** The most memory that a process has had; not known where there is no /proc. */
const peakMegabytes = (pid: number): number => {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
