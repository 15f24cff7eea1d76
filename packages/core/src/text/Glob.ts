/** Globs for paths. Matching takes time in proportion to the product of the lengths, also for a hostile glob. */
import { escape } from "effect/RegExp"

/** `*` and `?` match within a folder in all dialects. */
export interface Dialect {
  /** Which `**` match slashes: all, only those that are a whole segment, or only those before further segments. */
  readonly crossing: "all" | "segments" | "folders"
  /** `{a,b}` matches one of several globs. */
  readonly hasBraces: boolean
  /** `[a-z]` and `[!a-z]` match a character, and `\` escapes a character. */
  readonly hasClasses: boolean
  readonly ignoresCase: boolean
}

/** Globs of ripgrep's `--glob`, and of ignore files, without prefixes and suffixes. */
export const ripgrep: Dialect = { crossing: "segments", hasBraces: true, hasClasses: true, ignoresCase: false }

/** Globs of code search, on paths, names of repositories and revisions. */
export const search: Dialect = { crossing: "all", hasBraces: true, hasClasses: false, ignoresCase: true }

/** Globs in which brackets are literal, because file names can contain them (`[id].ts`). */
export const brackets: Dialect = { crossing: "segments", hasBraces: true, hasClasses: false, ignoresCase: false }

/** Globs of Ruby's `File.fnmatch` with `FNM_PATHNAME`, which GitHub uses for rulesets. */
export const fnmatch: Dialect = { crossing: "folders", hasBraces: false, hasClasses: true, ignoresCase: false }

/** Globs of ignore files and of code owners, without prefixes and suffixes. Braces are literal. */
export const ignore: Dialect = { crossing: "segments", hasBraces: false, hasClasses: true, ignoresCase: false }

/** Maximum nesting depth of braces. */
const MAX_DEPTH = 20

/** Maximum length of a glob in UTF-16 code units, the usual maximum of a path. */
const MAX_LENGTH = 4096

/**
 * Compiles a glob to a test of whole paths. Returns undefined for an invalid glob: an unclosed brace or class, a
 * reversed range, a `\` at the end, braces that are nested too deeply, more than 4096 characters.
 */
export const compile = (glob: string, dialect: Dialect): ((path: string) => boolean) | undefined => {
  const steps = parse(glob, dialect)
  const regex = steps === undefined ? undefined : toRegex(toSource(steps), dialect)
  if (steps === undefined || regex === undefined) return undefined
  const minLength = minLengthOf(steps)
  const maxFastLength = waysOf(steps) <= MAX_WAYS ? FAST_LENGTH : 0
  return (path) =>
    path.length >= minLength &&
    (path.length <= maxFastLength
      ? regex.test(path)
      : isMatch(steps, dialect.ignoresCase ? Array.from(path, fold) : [...path]))
}

/** Compiles globs to a test whether any glob matches. An invalid glob matches only the identical path. */
export const compileAny = (globs: ReadonlyArray<string>, dialect: Dialect): ((path: string) => boolean) => {
  const all = globs.map((glob) => compile(glob, dialect) ?? ((path: string) => path === glob))
  return (path) => all.some((matches) => matches(path))
}

/** Compiles globs of which the last that matches decides. A glob after `!` excludes paths. */
export const compileOrdered = (globs: ReadonlyArray<string>, dialect: Dialect): ((path: string) => boolean) => {
  const all = globs.map((glob) => {
    const isExcluded = glob.startsWith("!")
    return { isExcluded, matches: compileAny([isExcluded ? glob.slice(1) : glob], dialect) }
  })
  return (path) => all.findLast(({ matches }) => matches(path))?.isExcluded === false
}

/** Returns the glob as a regular expression, for an engine that takes linear time. Undefined for an invalid glob. */
export const source = (glob: string, dialect: Dialect): string | undefined => {
  const steps = parse(glob, dialect)
  return steps === undefined ? undefined : `^${toSource(steps)}$`
}

type Step =
  /** One character. `test` gets the folded character if the dialect ignores case. */
  | { readonly _tag: "Character"; readonly source: string; readonly test: (character: string) => boolean }
  /** Any characters without a slash. */
  | { readonly _tag: "Name" }
  /** Any characters. */
  | { readonly _tag: "Path" }
  /** Any number of folders, each with a slash. */
  | { readonly _tag: "Folders" }
  | { readonly _tag: "Choice"; readonly choices: ReadonlyArray<Steps> }

type Steps = ReadonlyArray<Step>

const plainToken = /\*+\/?|[^]/gu
const token = /\*+\/?|\[(?:[!^][^]|[^!^])[^\]]*\]|\\?[^]/gu

const parse = (glob: string, dialect: Dialect): Steps | undefined => {
  const { crossing, hasBraces, hasClasses } = dialect
  if (glob.length > MAX_LENGTH) return undefined
  /** The open choices, the innermost last. The last sequence of the last choice gets the next step. */
  const open: Array<Array<Array<Step>>> = [[[]]]
  const add = (...steps: Steps) =>
    open
      .at(-1)
      ?.at(-1)
      ?.push(...steps)
  const addLiteral = (character: string) => {
    const folded = dialect.ignoresCase ? fold(character) : character
    add({ _tag: "Character", source: escape(character), test: (other) => other === folded })
  }
  for (const match of glob.matchAll(hasClasses ? token : plainToken)) {
    const [token] = match
    const isInBraces = open.length > 1
    if (token.startsWith("*")) {
      const isFolder = token.endsWith("/")
      const end = match.index + token.length
      const isStart = open.at(-1)?.at(-1)?.length === 0 || glob[match.index - 1] === "/"
      const isEnd = end === glob.length || (isInBraces && /[,}]/.test(glob[end] ?? ""))
      const isCrossing = { all: true, segments: isStart && (isFolder || isEnd), folders: isStart && isFolder }[crossing]
      if (token.startsWith("**") && isCrossing) add({ _tag: isFolder ? "Folders" : "Path" })
      else {
        add({ _tag: "Name" })
        if (isFolder) addLiteral("/")
      }
    } else if (token === "?") add({ _tag: "Character", source: "[^/]", test: (character) => character !== "/" })
    else if (hasBraces && token === "{") {
      if (open.length > MAX_DEPTH) return undefined
      open.push([[]])
    } else if (isInBraces && token === ",") open.at(-1)?.push([])
    else if (isInBraces && token === "}") add({ _tag: "Choice", choices: open.pop() ?? [] })
    else if (!hasClasses) addLiteral(token)
    else if (token === "[" || token === "\\") return undefined
    else if (!token.startsWith("[")) addLiteral(token.replace("\\", ""))
    else {
      const source = classSource(token)
      const regex = toRegex(source, dialect)
      add({ _tag: "Character", source, test: (character) => regex?.test(character) === true })
    }
  }
  return open.length === 1 ? open[0]?.[0] : undefined
}

const classSource = (token: string): string =>
  `(?!/)[${token
    .slice(1, -1)
    .replace(/^!/, "^")
    .replace(/[\\[\]]/g, "\\$&")}]`

const toSource = (steps: Steps): string =>
  steps
    .map((step) => {
      switch (step._tag) {
        case "Character":
          return step.source
        case "Name":
          return "[^/]*"
        case "Path":
          return ".*"
        case "Folders":
          return "(?:.*/)?"
        case "Choice":
          return `(?:${step.choices.map(toSource).join("|")})`
      }
    })
    .join("")

const toRegex = (source: string, { ignoresCase }: Dialect): RegExp | undefined => {
  try {
    return new RegExp(`^${source}$`, ignoresCase ? "isu" : "su")
  } catch {
    return undefined
  }
}

const minLengthOf = (steps: Steps): number =>
  steps.reduce((sum, step) => {
    if (step._tag === "Choice") return sum + Math.min(...step.choices.map(minLengthOf))
    return step._tag === "Character" ? sum + 1 : sum
  }, 0)

/** Longest path for a regular expression, which backtracks through all ways to match a path. */
const FAST_LENGTH = 128

/** Number of ways to match two stars and four choices. */
const MAX_WAYS = 4 * FAST_LENGTH ** 2

/** Returns the maximum number of ways in which a path of `FAST_LENGTH` can match. */
const waysOf = (steps: Steps): number =>
  steps.reduce((product, step) => {
    if (step._tag === "Choice") return product * step.choices.reduce((sum, choice) => sum + waysOf(choice), 0)
    return step._tag === "Character" ? product : product * FAST_LENGTH
  }, 1)

/** Folds the case of a character as a regular expression does. */
const fold = (character: string): string => character.toLowerCase().toUpperCase()

/** Returns whether steps match a whole path. */
const isMatch = (steps: Steps, path: ReadonlyArray<string>): boolean => {
  const reached = Array.from({ length: path.length + 1 }, (_, at) => at === 0)
  advance(steps, path, reached)
  return reached[path.length] === true
}

/** Replaces the reached positions in the path by the positions that the steps reach from there. */
const advance = (steps: Steps, path: ReadonlyArray<string>, reached: Array<boolean>): void => {
  for (const step of steps) {
    const first = reached.indexOf(true)
    if (first === -1) return
    switch (step._tag) {
      case "Character":
        for (let at = path.length; at > first; at--)
          reached[at] = reached[at - 1] === true && step.test(path[at - 1] ?? "")
        reached[first] = false
        break
      case "Name":
        for (let at = first; at < path.length; at++)
          if (reached[at] === true && path[at] !== "/") reached[at + 1] = true
        break
      case "Path":
        reached.fill(true, first)
        break
      case "Folders":
        for (let at = first; at < path.length; at++) if (path[at] === "/") reached[at + 1] = true
        break
      case "Choice": {
        const start = reached.slice()
        reached.fill(false)
        for (const choice of step.choices) {
          const end = start.slice()
          advance(choice, path, end)
          for (let at = first; at <= path.length; at++) if (end[at] === true) reached[at] = true
        }
        break
      }
    }
  }
}
