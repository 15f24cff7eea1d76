/** Example queries from the contents of the repositories, so that each query has results. */
import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import { quote } from "@tongs/core/query/Qualifier"
import type * as ExplorerApi from "../../ExplorerApi.ts"

/** A query and its meaning. */
export interface ExampleQuery {
  readonly q: string
  readonly meaning: string
}

/** A file of a repository, with the symbols in it. */
export interface SampleFile extends ExplorerApi.RepositoryName {
  readonly path: string
  readonly language: string | null
  readonly symbols: ReadonlyArray<CodeSymbol>
}

/** Languages whose symbols are names of code, and not headings or keys. */
const code: ReadonlySet<string> = new Set([
  "TypeScript",
  "JavaScript",
  "Python",
  "Go",
  "Rust",
  "C",
  "C++",
  "C#",
  "Java",
  "Kotlin",
  "Swift",
  "Ruby",
  "PHP",
  "Scala"
])

/** Returns the first of some languages that has definitions of names, otherwise undefined. */
export const codeLanguage = (languages: ReadonlyArray<{ readonly name: string }>): string | undefined =>
  languages.find(({ name }) => code.has(name))?.name

/** Returns queries that find the symbols of a file, and the commit with a summary. Both can be absent. */
export const fromSample = (file: SampleFile | undefined, summary: string | undefined): ReadonlyArray<ExampleQuery> => {
  const names = file === undefined ? [] : namesOf(file.symbols)
  const [name, other = name] = names
  const compound = names.find((one) => prefixOf(one) !== undefined)
  const folder = file?.path.split("/").slice(0, -1).join("/") ?? ""
  const word = summary?.match(/\p{L}{4,}/gu)?.sort((a, b) => b.length - a.length)[0]
  const examples: Array<ExampleQuery> = []
  const add = (q: string, meaning: string) => examples.push({ q, meaning })
  if (name !== undefined) add(`symbol:${name}`, "definitions of a name")
  if (compound !== undefined) add(`/\\b${prefixOf(compound)}\\w+/`, "a regular expression")
  if (other !== undefined && folder !== "") add(`${other} path:${value(folder)}`, "a word, in a folder")
  if (other !== undefined && file?.language)
    add(`${other} language:${value(file.language.toLowerCase())}`, "in one language")
  if (word !== undefined) add(`type:commit ${word.toLowerCase()}`, "commits by their message")
  if (name !== undefined && file !== undefined) add(`${name} repo:${file.owner}/${file.repo}`, "in one repository")
  return examples
}

/** Returns queries in the language of the contract, with names of a repository. */
export const fromRepository = (repository: ExplorerApi.Repository | undefined): ReadonlyArray<ExampleQuery> => [
  { q: "readme in:path", meaning: "in file names" },
  { q: '"not found"', meaning: "an exact phrase" },
  ...(repository?.language
    ? [{ q: `main language:${value(repository.language.toLowerCase())}`, meaning: "a word, in one language" }]
    : []),
  ...(repository === undefined
    ? []
    : [{ q: `license repo:${repository.owner}/${repository.repo}`, meaning: "in one repository" }])
]

const value = (text: string): string => (/^[\w./+#-]+$/.test(text) ? text : quote(text))

/** The kinds that make good examples, the best first. */
const kinds: ReadonlyArray<string> = ["class", "function", "struct", "interface", "type", "enum", "method", "constant"]

const namesOf = (symbols: ReadonlyArray<CodeSymbol>): ReadonlyArray<string> => {
  const worth = (kind: string) => (kinds.includes(kind) ? kinds.indexOf(kind) : kinds.length)
  const named = symbols.filter(({ name }) => /^[A-Za-z_]\w{2,23}$/.test(name))
  return [...new Set(named.toSorted((a, b) => worth(a.kind) - worth(b.kind)).map(({ name }) => name))]
}

/** The first word of a name of several words, with the separator: `get` of `getUser`, `is_` of `is_high`. */
const prefixOf = (name: string): string | undefined =>
  /^[A-Z]?[a-z]{2,}(?=[A-Z])/.exec(name)?.[0] ?? /^[a-zA-Z]{2,}_(?=\w)/.exec(name)?.[0]
