/** Globs of `.gitignore` files and of `--glob`, with the rules of ripgrep. */
import * as Glob from "@tongs/core/text/Glob"

/** Result of matching a path: excluded, included by a pattern with `!`, or neither. */
export type Match = "ignore" | "include" | undefined

/** An ordered list of globs. The last matching glob decides. */
export interface Globs {
  readonly match: (path: string, isFolder: boolean) => Match
  /** Number of globs without `!`. */
  readonly positive: number
}

interface IgnoreRule {
  readonly matches: (path: string) => boolean
  readonly isNegated: boolean
  readonly onlyFolders: boolean
}

/** Compiles lines of a `.gitignore` file. Paths are relative to the folder of the file. */
export const ofFile = (text: string): Globs =>
  make(
    text.split(/\r?\n/).flatMap((line) => {
      const glob = line.startsWith("#") ? undefined : compile(line.replace(/(?<!\\)\s+$/, ""), false)
      return glob === undefined ? [] : [glob]
    })
  )

export const of = (globs: ReadonlyArray<{ readonly glob: string; readonly ignoreCase: boolean }>): Globs =>
  make(
    globs.flatMap(({ glob, ignoreCase }) => {
      const compiled = compile(glob, ignoreCase)
      return compiled === undefined ? [] : [compiled]
    })
  )

const make = (globs: ReadonlyArray<IgnoreRule>): Globs => {
  const reversed = globs.toReversed()
  return {
    positive: globs.filter(({ isNegated }) => !isNegated).length,
    match: (path, isFolder) => {
      const found = reversed.find(({ matches, onlyFolders }) => (isFolder || !onlyFolders) && matches(path))
      return found === undefined ? undefined : found.isNegated ? "include" : "ignore"
    }
  }
}

const compile = (written: string, ignoresCase: boolean): IgnoreRule | undefined => {
  const isNegated = written.startsWith("!")
  const pattern = isNegated ? written.slice(1) : written
  const onlyFolders = pattern.endsWith("/")
  const glob = onlyFolders ? pattern.slice(0, -1) : pattern
  if (glob === "") return undefined
  const fromRoot = glob.includes("/") ? glob.replace(/^\//, "") : `**/${glob}`
  const matches = Glob.compile(fromRoot, { ...Glob.ripgrep, ignoresCase })
  return matches === undefined ? undefined : { matches, isNegated, onlyFolders }
}
