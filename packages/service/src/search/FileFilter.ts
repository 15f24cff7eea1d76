/** Whether a file has the properties that a query asks for: all that its path, size and repository tell. */
import type { Filter } from "@tongs/core/query/CodeQuery"
import { extensionsOf, languageOf } from "../git/Languages.ts"
import * as Glob from "./text/Glob.ts"

export interface File {
  /** Of the repository. */
  readonly fullName: string
  readonly path: string
  readonly size: number
}

const lower = (text: string) => text.toLowerCase()
const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1)

/** Made once for a query, asked for many files. */
export const make = (filter: Filter): ((file: File) => boolean) => {
  if (filter.name === "size") {
    const { max = Number.POSITIVE_INFINITY, min = 0 } = filter
    return ({ size }) => size >= min && size <= max
  }
  const value = lower(filter.value)
  switch (filter.name) {
    case "repo":
      return ({ fullName }) => lower(fullName) === value
    case "user":
    case "org":
      return ({ fullName }) => lower(fullName).startsWith(`${value}/`)
    case "filename":
      return ({ path }) => lower(nameOf(path)).includes(value)
    case "extension":
      return ({ path }) => lower(nameOf(path)).endsWith(`.${value.replace(/^\./, "")}`)
    case "language": {
      const extensions = extensionsOf(value)
      return ({ path }) =>
        lower(languageOf(path) ?? "") === value || extensions.some((one) => lower(nameOf(path)).endsWith(`.${one}`))
    }
    case "path": {
      if (filter.glob) {
        const glob = Glob.toRegExp(filter.value)
        return ({ path }) => glob.test(path)
      }
      const folder = value.replace(/^\/|\/$/g, "")
      return folder === ""
        ? ({ path }) => !path.includes("/")
        : ({ path }) => lower(path).startsWith(`${folder}/`) || lower(path) === folder
    }
  }
}
