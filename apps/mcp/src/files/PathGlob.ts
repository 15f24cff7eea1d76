/**
 * Path patterns of agents: `*` and `?` match within a folder, `**` across folders, `{a,b}` one of several texts. Matching
 * takes no exponential time, unlike a regular expression, because an agent may pass any pattern.
 */
import * as Result from "effect/Result"

/** Maximum length of a pattern in characters. */
const MAX_LENGTH = 500

/** Maximum number of patterns that the braces of a pattern stand for. */
const MAX_ALTERNATIVES = 64

/**
 * Compiles a pattern. A pattern without a slash matches names in any folder, others match from the first folder. Fails
 * with a message if it is too long.
 */
export const compile = (pattern: string): Result.Result<(path: string) => boolean, string> => {
  if (pattern === "" || pattern.length > MAX_LENGTH)
    return Result.fail(`Invalid glob: write 1 to ${MAX_LENGTH} characters, for example src/**/*.{ts,tsx}.`)
  const alternatives = expandBraces(pattern)
  if (alternatives === undefined)
    return Result.fail(`Invalid glob: its braces stand for more than ${MAX_ALTERNATIVES} patterns. Use fewer.`)
  const patterns = alternatives.map((one) => segments(one).map(segment))
  return Result.succeed((path) => {
    const names = path.split("/").map((name) => [...name])
    return patterns.some((one) => matches(one, names, folder))
  })
}

/** The pattern of one name. */
interface Segment {
  readonly characters: ReadonlyArray<string>
  /** Minimum number of characters of a name that matches, to compare few names with a long pattern. */
  readonly minimum: number
  readonly isAnyFolders: boolean
}

const segment = (pattern: string): Segment => {
  const characters = [...pattern]
  return { characters, minimum: characters.filter((one) => one !== "*").length, isAnyFolders: pattern === "**" }
}

const segments = (pattern: string): ReadonlyArray<string> => {
  const path = pattern.endsWith("/") ? `${pattern}**` : pattern
  return path.includes("/") ? path.replace(/^\/+/, "").split("/") : ["**", path]
}

/** Returns the patterns without braces; undefined if there are too many. */
const expandBraces = (pattern: string): ReadonlyArray<string> | undefined => {
  let expanded: ReadonlyArray<string> = [pattern]
  while (expanded.some((one) => innermost.test(one))) {
    expanded = expanded.flatMap((one) => {
      const [braces, inner = ""] = innermost.exec(one) ?? []
      return braces === undefined ? [one] : inner.split(",").map((text) => one.replace(braces, () => text))
    })
    if (expanded.length > MAX_ALTERNATIVES) return undefined
  }
  return expanded
}

const innermost = /\{([^{}]*)\}/

interface Comparison<P, T> {
  /** True for a part of the pattern that matches any number of parts. */
  readonly isStar: (part: P) => boolean
  readonly isMatch: (part: P, text: T) => boolean
}

const character: Comparison<string, string> = {
  isStar: (part) => part === "*",
  isMatch: (part, text) => part === "?" || part === text
}

const folder: Comparison<Segment, ReadonlyArray<string>> = {
  isStar: ({ isAnyFolders }) => isAnyFolders,
  isMatch: ({ characters, minimum }, name) => minimum <= name.length && matches(characters, name, character)
}

/** Compares from left to right. A mismatch only extends the last star, so this takes at most `n * m` steps. */
const matches = <P, T>(
  pattern: ReadonlyArray<P>,
  text: ReadonlyArray<T>,
  { isMatch, isStar }: Comparison<P, T>
): boolean => {
  let at = 0
  let star: { readonly pattern: number; readonly text: number } | undefined
  for (let index = 0; index < text.length;) {
    const part = pattern[at]
    const one = text[index]
    if (part !== undefined && isStar(part)) {
      star = { pattern: ++at, text: index }
    } else if (part !== undefined && one !== undefined && isMatch(part, one)) {
      at++
      index++
    } else if (star !== undefined) {
      at = star.pattern
      index = star.text + 1
      star = { pattern: at, text: index }
    } else return false
  }
  return pattern.slice(at).every(isStar)
}
