/** Finds regular expressions that cannot match, because each match of a search is within one line. */
import type * as Prefilter from "./Prefilter.ts"
import * as RegexPrefilter from "./RegexPrefilter.ts"

/** Returns whether every match of a valid regular expression contains a line feed. */
export const needsLineFeed = (source: string): boolean => containsLineFeed(RegexPrefilter.make(source))

/**
 * Returns expressions for the single lines of an expression that contains `\n`. Undefined if the lines cannot be
 * separated.
 */
export const split = (source: string): ReadonlyArray<string> | undefined => {
  const tokens: ReadonlyArray<string> = source.match(/\\.|[^\\]/gsu) ?? []
  const withoutLineFeeds = tokens.filter((token) => token !== "\\n").join("")
  // An alternative can have several lines, which are not conditions of the whole expression.
  const sources = tokens.includes("|") ? [withoutLineFeeds] : linesOf(tokens)
  return [sources, [withoutLineFeeds]].find((all) => all.length > 0 && all.every(canMatch))
}

const linesOf = (tokens: ReadonlyArray<string>): ReadonlyArray<string> => {
  const lines = tokens.reduce<ReadonlyArray<string>>(
    (before, token) => (token === "\\n" ? [...before, ""] : [...before.slice(0, -1), `${before.at(-1) ?? ""}${token}`]),
    [""]
  )
  return lines.flatMap((line, index) => {
    if (/^\^?\$?$/.test(line)) return []
    const start = index === 0 || line.startsWith("^") ? "" : "^"
    const end = index === lines.length - 1 || line.endsWith("$") ? "" : "$"
    return [`${start}${line}${end}`]
  })
}

const canMatch = (source: string): boolean => {
  try {
    return new RegExp(source, "u").source !== "(?:)" && !needsLineFeed(source)
  } catch {
    return false
  }
}

const containsLineFeed = (self: Prefilter.Prefilter): boolean => {
  switch (self._tag) {
    case "Part":
      return self.text.includes("\n")
    case "All":
      return self.all.some(containsLineFeed)
    case "Any":
      return self.any.every(containsLineFeed)
    default:
      return false
  }
}
