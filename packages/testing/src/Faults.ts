/** Faults of the server: which requests fail, and how. */
import * as Random from "./Random.ts"
import * as RoutePattern from "./RoutePattern.ts"
import type { Occurrence } from "./TestForge.ts"

/** The effect of a fault on a request. */
export type Fault =
  /** The request does not reach the forge. */
  | {
      readonly _tag: "Respond"
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
    }
  /** The request reaches the forge after the duration. */
  | { readonly _tag: "Delay"; readonly milliseconds: number }
  /** The forge handles the request, and the connection breaks in the middle of the response. */
  | { readonly _tag: "Cut" }
  /** The request does not reach the forge, and the client gets no response. */
  | { readonly _tag: "Hang" }

interface Rule extends Occurrence {
  readonly matches: (method: string, path: string) => boolean
  readonly fault: Fault
  remaining: number
}

/** Creates an empty plan of faults. Throws a `TypeError` for an invalid route or occurrence. */
export const make = (seed: number) => {
  let rules: ReadonlyArray<Rule> = []
  let random = Random.make(seed)

  return {
    add: (
      route: string,
      fault: Fault,
      { probability = 1, times = Number.POSITIVE_INFINITY }: Occurrence = {}
    ): void => {
      if (!(times > 0)) throw new TypeError(`Invalid times ${times}: a fault occurs at least once`)
      if (!(probability > 0 && probability <= 1)) {
        throw new TypeError(`Invalid probability ${probability}: a number above 0, at most 1`)
      }
      rules = [...rules, { matches: RoutePattern.matcher(route), fault, probability, remaining: times }]
    },
    /** Returns the faults of a request: delays, and then at most one other fault. The earliest rule decides. */
    take: (method: string, path: string): ReadonlyArray<Fault> => {
      const faults: Array<Fault> = []
      for (const rule of rules) {
        if (rule.remaining <= 0 || !rule.matches(method, path)) continue
        if (rule.probability !== 1 && random() >= (rule.probability ?? 1)) continue
        rule.remaining -= 1
        faults.push(rule.fault)
        if (rule.fault._tag !== "Delay") break
      }
      return faults
    },
    clear: (): void => {
      rules = []
      random = Random.make(seed)
    }
  }
}

export type Faults = ReturnType<typeof make>
