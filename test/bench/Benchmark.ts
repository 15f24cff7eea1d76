/** What the runner knows of a benchmark. */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Report } from "./Report.ts"

export interface Options {
  /** A rough answer in seconds instead of a good one in minutes. */
  readonly quick: boolean
}

export interface Benchmark {
  readonly name: string
  /** For people, in one line. */
  readonly summary: string
  readonly run: (options: Options) => Effect.Effect<Report, Error, Scope.Scope>
}
