import type { SearchTarget } from "../CodeIndex.ts"
import type { BeginSearch, SearchPart } from "../workers/WorkerMethods.ts"

/** Maximum number of targets with a number. Above it, the numbers begin again. */
const MAX_TARGETS = 65_536

/**
 * The numbers of targets in the messages to one reader, because a search of thousands of repositories would otherwise
 * send thousands of objects. Each target is sent once. Messages must be sent in the order of the calls.
 */
export class TargetNumbers {
  /** Numbers by git folder and commit. */
  readonly #numbers = new Map<string, Map<string, { readonly fullName: string; readonly number: number }>>()
  /** Parts of messages without work trees, until the numbers begin again. */
  #parts = new WeakMap<ReadonlyMap<number, ReadonlyArray<number>>, ReadonlyArray<SearchPart>>()
  readonly #max: number
  #count = 0

  constructor(max = MAX_TARGETS) {
    this.#max = max
  }

  /**
   * Creates the part of a message about the targets, given by shard as indexes of `targets`. The same map must always
   * mean the same targets.
   */
  message(
    targets: ReadonlyArray<SearchTarget>,
    byShard: ReadonlyMap<number, ReadonlyArray<number>>
  ): Pick<BeginSearch, "defined" | "isReset" | "parts"> {
    const sent = this.#parts.get(byShard)
    if (sent !== undefined) return { defined: [], isReset: false, parts: sent }
    let count = 0
    for (const places of byShard.values()) count += places.length
    const isReset = this.#count + count > this.#max
    if (isReset) {
      this.#numbers.clear()
      this.#parts = new WeakMap()
      this.#count = 0
    }
    const defined: Array<readonly [number, SearchTarget]> = []
    const parts = Array.from(byShard, ([shard, places]): SearchPart => {
      const numbers: Array<number> = []
      const committed: Array<number> = []
      const workTrees: Array<SearchTarget> = []
      const others: Array<number> = []
      for (const place of places) {
        const target = targets[place]
        if (target === undefined) continue
        if (target.workTree === undefined) {
          numbers.push(this.#number(target, defined))
          committed.push(place)
        } else {
          workTrees.push(messageOf(target))
          others.push(place)
        }
      }
      return {
        shard,
        targets: Uint32Array.from(numbers),
        workTrees,
        places: Uint32Array.from([...committed, ...others])
      }
    })
    if (parts.every(({ workTrees }) => workTrees.length === 0)) this.#parts.set(byShard, parts)
    return { defined, isReset, parts }
  }

  #number(target: SearchTarget, defined: Array<readonly [number, SearchTarget]>): number {
    const { commit, fullName, gitDir } = target
    let commits = this.#numbers.get(gitDir)
    if (commits === undefined) this.#numbers.set(gitDir, (commits = new Map()))
    const known = commits.get(commit)
    if (known?.fullName === fullName) return known.number
    const number = this.#count++
    commits.set(commit, { fullName, number })
    defined.push([number, messageOf(target)])
    return number
  }
}

/** Returns only the properties of a target, because a message to a worker cannot contain functions. */
const messageOf = ({ commit, fullName, gitDir, workTree }: SearchTarget): SearchTarget => ({
  commit,
  fullName,
  gitDir,
  workTree
})
