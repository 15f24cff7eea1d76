/** Contenders measured in turn, round by round, so that what else the machine does hits all alike. */
import * as Effect from "effect/Effect"

export interface Candidate<A> {
  readonly name: string
  /** One round. */
  readonly measure: Effect.Effect<A, Error>
}

/**
 * The rounds of each contender by its name. The first round warms up and is thrown away; every other round begins with
 * another contender, so that none is always the first after a pause.
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
