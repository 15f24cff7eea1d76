/** The writes of many clients: acknowledged ones, and those whose outcome no client knows. */
import { BALANCER_HEADER } from "./Balancer.test-support.ts"

/** The answer to a request, or the reason why its outcome is unknown. */
export type Outcome =
  | { readonly isKnown: true; readonly status: number; readonly json: any } // oxlint-disable-line typescript/no-explicit-any -- assertions look into it
  | { readonly isKnown: false; readonly reason: string }

/** Milliseconds that a client waits for an answer: longer than a request may wait for the owner of a repository. */
const CLIENT_LIMIT = 30_000

export class WriteLedger {
  /** The acknowledged value of each thing; `undefined` for a deleted thing. */
  readonly acknowledged = new Map<string, string | undefined>()
  /** Values of writes with an unknown outcome, after the acknowledged value. */
  readonly unknown = new Map<string, ReadonlySet<string | undefined>>()
  /** Answers that no fault explains, for example a 500. */
  readonly violations: Array<string> = []
  /** Number of unknown outcomes by reason, and of answers by status. */
  readonly counts = new Map<string, number>()

  /** Sends a request with a token. */
  async send(
    { token, url }: { readonly token: string; readonly url: string },
    method: string,
    path: string,
    body?: unknown
  ) {
    let outcome: Outcome
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "user-agent": "test", "content-type": "application/json" },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(CLIENT_LIMIT)
      })
      outcome = await this.#judge(`${method} ${path}`, response)
    } catch (error) {
      outcome = {
        isKnown: false,
        reason: error instanceof Error && error.name === "TimeoutError" ? "timeout" : "connection lost"
      }
    }
    this.count(outcome.isKnown ? `${method} ${outcome.status}` : outcome.reason)
    return outcome
  }

  async #judge(request: string, response: Response): Promise<Outcome> {
    const { headers, status } = response
    const text = await response.text()
    if (headers.has(BALANCER_HEADER)) return { isKnown: false, reason: `balancer ${status}` }
    if (status >= 500) {
      if (status !== 503) this.violations.push(`${request}: ${status} ${text.slice(0, 300)}`)
      else if (!headers.has("retry-after"))
        this.violations.push(`${request}: 503 without retry-after ${text.slice(0, 300)}`)
      const [message = ""] = /(?<="message":")[^"]*/.exec(text) ?? []
      return { isKnown: false, reason: `forge ${status} ${message.replaceAll(/\d+/g, "N")}`.trimEnd() }
    }
    return { isKnown: true, status, json: text === "" ? undefined : JSON.parse(text) }
  }

  /**
   * Sends a write that sets a thing to a value. Returns the body of the acknowledgement, or undefined if the outcome is
   * unknown: then the client must not write the thing again.
   */
  async write(thing: string, value: string | undefined, status: number, send: () => Promise<Outcome>) {
    this.unknown.set(thing, new Set([...(this.unknown.get(thing) ?? []), value]))
    const outcome = await send()
    if (!outcome.isKnown) return undefined
    if (outcome.status !== status) {
      this.violations.push(`${thing}: ${outcome.status} ${JSON.stringify(outcome.json)?.slice(0, 300)}`)
      return undefined
    }
    this.unknown.delete(thing)
    this.acknowledged.set(thing, value)
    return outcome.json ?? {}
  }

  count(name: string) {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
  }

  /** True if the ledger has the thing, with any outcome. */
  has(thing: string): boolean {
    return this.acknowledged.has(thing) || this.unknown.has(thing)
  }

  /** Compares the things of a kind with the actual values, of which each thing has one. */
  wrong(kind: string, actual: ReadonlyMap<string, string>): ReadonlyArray<string> {
    const things = new Set([...this.acknowledged.keys(), ...this.unknown.keys(), ...actual.keys()])
    return [...things].flatMap((thing) => {
      if (!thing.startsWith(`${kind} `)) return []
      const found = actual.get(thing)
      const isAcknowledged = found === this.acknowledged.get(thing)
      if (isAcknowledged || this.unknown.get(thing)?.has(found) === true) return []
      const unknown = [...(this.unknown.get(thing) ?? [])].join(" or ")
      return `${thing}: acknowledged ${this.acknowledged.get(thing)}, unknown ${unknown}, found ${found}`
    })
  }

  /** The things of a kind. */
  names(kind: string): ReadonlyArray<string> {
    return [...new Set([...this.acknowledged.keys(), ...this.unknown.keys()])].filter((thing) =>
      thing.startsWith(`${kind} `)
    )
  }
}
