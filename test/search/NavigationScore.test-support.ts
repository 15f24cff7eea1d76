/** Draws names, and compares found places with expected ones. */

/** A name with the places that a language service finds, each as `path:line`. */
export interface Expected {
  readonly repo: string
  readonly path: string
  readonly line: number
  readonly column: number
  readonly name: string
  readonly definitions: ReadonlySet<string>
  readonly references: ReadonlySet<string>
  /**
   * All declarations of the name, for example overloads. They count neither as references nor as errors, nor do
   * declarations other than the definitions count as wrong definitions.
   */
  readonly declarations: ReadonlySet<string>
}

interface Found {
  readonly places: ReadonlySet<string>
  readonly isIncomplete: boolean
}

/** The places found for a name. */
export interface Result {
  readonly expected: Expected
  readonly definitions: Found
  readonly references: Found
  readonly millis: number
}

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Draws different items of a list. */
export const draw = <A>(all: ReadonlyArray<A>, count: number, random: () => number): ReadonlyArray<A> => {
  const left = [...all]
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(Math.floor(random() * left.length), 1)
  ).flat()
}

/** True if the name has no definition in the repository. */
const isOutside = ({ definitions }: Expected): boolean =>
  ![...definitions].some((place) => !/^(?:\/|not installed:)/.test(place))

/** Means of the names: of the expected places that are found, and of the found places that are expected. */
interface Score {
  readonly names: number
  readonly precision: number
  readonly recall: number
}

const compare = (pairs: ReadonlyArray<readonly [ReadonlySet<string>, ReadonlySet<string>]>): Score => {
  const answered = pairs.filter(([, found]) => found.size > 0)
  const answerable = pairs.filter(([expected]) => expected.size > 0)
  const mean = (parts: ReadonlyArray<number>) => parts.reduce((sum, part) => sum + part, 0) / Math.max(1, parts.length)
  return {
    names: pairs.length,
    precision: mean(answered.map(([expected, found]) => found.intersection(expected).size / found.size)),
    recall: mean(answerable.map(([expected, found]) => found.intersection(expected).size / expected.size))
  }
}

const none: ReadonlySet<string> = new Set()

const definitionPair = ({ definitions: { places }, expected }: Result) => {
  const { declarations, definitions } = expected
  if (isOutside(expected)) return [none, places] as const
  // Language services lead to one of the declarations or to all of them.
  const isFound = places.intersection(definitions).size > 0
  return [
    isFound ? places.intersection(definitions) : definitions,
    places.difference(declarations.difference(definitions))
  ] as const
}

const referencePair = ({ expected, references }: Result) =>
  [
    isOutside(expected) ? none : expected.references.difference(expected.declarations),
    references.places.difference(expected.declarations)
  ] as const

/** Compares all results. */
export const score = (results: ReadonlyArray<Result>) => ({
  definitions: compare(results.map(definitionPair)),
  references: compare(results.map(referencePair))
})

const kindOf = ({ expected }: Result): string => (isOutside(expected) ? "outside" : expected.repo)

const percent = (part: number) => `${(100 * part).toFixed(1)} %`

const line = (title: string, { names, precision, recall }: Score) =>
  `${title}: ${names} names, precision ${percent(precision)}, recall ${percent(recall)}`

const some = (places: ReadonlySet<string>) => `${places.size} (${[...places].slice(0, 4).join(" ")})`

/** Returns the scores by kind of name, and the differences. */
export const report = (results: ReadonlyArray<Result>): string => {
  const groups = [["all", results] as const, ...Map.groupBy(results, kindOf)]
  const scores = groups.flatMap(([title, group]) => {
    const { definitions, references } = score(group)
    return [line(`${title}, definitions`, definitions), line(`${title}, references`, references)]
  })
  const differences = results.flatMap((result) => {
    const { column, line, name, path, repo } = result.expected
    const parts = (["definitions", "references"] as const).flatMap((kind) => {
      const [expected, found] = kind === "definitions" ? definitionPair(result) : referencePair(result)
      const missing = expected.difference(found)
      const wrong = found.difference(expected)
      if (missing.size + wrong.size === 0) return []
      const state = result[kind].isIncomplete ? ", incomplete" : ""
      return [`${kind}: missing ${some(missing)} of ${expected.size}, wrong ${some(wrong)} of ${found.size}${state}`]
    })
    return parts.length === 0
      ? []
      : [`${kindOf(result)} ${repo} ${name} at ${path}:${line}:${column}\n    ${parts.join("\n    ")}`]
  })
  const seconds = results.reduce((sum, { millis }) => sum + millis, 0) / 1_000
  return [...scores, `${seconds.toFixed(1)} s`, ...differences].join("\n")
}
