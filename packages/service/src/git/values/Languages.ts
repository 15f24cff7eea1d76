import * as PathText from "@tongs/core/text/PathText"
import type { ListingBuilder } from "./TreeListing.ts"

/** Files of one language in a tree. */
export interface Language {
  readonly name: string
  readonly bytes: number
  readonly files: number
}

/**
 * Totals of the files of a tree. `languages` omits files of unknown languages. Programming languages are first, then
 * data and prose, each sorted by bytes, largest first: a repository with a large lockfile is not written in JSON.
 */
export interface LanguageStatistics {
  readonly files: number
  readonly bytes: number
  readonly languages: ReadonlyArray<Language>
}

const extensionsByLanguage: Readonly<Record<string, string>> = {
  C: "c h",
  "C#": "cs",
  "C++": "cc cpp cxx hh hpp hxx",
  Clojure: "clj cljs cljc edn",
  CSS: "css",
  Dart: "dart",
  Elixir: "ex exs",
  Elm: "elm",
  Erlang: "erl hrl",
  "F#": "fs fsi fsx",
  Fortran: "f f90 f95 for",
  Go: "go",
  Groovy: "groovy gradle",
  Haskell: "hs lhs",
  HCL: "tf hcl",
  HTML: "html htm xhtml",
  Java: "java",
  JavaScript: "js cjs mjs jsx",
  JSON: "json jsonc json5",
  Julia: "jl",
  Kotlin: "kt kts",
  Lua: "lua",
  Makefile: "mk",
  Markdown: "md mdx markdown",
  Nix: "nix",
  OCaml: "ml mli",
  Perl: "pl pm",
  PHP: "php",
  PowerShell: "ps1 psm1",
  Python: "py pyi",
  R: "r rmd",
  Ruby: "rb rake gemspec",
  Rust: "rs",
  Scala: "scala sbt",
  SCSS: "scss sass",
  Shell: "sh bash zsh fish",
  SQL: "sql",
  Svelte: "svelte",
  Swift: "swift",
  TOML: "toml",
  TypeScript: "ts cts mts tsx",
  Vue: "vue",
  XML: "xml xsd xsl svg",
  YAML: "yml yaml",
  Zig: "zig"
}

const byExtension: ReadonlyMap<string, string> = new Map(
  Object.entries(extensionsByLanguage).flatMap(([name, extensions]) =>
    extensions.split(" ").map((extension) => [extension, name])
  )
)

const byName: ReadonlyMap<string, string> = new Map([
  ["makefile", "Makefile"],
  ["gnumakefile", "Makefile"],
  ["dockerfile", "Dockerfile"],
  ["gemfile", "Ruby"],
  ["rakefile", "Ruby"],
  ["cmakelists.txt", "CMake"],
  ["jenkinsfile", "Groovy"]
])

/** The language of a file by name; `undefined` if unknown. */
export const languageOf = (path: string): string | undefined => {
  const name = PathText.nameOf(path).toLowerCase()
  const dot = name.lastIndexOf(".")
  return byName.get(name) ?? (dot === -1 ? undefined : byExtension.get(name.slice(dot + 1)))
}

/** The file extensions of a language (case-insensitive) without a dot; empty for an unknown language. */
export const extensionsOf = (language: string): ReadonlyArray<string> => {
  const wanted = language.toLowerCase()
  return (
    Object.entries(extensionsByLanguage)
      .find(([name]) => name.toLowerCase() === wanted)?.[1]
      .split(" ") ?? []
  )
}

/** True if a language has a name, in any case, or a file extension. */
export const isNamed = (language: string | null | undefined, name: string): boolean =>
  (language ?? undefined) !== undefined &&
  (language?.toLowerCase() === name.toLowerCase() || extensionsOf(language ?? "").includes(name.toLowerCase()))

/**
 * Returns the known language with a name similar to a misspelled name, which has all letters of the language but at
 * most two, in order. Undefined for a known language or extension, and without a similar name.
 */
export const similarLanguage = (written: string): string | undefined => {
  const name = written.toLowerCase().replace(/^\./, "")
  if (name.length < 3 || extensionsOf(name).length > 0 || fileNamesOf(name).length > 0 || byExtension.has(name)) {
    return undefined
  }
  const lettersIn = (one: string, other: string): number => {
    let at = 0
    for (const letter of other) if (letter === one[at]) at++
    return at
  }
  return [...Object.keys(extensionsByLanguage), ...new Set(byName.values())].find((language) => {
    const known = language.toLowerCase()
    const [short, long] = known.length < name.length ? [known, name] : [name, known]
    return (
      long.length - short.length <= 2 && lettersIn(short, long) >= short.length - (short.length === long.length ? 1 : 0)
    )
  })
}

/** The file names without an extension, in lower case, that belong to a language (case-insensitive). */
export const fileNamesOf = (language: string): ReadonlyArray<string> => {
  const wanted = language.toLowerCase()
  return [...byName].flatMap(([name, of]) => (of.toLowerCase() === wanted ? [name] : []))
}

const dataAndProse: ReadonlySet<string> = new Set(["JSON", "Markdown", "TOML", "XML", "YAML"])

/** Computes language statistics from the files of a tree. */
export const languageStatistics = (): ListingBuilder<LanguageStatistics> => {
  const languages = new Map<string, { bytes: number; files: number }>()
  const total = { bytes: 0, files: 0 }
  return {
    add: (listed) => {
      for (const { path, size } of listed) {
        total.files += 1
        total.bytes += size
        const name = languageOf(path)
        if (name === undefined) continue
        const sum = languages.get(name) ?? { bytes: 0, files: 0 }
        languages.set(name, { bytes: sum.bytes + size, files: sum.files + 1 })
      }
    },
    build: () => ({
      ...total,
      languages: [...languages]
        .map(([name, sum]) => ({ name, ...sum }))
        .sort((a, b) => Number(dataAndProse.has(a.name)) - Number(dataAndProse.has(b.name)) || b.bytes - a.bytes)
    })
  }
}
