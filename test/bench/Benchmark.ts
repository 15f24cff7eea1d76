import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Report } from "./Report.ts"

export interface Options {
  /** Measures for seconds instead of minutes, less precisely. */
  readonly quick: boolean
  /** Prints a line at once, for example a result. */
  readonly progress: (line: string) => Effect.Effect<void>
}

export interface Benchmark {
  readonly name: string
  /** One line for `--help`. */
  readonly summary: string
  readonly run: (options: Options) => Effect.Effect<Report, Error, Scope.Scope>
}
