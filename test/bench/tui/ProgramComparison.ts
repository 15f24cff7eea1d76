/** Measures several programs, and reports each result as soon as it is known. A program that fails stops no other. */
import * as Effect from "effect/Effect"
import type * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as Comparison from "../Comparison.ts"
import type { TuiProgram } from "./TuiPrograms.ts"

/** One measurement of a program. */
export interface Measurement<A> {
  readonly title: string
  /** The name of the only program to measure. */
  readonly only?: string
  readonly measure: (program: TuiProgram) => Effect.Effect<A, BenchmarkEnvironment.BenchmarkError>
  /** The results of a program as text. */
  readonly format: (results: ReadonlyArray<A>) => string
}

/** The results of each program by name. A program that failed has no entry. */
export type Results<A> = ReadonlyMap<string, ReadonlyArray<A>>

export interface ProgramComparison {
  /** Measures one program after the other, `rounds` times after a warm-up. */
  readonly inTurn: <A>(measurement: Measurement<A>, rounds: number) => Effect.Effect<Results<A>, Error>
  /** Measures all programs at the same time, `rounds` times, where no time is measured. */
  readonly together: <A>(measurement: Measurement<A>, rounds: number) => Effect.Effect<Results<A>, Error>
  /** The failures, with the last screen of the program. */
  readonly failures: () => ReadonlyArray<string>
}

export const make = (
  programs: ReadonlyArray<TuiProgram>,
  progress: (line: string) => Effect.Effect<void>
): ProgramComparison => {
  const failures: Array<string> = []

  /** One candidate for each program. After its first failure, a program is not measured again. */
  const candidates = <A>({ measure, only, title }: Measurement<A>) =>
    programs
      .filter(({ name }) => only === undefined || name === only)
      .map((program) => {
        let hasFailed = false
        return {
          name: program.name,
          measure: Effect.suspend(() =>
            hasFailed
              ? Effect.undefined
              : measure(program).pipe(
                  Effect.catch(({ message }) => {
                    hasFailed = true
                    failures.push(`${program.name}, ${title}: ${message}`)
                    return Effect.as(progress(failures.at(-1) ?? ""), undefined)
                  })
                )
          )
        }
      })

  const report = Effect.fnUntraced(function* <A>(
    { format, title }: Measurement<A>,
    measured: ReadonlyMap<string, ReadonlyArray<A | undefined>>
  ) {
    const results = new Map<string, ReadonlyArray<A>>()
    for (const [name, values] of measured) {
      const known = values.filter((value) => value !== undefined)
      if (known.length < values.length) continue
      results.set(name, known)
      yield* progress(`${name}, ${title}: ${format(known)}`)
    }
    return results
  })

  return {
    inTurn: (measurement, rounds) =>
      Effect.flatMap(Comparison.run(candidates(measurement), rounds), (measured) => report(measurement, measured)),
    together: (measurement, rounds) =>
      Effect.forEach(
        candidates(measurement),
        ({ measure, name }) => Effect.map(Effect.replicateEffect(measure, rounds), (values) => [name, values] as const), // a pair
        { concurrency: "unbounded" }
      ).pipe(Effect.flatMap((measured) => report(measurement, new Map(measured)))),
    failures: () => failures
  }
}
