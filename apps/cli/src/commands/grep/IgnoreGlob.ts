/** Globs of `.gitignore` files and of `--glob`, as ripgrep reads them. */

import * as GlobSteps from "./GlobSteps.ts"

/** Result of matching a path: excluded, included by a pattern with `!`, or neither. */
export type Match = "ignore" | "include" | undefined

/** An ordered list of globs. The last one that matches decides. */
export interface Globs {
  readonly match: (path: string, isFolder: boolean) => Match
  /** Number of globs without `!`. */
  readonly positive: number
}

interface Glob {
  readonly matches: (path: string) => boolean
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
      const found = reversed.find(({ matches, onlyFolders }) => (isFolder || !onlyFolders) && matches(path))
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
  return { matches: matcher(isAnchored ? glob : `**/${glob}`, ignoreCase), isNegated, onlyFolders }
}

/** Up to these, a regular expression takes at most half a million steps. */
const MAX_FAST_STARS = 3
const MAX_FAST_LENGTH = 128

const matcher = (glob: string, ignoreCase: boolean): ((path: string) => boolean) => {
  const isFast = (glob.match(/\*+/g) ?? []).length <= MAX_FAST_STARS
  const pattern = isFast ? regex(toSource(glob), ignoreCase) : undefined
  let steps: ReadonlyArray<GlobSteps.Step> | undefined
  return (path) => {
    if (pattern !== undefined && path.length <= MAX_FAST_LENGTH) return pattern.test(path)
    return GlobSteps.match((steps ??= toSteps(glob, ignoreCase)), path)
  }
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

/** Converts a glob to steps, which match the same paths as its regular expression. */
const toSteps = (glob: string, ignoreCase: boolean): ReadonlyArray<GlobSteps.Step> => {
  const one = (source: string): GlobSteps.Step => {
    const pattern = regex(source, ignoreCase)
    return { _tag: "Character", test: (character) => pattern.test(character) }
  }
  const characters = (text: string) => [...text].map((character) => one(RegExp.escape(character)))
  const folders: GlobSteps.Step = { _tag: "Folders" }
  const name: GlobSteps.Step = { _tag: "Name" }
  const path: GlobSteps.Step = { _tag: "Path" }
  /** The open choices, the innermost last. The last sequence of the last choice gets the next step. */
  const open: Array<Array<Array<GlobSteps.Step>>> = [[[]]]
  const add = (...steps: ReadonlyArray<GlobSteps.Step>) =>
    open
      .at(-1)
      ?.at(-1)
      ?.push(...steps)
  const close = () => {
    const choices = open.pop()
    if (choices !== undefined) add({ _tag: "Choice", choices })
  }
  for (const match of glob.matchAll(TOKEN)) {
    const [token] = match
    const isStart = match.index === 0 || glob[match.index - 1] === "/"
    const isEnd = match.index + token.length === glob.length
    if (token === "**/") add(...(isStart ? [folders] : [name, ...characters("/")]))
    else if (token === "/**/") add(...characters("/"), folders)
    else if (token === "/**") add(...characters("/"), isEnd ? path : name)
    else if (token === "**") add(isStart && isEnd ? path : name)
    else if (token === "*") add(name)
    else if (token === "?") add(one("[^/]"))
    else if (token === "{") open.push([[]])
    else if (token === "}" && open.length > 1) close()
    else if (token === "," && open.length > 1) open.at(-1)?.push([])
    else if (token.startsWith("[") && token.length > 1) add(one(toSource(token)))
    else add(...characters(token.length > 1 && token.startsWith("\\") ? token.slice(1) : token))
  }
  // Like an invalid expression, a glob with an open brace matches nothing.
  if (open.length > 1) return [{ _tag: "Choice", choices: [] }]
  return open[0]?.[0] ?? []
}

const TOKEN = /\/\*\*\/|\/\*\*|\*\*\/|\*\*|\*|\?|\{|\}|,|\[[!^]?\]?[^\]/]*\]|\\.|[^*?{},\\[/]+|[\\[/]/gsu
