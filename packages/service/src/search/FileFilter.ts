import type { Filter } from "@tongs/core/query/CodeQuery"
import * as Glob from "@tongs/core/text/Glob"
import * as PathText from "@tongs/core/text/PathText"
import { extensionsOf, languageOf } from "../git/values/Languages.ts"

/** Properties of a file without the content. */
export interface File {
  /** Name of the repository as `<owner>/<name>`. */
  readonly fullName: string
  readonly path: string
  /** Size of the file in bytes. */
  readonly size: number
}

const lower = (text: string) => text.toLowerCase()
const nameOf = (path: string) => PathText.nameOf(path)

/** Tests the lower-case name of a repository, once for consecutive files of the same repository. */
const ofRepository = (test: (fullName: string) => boolean): ((file: File) => boolean) => {
  let last: string | undefined
  let result = false
  return ({ fullName }) => {
    if (fullName !== last) {
      last = fullName
      result = test(lower(fullName))
    }
    return result
  }
}

/** Compiles a filter of a query to a test of files. Compares names and paths case-insensitively. */
export const make = (filter: Filter): ((file: File) => boolean) => {
  if (filter.name === "size") {
    const { max = Number.POSITIVE_INFINITY, min = 0 } = filter
    return ({ size }) => size >= min && size <= max
  }
  const value = lower(filter.value)
  switch (filter.name) {
    case "repo": {
      if (filter.match === undefined) return ofRepository((fullName) => fullName === value)
      // Expressions are resolved to names before the search, because matching an expression can take exponential time.
      const pattern = filter.match === "pattern" ? Glob.compile(value, Glob.search) : undefined
      return ofRepository((fullName) => pattern?.(fullName) === true)
    }
    case "author":
    case "committer":
    case "message":
    case "after":
    case "before":
      return () => true
    case "user":
    case "org":
      return ofRepository((fullName) => fullName.startsWith(`${value}/`))
    case "filename":
      return ({ path }) => lower(nameOf(path)).includes(value)
    case "extension":
      return ({ path }) => lower(nameOf(path)).endsWith(`.${value.replace(/^\./, "")}`)
    case "language": {
      // An unknown language can be an extension, as in `lang:ts`.
      const known = extensionsOf(value)
      const extensions = known.length === 0 ? [value] : known
      return ({ path }) =>
        lower(languageOf(path) ?? "") === value || extensions.some((one) => lower(nameOf(path)).endsWith(`.${one}`))
    }
    case "path": {
      if (filter.glob) {
        const glob = Glob.compile(filter.value, Glob.search)
        return ({ path }) => glob?.(path) === true
      }
      if (!value.startsWith("/")) return ({ path }) => lower(path).includes(value)
      const folder = value.replace(/^\/+|\/$/g, "")
      return folder === ""
        ? ({ path }) => !path.includes("/")
        : ({ path }) => lower(path).startsWith(`${folder}/`) || lower(path) === folder
    }
  }
}
