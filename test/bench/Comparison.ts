/** Measures candidates in interleaved rounds, so that other load on the machine affects all candidates. */
import * as Effect from "effect/Effect"

export interface Candidate<A> {
  readonly name: string
  /** One round. */
  readonly measure: Effect.Effect<A, Error>
}

/**
 * Returns the results of each candidate by name. The first round is a warm-up without results. The order reverses each
 * round, so that no candidate is always the first after a pause.
 */
export const run = Effect.fnUntraced(function* <A>(contenders: ReadonlyArray<Candidate<A>>, rounds: number) {
  const results = new Map<string, Array<A>>(contenders.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const { measure, name } of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const result = yield* measure
      if (round > 0) results.get(name)?.push(result)
    }
  }
  return results
})
