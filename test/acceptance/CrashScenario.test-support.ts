/** A forge that is killed during writes, and the writes that it acknowledged. */
import { expect } from "vitest"
import { type ForgeProcess, type JsonResponse, request } from "./ForgeProcess.test-support.ts"
import { runGit } from "./GitPush.test-support.ts"

/** A write that the forge answered with another status, or a push with an exit code. */
export class Refused extends Error {
  readonly status: number

  constructor(thing: string, { json, status }: JsonResponse) {
    super(`${thing}: ${status} ${JSON.stringify(json)}`)
    this.status = status
  }
}

/** Records the writes that the forge acknowledged. `undefined` is a deleted thing. */
export class Ledger {
  readonly #acknowledged = new Map<string, string | undefined>()
  /** Writes without a response before the kill, which may have happened or not. */
  readonly #doubtful = new Map<string, string | undefined>()
  /** Titles of issues by repository and number. */
  readonly #numbers = new Map<string, string>()
  /** Expected deliveries, and possible ones. */
  readonly expectedDeliveries = new Set<string>()
  readonly possibleDeliveries = new Set<string>()
  /** Number of begun series of writes by kind. */
  readonly begun = new Map<string, number>()
  onAcknowledged: (thing: string) => void = () => {}

  /** Sends a write that sets `thing` to `value` and causes a delivery for each notice. */
  write(
    thing: string,
    value: string | undefined,
    send: () => Promise<JsonResponse>,
    status: number,
    ...notices: ReadonlyArray<string>
  ): Promise<JsonResponse["json"]> {
    return this.writeAll([[thing, value]], send, status, ...notices)
  }

  /** Sends a write that sets several things. */
  async writeAll(
    changes: ReadonlyArray<readonly [thing: string, value: string | undefined]>,
    send: () => Promise<JsonResponse>,
    status: number,
    ...notices: ReadonlyArray<string>
  ): Promise<JsonResponse["json"]> {
    for (const [thing, value] of changes) this.#doubtful.set(thing, value)
    for (const notice of notices) this.possibleDeliveries.add(notice)
    const answer = await send()
    const things = changes.map(([thing]) => thing)
    if (answer.status !== status) throw new Refused(things.join(", "), answer)
    for (const [thing, value] of changes) {
      this.#doubtful.delete(thing)
      this.#acknowledged.set(thing, value)
    }
    for (const notice of notices) this.expectedDeliveries.add(notice)
    this.onAcknowledged(things[0] ?? "")
    return answer.json
  }

  /** Records the number that an issue was given. Fails for a number that another issue had. */
  addNumber(repository: string, number: number, title: string) {
    const key = `${repository}#${number}`
    if (this.#numbers.has(key)) throw new Error(`${key} of ${title} was the number of ${this.#numbers.get(key)}`)
    this.#numbers.set(key, title)
  }

  /** The title of the issue that was given a number. */
  titleOf(repository: string, number: number): string | undefined {
    return this.#numbers.get(`${repository}#${number}`)
  }

  /** The names of the things of a kind. */
  names(kind: string): ReadonlyArray<string> {
    return [...this.#acknowledged.keys()].flatMap((thing) =>
      thing.startsWith(`${kind} `) ? [thing.slice(kind.length + 1)] : []
    )
  }

  /** Counts a series of writes. */
  count(kind: string) {
    this.begun.set(kind, (this.begun.get(kind) ?? 0) + 1)
  }

  /** Differences between the ledger and the actual data, of the things that `isCompared` selects. */
  wrong(actual: ReadonlyMap<string, string>, isCompared: (thing: string) => boolean): ReadonlyArray<string> {
    const missing = [...this.#acknowledged].filter(([thing, value]) => {
      if (!isCompared(thing)) return false
      const found = actual.get(thing)
      return found !== value && !(this.#doubtful.has(thing) && found === this.#doubtful.get(thing))
    })
    const extra = [...actual].filter(
      ([thing, value]) => !this.#acknowledged.has(thing) && this.#doubtful.get(thing) !== value
    )
    return [...missing, ...extra].map(([thing, value]) => `${thing}: ${value} or not, found ${actual.get(thing)}`)
  }
}

export interface CrashScenario {
  readonly ledger: Ledger
  /** The repository `hello`. */
  readonly path: string
  readonly tree: string
  /** Two commits: parent and child. */
  readonly commits: readonly [string, string]
  /** The repository `other`, and a clone whose `main` is pushed to it. */
  readonly other: string
  readonly clone: string
}

/** Writes to a forge. `base` is the API path of `hello`, and `name` is unique for each writer and round. */
export type Writer = (
  serving: ForgeProcess,
  base: string,
  name: string,
  index: number,
  world: CrashScenario
) => Promise<void>

/** Pushes with git. The status is git's exit code, or 503 if the forge could not check the push. */
export const push = async (folder: string, ...args: ReadonlyArray<string>): Promise<JsonResponse> => {
  const { code, stderr } = await runGit(folder, "push", "--quiet", ...args)
  return { status: stderr.includes("The forge could not check this push") ? 503 : (code ?? 1), json: stderr }
}

/** Reads all pages of a list. */
export const everyPage = async (serving: ForgeProcess, path: string): Promise<ReadonlyArray<JsonResponse["json"]>> => {
  const all: Array<JsonResponse["json"]> = []
  for (let page = 1; ; page++) {
    const { json, status } = await request(
      serving,
      "GET",
      `${path}${path.includes("?") ? "&" : "?"}per_page=100&page=${page}`
    )
    expect([path, status]).toEqual([path, 200])
    all.push(...json)
    if (json.length < 100) return all
  }
}
