/** Patterns in `path:`: `*` and `?` match within a folder, `**` across folders, `{a,b}` one of several texts. */
import * as PathText from "../text/PathText.ts"

/** Returns whether a path contains pattern characters. */
export const isPattern = (path: string): boolean => /[*?{]/.test(path)

/** Maximum number of texts in the braces of a pattern. */
export const MAX_CHOICES = 64

/**
 * Returns whether the braces of a pattern have at most `MAX_CHOICES` texts, because each text takes time for each path.
 */
export const isBounded = (path: string): boolean =>
  (path.match(/\{[^{}]*\}/g) ?? []).reduce((sum, braces) => sum + braces.split(",").length, 0) <= MAX_CHOICES

/** Returns whether every brace is closed. */
export const isBalanced = (path: string): boolean => /^(?:[^{}]|\{[^{}]*\})*$/.test(path)

/**
 * Converts the written pattern to one for the whole path. Without a leading slash, the written pattern matches from any
 * folder.
 */
export const parse = (written: string): string => {
  const path = written.endsWith("/") ? `${written}**` : written
  if (path.startsWith("/")) return path.replace(/^\/+/, "")
  return path.startsWith("**/") ? path : `**/${path}`
}

/** Returns the shortest text from which `parse` returns the pattern. */
export const print = (pattern: string): string => {
  const short = pattern.replace(/^\*\*\//, "")
  if (isPattern(short) && parse(short) === pattern) return short
  return pattern.startsWith("**/") ? pattern : `/${pattern}`
}

/** Returns the closest qualifiers without patterns, for example `path:src extension:ts` for `src/*.ts`. */
export const toQualifiers = (pattern: string): string => {
  const folder = /^[^*?{]+(?=\/)/.exec(pattern)?.[0]
  const name = PathText.nameOf(pattern)
  const extension = /^\*\.(?:\{([\w,]+)\}|(\w+))$/.exec(name)
  const extensions = (extension?.[1] ?? extension?.[2] ?? "").split(",").filter((one) => one !== "")
  const [part] = name.split(/[*?{},]+/).sort((a, b) => b.length - a.length)
  const all = [
    ...(folder === undefined ? [] : [`path:${folder}`]),
    ...extensions.map((one) => `extension:${one}`),
    ...(extensions.length > 0 || part === undefined || part === "" ? [] : [`filename:${part}`])
  ]
  return all.length === 0 ? "path:folder or extension:ts" : all.join(" ")
}
