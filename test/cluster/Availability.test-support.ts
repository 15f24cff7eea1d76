/** Measures for how long no request to a repository succeeds: reads and moves of a reference, separately. */
import { setTimeout } from "node:timers/promises"
import type { Load, LoadedRepository } from "./MixedLoad.test-support.ts"

/** Milliseconds between two reads of a repository, and between two writes, each of which starts processes of git. */
const READ_INTERVAL = 200
const WRITE_INTERVAL = 2_000

type Kind = "read" | "write"

/** The longest time without an answer after a fault, in milliseconds. */
export interface Gap {
  readonly fault: string
  readonly repository: string
  readonly kind: Kind
  readonly milliseconds: number
}

export class Availability {
  readonly gaps: Array<Gap> = []
  readonly #load: Load
  readonly #last = new Map<string, number>()
  readonly #longest = new Map<string, number>()

  constructor(load: Load) {
    this.#load = load
  }

  #succeed(kind: Kind, { fullName }: LoadedRepository) {
    const key = `${kind} ${fullName}`
    const now = performance.now()
    const gap = now - (this.#last.get(key) ?? now)
    this.#last.set(key, now)
    this.#longest.set(key, Math.max(gap, this.#longest.get(key) ?? 0))
  }

  /** Probes all repositories until the load ends. */
  async run(): Promise<void> {
    await Promise.all(this.#load.repositories.flatMap((one) => [this.#read(one), this.#write(one)]))
  }

  async #read(repository: LoadedRepository) {
    const { cluster, ledger } = this.#load
    const pending = new Set<Promise<void>>()
    // Reads do not wait for each other: one that a stopped process never answers hides no answer of the others.
    for (let index = 0; !this.#load.isEnded; index++) {
      const path = `/repos/${repository.fullName}/git/ref/heads/main?probe=${index}`
      const read = async () => {
        const outcome = await ledger.send(cluster, "GET", path)
        if (outcome.isKnown && outcome.status === 200) this.#succeed("read", repository)
      }
      const probe = read().finally(() => pending.delete(probe))
      pending.add(probe)
      await setTimeout(READ_INTERVAL)
    }
    await Promise.all(pending)
  }

  async #write(repository: LoadedRepository) {
    const { cluster, ledger } = this.#load
    const [first, second] = repository.commits
    const pending = new Set<Promise<void>>()
    for (let index = 0; !this.#load.isEnded; index++) {
      const ref = `refs/heads/probe/${index}`
      const thing = `ref ${repository.fullName} ${ref}`
      const sha = index % 2 === 0 ? first : second
      const send = () => ledger.send(cluster, "POST", `/repos/${repository.fullName}/git/refs`, { ref, sha })
      const write = async () => {
        if ((await ledger.write(thing, sha, 201, send)) !== undefined) this.#succeed("write", repository)
      }
      const probe = write().finally(() => pending.delete(probe))
      pending.add(probe)
      await setTimeout(WRITE_INTERVAL)
    }
    await Promise.all(pending)
  }

  /** Counts from now on, the moment of a fault. */
  begin() {
    this.#longest.clear()
    const now = performance.now()
    for (const key of this.#last.keys()) this.#last.set(key, now)
  }

  /**
   * Waits until each repository was read and written again, and records the longest gaps since `begin`. Returns the
   * longest of all.
   */
  async end(fault: string, limit: number): Promise<number> {
    const start = performance.now()
    const waiting = () => [...this.#last].filter(([, last]) => last < start).map(([key]) => key)
    while (waiting().length > 0 && performance.now() - start < limit) await setTimeout(50)
    const first = this.gaps.length
    for (const [key, last] of this.#last) {
      const [kind = "", repository = ""] = key.split(" ")
      const open = waiting().includes(key) ? performance.now() - last : 0
      const milliseconds = Math.round(Math.max(this.#longest.get(key) ?? 0, open))
      this.gaps.push({ fault, repository, kind: kind === "read" ? "read" : "write", milliseconds })
    }
    return Math.max(...this.gaps.slice(first).map(({ milliseconds }) => milliseconds))
  }

  /** The longest gap of each kind of fault, for reads and writes. */
  summary(): ReadonlyArray<string> {
    const groups = Map.groupBy(this.gaps, ({ fault, kind }) => `${fault}, ${kind}`)
    return [...groups].map(([name, gaps]) => {
      const sorted = gaps.map(({ milliseconds }) => milliseconds).toSorted((one, other) => one - other)
      const seconds = (value = Number.NaN) => `${(value / 1_000).toFixed(1)} s`
      return `${name}: longest ${seconds(sorted.at(-1))}, median ${seconds(sorted[Math.floor(sorted.length / 2)])}`
    })
  }
}
