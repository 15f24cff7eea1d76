/** The value of `repo:` in the code query language: a name, a pattern, or a regular expression, with revisions after `@`. */
import type { Filter } from "./CodeQuery.ts"
import * as PathPattern from "./PathPattern.ts"
import * as Qualifier from "./Qualifier.ts"
import { type QueryProblem, write } from "./QueryProblem.ts"
import * as RegexSource from "./RegexSource.ts"
import * as Revision from "./Revision.ts"

type RepositoryFilter = Extract<Filter, { readonly name: "repo" }>

/** A parsed value of `repo:`. */
export interface RepositoryName {
  readonly filter: RepositoryFilter
  /** Revisions after `@`, as in `repo:octo/hello@v1.0`. */
  readonly revisions: ReadonlyArray<string>
}

/** Parses a value. A name without an owner means every repository of that name. */
export const parse = (token: {
  readonly value: string
  readonly quoted: boolean
  readonly regex: boolean
}): RepositoryName | QueryProblem => {
  if (token.regex) return expression(token.value, [])
  if (token.quoted) return named(token.value, [])
  const [, name = token.value, revision] = /^([^@]*)@([^@]*)$/.exec(token.value) ?? []
  const revisions = revision === undefined ? [] : revision.split(":").map(Revision.parse)
  const problem = revisions.find((one) => typeof one !== "string")
  if (problem !== undefined) return problem
  const valid = revisions.filter((one) => typeof one === "string")
  if (name.includes("@")) return write("A repository name has no @.", `repo:${name.slice(0, name.indexOf("@"))}`)
  if (/[\\^$+()[\]|]|\.\*/.test(name)) return expression(name, valid)
  if (PathPattern.isPattern(name)) return pattern(name, valid)
  return named(name, valid)
}

/** Prints a filter as a qualifier. Parsing the text gives the same filter. */
export const print = (filter: RepositoryFilter): string => {
  switch (filter.match) {
    case "regex":
      return `repo:/${filter.value}/`
    case "pattern": {
      const name = filter.value.replace(/^\*\//, "")
      return `repo:${name.includes("/") || name.startsWith("**") ? filter.value : name}`
    }
    default:
      return `repo:${Qualifier.printValue(filter.value)}`
  }
}

const host = /^(?:https?:\/\/)?(?:github\\?\.com|gitlab\\?\.com|bitbucket\\?\.org|codeberg\\?\.org)\\?\//

const named = (written: string, revisions: ReadonlyArray<string>): RepositoryName | QueryProblem => {
  const value = written.replace(host, "")
  if (/^[^\s/]+\/[^\s/]+$/.test(value)) return { filter: { name: "repo", value }, revisions }
  if (/^[\w.-]+$/.test(value)) return { filter: { name: "repo", value: `*/${value}`, match: "pattern" }, revisions }
  const [owner] = /^[\w.-]+(?=\/$)/.exec(value) ?? []
  return write("", owner === undefined ? "repo:owner/name" : `user:${owner}`)
}

const pattern = (written: string, revisions: ReadonlyArray<string>): RepositoryName | QueryProblem => {
  if (!PathPattern.isBalanced(written)) return write("Close the brace.", "repo:octo/{hello,world}")
  const value = written.includes("/") || written.startsWith("**") ? written : `*/${written}`
  return { filter: { name: "repo", value, match: "pattern" }, revisions }
}

/** Reads an expression. A simple one, such as Sourcegraph's `^github\.com/octo/hello$`, becomes a name or pattern. */
const expression = (written: string, revisions: ReadonlyArray<string>): RepositoryName | QueryProblem => {
  const bare = written.replace(/^\^/, "")
  const body = bare.replace(host, "")
  const isStart = bare !== written || body !== bare
  const isEnd = /(?<!\\)\$$/.test(body)
  const text = (isEnd ? body.slice(0, -1) : body).replace(/\\([./_-])/g, "$1")
  const hasEscape = text.includes("\\")
  const glob = text.replace(/\.\*/g, "**")
  if (!hasEscape && text !== "" && /^[\w./-]+$/.test(glob.replaceAll("**", ""))) {
    if (isStart && isEnd && /^[^/*]+\/[^/*]+$/.test(glob)) return named(glob, revisions)
    const open = glob.includes("/") ? "*" : "**"
    const whole = `${isStart ? "" : open}${glob}${isEnd ? "" : open}`
    // A name has one slash, so these patterns match the same names.
    const value = whole
      .replace(/^\*{2,}(?=\/)/, "*")
      .replace(/\*{3,}/g, "**")
      .replace(/(?<=\/)\*{2,}$/, "*")
    return { filter: { name: "repo", value, match: "pattern" }, revisions }
  }
  const source = RegexSource.fromRe2(`${isStart ? "^" : ""}${body}`)
  if (source === undefined) {
    const [word = "name"] = (body.match(/[\w-]+/g) ?? []).toSorted((a, b) => b.length - a.length)
    return write(RegexSource.syntaxError(body) ?? "", `repo:*${word}*`)
  }
  return { filter: { name: "repo", value: new RegExp(source, "u").source, match: "regex" }, revisions }
}
