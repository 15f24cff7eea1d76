/** Generates patterns in ripgrep's syntax and lines of text, from a seed. */

const characters = [...'abAB01_ -.éßſKkσςΣİiıI()[]{}+*/\\名前٣²Ⅷ"#<\t\u00a0\u200d😀', "\u0301", "\u212a"]

/** Creates a generator. Equal seeds give equal patterns and lines. */
export const generator = (seed: number) => {
  let state = seed
  const below = (count: number): number => {
    state = (state * 1_103_515_245 + 12_345) & 0x7f_ff_ff_ff
    return Math.floor((state / 0x80_00_00_00) * count)
  }
  const pick = (all: ReadonlyArray<string>): string => all[below(all.length)] ?? ""
  const repeat = (count: number, make: () => string) => Array.from({ length: count }, make).join("")

  const literal = () => pick(characters).replace(/[\\^$.|?*+()[\]{}]/, "\\$&")
  const member = (depth: number): string => {
    const kind = below(depth > 1 ? 4 : 6)
    if (kind === 0) return pick(["a-z", "0-9", "\\w", "\\d", "\\s", "[:alpha:]", "[:^digit:]"])
    if (kind === 4) return characterClass(depth + 1)
    if (kind === 5) return `a-z0${pick(["&&", "--", "~~"])}${pick(["[^a]", "[a0]", "\\w", "[k-z]"])}`
    return pick(["a", "b", "k", "σ", "0", "_", ".", "+", "ß", "\\-", "\\]", "\\[", "\\^", "\\p{Lu}"])
  }
  const characterClass = (depth = 0): string =>
    `[${below(4) === 0 ? "^" : ""}${repeat(1 + below(3), () => member(depth))}]`
  const atom = (depth: number): string => {
    const kind = below(20)
    if (kind < 8 || (kind > 16 && depth > 2)) return literal()
    if (kind < 14) return [".", "\\w", "\\d", "\\s", "\\b", characterClass()][kind - 8] ?? ""
    if (kind < 17) return pick(["^", "$", "\\W", "\\D", "\\S", "\\B", "\\pL", "\\PL", "\\p{Greek}", "\\P{Lu}"])
    return `${pick(["(", "(?:", "(?i:", "(?P<name>"]).replace("name", `n${below(1_000_000)}`)}${pattern(depth + 1)})`
  }
  const sequence = (depth: number): string =>
    repeat(1 + below(3), () => `${atom(depth)}${pick(["", "", "", "", "*", "+", "?", "{1,2}", "*?"])}`)
  const pattern = (depth = 0): string => (below(4) === 0 ? `${sequence(depth)}|${sequence(depth)}` : sequence(depth))

  return { below, pattern, line: () => repeat(below(14), () => pick(characters)) }
}
