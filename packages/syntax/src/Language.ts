/**
 * The languages with a grammar. This module is small: the highlighter and each grammar are loaded on first use.
 */
import type { Parser } from "@lezer/common"
import type { SyntaxHighlighter } from "./SyntaxHighlighter.ts"

/** The name of a language. */
export type Language = keyof typeof grammars

const script = async (dialect: string): Promise<Parser> =>
  (await import("@lezer/javascript")).parser.configure({ dialect })

const grammars = {
  ts: () => script("ts"),
  tsx: () => script("ts jsx"),
  js: () => script("jsx"),
  json: async (): Promise<Parser> => (await import("@lezer/json")).parser,
  cpp: async (): Promise<Parser> => (await import("@lezer/cpp")).parser,
  yaml: async (): Promise<Parser> => (await import("@lezer/yaml")).parser,
  html: async (): Promise<Parser> => (await import("@lezer/html")).parser,
  css: async (): Promise<Parser> => (await import("@lezer/css")).parser,
  markdown: async (): Promise<Parser> => (await import("@lezer/markdown")).parser,
  python: async (): Promise<Parser> => (await import("@lezer/python")).parser,
  rust: async (): Promise<Parser> => (await import("@lezer/rust")).parser,
  go: async (): Promise<Parser> => (await import("@lezer/go")).parser,
  java: async (): Promise<Parser> => (await import("@lezer/java")).parser
}

/** The file extensions of each language. */
const extensions: Readonly<Record<Language, ReadonlyArray<string>>> = {
  ts: ["ts", "mts", "cts"],
  tsx: ["tsx"],
  js: ["js", "mjs", "cjs", "jsx"],
  json: ["json", "jsonc", "json5"],
  cpp: ["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx"],
  yaml: ["yml", "yaml"],
  html: ["html", "htm", "vue", "svelte", "xml", "svg"],
  css: ["css", "scss", "less"],
  markdown: ["md", "markdown", "mdx"],
  python: ["py", "pyi"],
  rust: ["rs"],
  go: ["go"],
  java: ["java"]
}

/** Names in code blocks that are not file extensions. */
const names: Readonly<Partial<Record<Language, ReadonlyArray<string>>>> = {
  ts: ["typescript"],
  js: ["javascript", "node"],
  cpp: ["c++", "objc"],
  python: ["python", "python3"],
  rust: ["rust"],
  go: ["golang"]
}

/** Languages whose block comments begin with `/*`. */
const withBlockComments: ReadonlySet<Language> = new Set(["ts", "tsx", "js", "cpp", "css", "rust", "go", "java"])

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of an object literal are known
const languages = Object.keys(grammars) as ReadonlyArray<Language>

const byExtension: ReadonlyMap<string, Language> = new Map(
  languages.flatMap((language) => extensions[language].map((extension) => [extension, language] as const))
)

const byName: ReadonlyMap<string, Language> = new Map([
  ...byExtension,
  ...languages.flatMap((language) => (names[language] ?? []).map((name) => [name, language] as const))
])

/** Returns the language of a file by the extension; undefined for other files. */
export const fromPath = (path: string): Language | undefined =>
  byExtension.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase())

/** Returns the language of a code block by a name or file extension. */
export const fromName = (name: string): Language | undefined => byName.get(name.toLowerCase())

const highlighters = new Map<Language, SyntaxHighlighter>()

/** Loads the parser of a language. Rejects if the grammar does not load. */
export const loadParser = (language: Language): Promise<Parser> => grammars[language]()

/** Loads the highlighter of a language. Rejects if the grammar does not load. */
export const load = async (language: Language): Promise<SyntaxHighlighter> => {
  const known = highlighters.get(language)
  if (known !== undefined) return known
  const [{ make }, parser] = await Promise.all([import("./SyntaxHighlighter.ts"), grammars[language]()])
  const highlighter = make(parser, { hasBlockComments: withBlockComments.has(language) })
  highlighters.set(language, highlighter)
  return highlighter
}

/** Returns the highlighter of a language if already loaded. */
export const loaded = (language: Language): SyntaxHighlighter | undefined => highlighters.get(language)
