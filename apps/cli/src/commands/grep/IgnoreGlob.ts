/** Globs of `.gitignore` files and of `--glob`, as ripgrep reads them. */

/** Result of matching a path: excluded, included by a pattern with `!`, or neither. */
export type Match = "ignore" | "include" | undefined

/** An ordered list of globs. The last one that matches decides. */
export interface Globs {
  readonly match: (path: string, isFolder: boolean) => Match
  /** Number of globs without `!`. */
  readonly positive: number
}

interface Glob {
  readonly pattern: RegExp
  readonly isNegated: boolean
  readonly onlyFolders: boolean
}

/** Compiles lines of a `.gitignore` file. Paths are relative to its folder. */
export const ofFile = (text: string): Globs =>
  make(
    text.split(/\r?\n/).flatMap((line) => {
      const glob = line.startsWith("#") ? undefined : compile(line.replace(/(?<!\\)\s+$/, ""), false)
      return glob === undefined ? [] : [glob]
    })
  )

/** Compiles globs. */
export const of = (globs: ReadonlyArray<{ readonly glob: string; readonly ignoreCase: boolean }>): Globs =>
  make(
    globs.flatMap(({ glob, ignoreCase }) => {
      const compiled = compile(glob, ignoreCase)
      return compiled === undefined ? [] : [compiled]
    })
  )

const make = (globs: ReadonlyArray<Glob>): Globs => {
  const reversed = globs.toReversed()
  return {
    positive: globs.filter(({ isNegated }) => !isNegated).length,
    match: (path, isFolder) => {
      const found = reversed.find(({ onlyFolders, pattern }) => (isFolder || !onlyFolders) && pattern.test(path))
      return found === undefined ? undefined : found.isNegated ? "include" : "ignore"
    }
  }
}

const compile = (written: string, ignoreCase: boolean): Glob | undefined => {
  const isNegated = written.startsWith("!")
  let glob = isNegated ? written.slice(1) : written
  const onlyFolders = glob.endsWith("/")
  if (onlyFolders) glob = glob.replace(/\/+$/, "")
  if (glob === "") return undefined
  const isAnchored = glob.includes("/")
  if (glob.startsWith("/")) glob = glob.slice(1)
  const source = `${isAnchored ? "" : "(?:.*/)?"}${toSource(glob)}`
  return { pattern: regex(source, ignoreCase), isNegated, onlyFolders }
}

const regex = (source: string, ignoreCase: boolean): RegExp => {
  try {
    return new RegExp(`^${source}$`, ignoreCase ? "iu" : "u")
  } catch {
    // An invalid class matches nothing.
    return /(?!)/
  }
}

/** Converts a glob to the source of a regular expression for paths. */
export const toSource = (glob: string): string => {
  let braces = 0
  return glob.replace(TOKEN, (token, offset: number) => {
    const isStart = offset === 0 || glob[offset - 1] === "/"
    switch (token) {
      case "**/":
        return isStart ? "(?:.*/)?" : "[^/]*/"
      case "/**":
        return offset + 3 === glob.length ? "/.*" : "/[^/]*"
      case "/**/":
        return "/(?:.*/)?"
      case "**":
        return isStart && offset + 2 === glob.length ? ".*" : "[^/]*"
      case "*":
        return "[^/]*"
      case "?":
        return "[^/]"
      case "{":
        braces++
        return "(?:"
      case "}":
        return braces-- > 0 ? ")" : "\\}"
      case ",":
        return braces > 0 ? "|" : ","
      default:
        if (token.startsWith("[") && token.length > 1) {
          return `(?!/)[${token
            .slice(1, -1)
            .replace(/^!/, "^")
            .replace(/\\?([\\[\]&])/g, "\\$1")}]`
        }
        return RegExp.escape(token.length > 1 && token.startsWith("\\") ? token.slice(1) : token)
    }
  })
}

const TOKEN = /\/\*\*\/|\/\*\*|\*\*\/|\*\*|\*|\?|\{|\}|,|\[[!^]?\]?[^\]/]*\]|\\.|[^*?{},\\[/]+|[\\[/]/gsu
