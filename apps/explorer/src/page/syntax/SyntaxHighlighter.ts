/** Parses files with Lezer grammars, each loaded on first use. */
import type { Parser, Tree } from "@lezer/common"
import { highlightTree, tagHighlighter, tags } from "@lezer/highlight"
import * as SyntaxTokens from "./SyntaxTokens.ts"

/** UTF-16 units above which a text is not highlighted. */
const MAX_LENGTH = 4_000_000

/** Milliseconds after which the rest of a text is not highlighted. */
const TIMEOUT = 3_000

/** The syntax tokens of `text`, none for an unknown file extension. Rejects if the grammar does not load. */
export const highlight = async (path: string, text: string): Promise<SyntaxTokens.SyntaxTokens> => {
  const load = languageOf(path)
  if (load === undefined || text.length > MAX_LENGTH) return new Uint32Array()
  const parser = await load()
  const prefix = HAS_BLOCK_COMMENTS.test(path) && STARTS_IN_COMMENT.test(text) ? "/*" : ""
  const tokens: Array<number> = []
  highlightTree(parse(parser, prefix + text), classes, (start, end, name) =>
    tokens.push(Math.max(0, start - prefix.length), end - prefix.length, SyntaxTokens.SYNTAX_CLASSES.indexOf(name))
  )
  return Uint32Array.from(tokens)
}

const parse = (parser: Parser, text: string): Tree => {
  const deadline = performance.now() + TIMEOUT
  const partial = parser.startParse(text)
  for (;;) {
    const tree = partial.advance()
    if (tree !== null) return tree
    if (partial.stoppedAt === null && performance.now() > deadline) partial.stopAt(partial.parsedPos)
  }
}

// A snippet whose first line begins with a star is the inside of a block comment.
const STARTS_IN_COMMENT = /^\s*\*(\s|\/|$)/
const HAS_BLOCK_COMMENTS = /\.([cm]?[jt]sx?|java|[ch]|cc|[ch]pp|[ch]xx|go|rs|css|scss|less)$/i

const classes = tagHighlighter([
  { tag: [tags.comment, tags.meta, tags.processingInstruction], class: "comment" },
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.self, tags.null, tags.bool], class: "keyword" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.character, tags.attributeValue], class: "string" },
  { tag: [tags.number, tags.literal, tags.unit, tags.color, tags.atom], class: "number" },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.tagName], class: "type" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.macroName], class: "function" },
  { tag: tags.definition(tags.variableName), class: "definition" },
  { tag: [tags.propertyName, tags.attributeName, tags.labelName], class: "property" },
  { tag: [tags.heading, tags.strong], class: "heading" },
  { tag: [tags.link, tags.url], class: "link" },
  { tag: [tags.punctuation, tags.operator], class: "punctuation" }
])

type Load = () => Promise<Parser>

const script =
  (dialect: string): Load =>
  async () =>
    (await import("@lezer/javascript")).parser.configure({ dialect })

const cpp: Load = async () => (await import("@lezer/cpp")).parser
const yaml: Load = async () => (await import("@lezer/yaml")).parser
const html: Load = async () => (await import("@lezer/html")).parser
const css: Load = async () => (await import("@lezer/css")).parser
const json: Load = async () => (await import("@lezer/json")).parser
const markdown: Load = async () => (await import("@lezer/markdown")).parser
const python: Load = async () => (await import("@lezer/python")).parser

const languages: ReadonlyMap<string, Load> = new Map<string, Load>([
  ...["ts", "mts", "cts"].map((name) => [name, script("ts")] as const),
  ["tsx", script("ts jsx")],
  ...["js", "mjs", "cjs", "jsx"].map((name) => [name, script("jsx")] as const),
  ...["json", "jsonc", "json5"].map((name) => [name, json] as const),
  ...["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx"].map((name) => [name, cpp] as const),
  ...["yml", "yaml"].map((name) => [name, yaml] as const),
  ...["html", "htm", "vue", "svelte", "xml", "svg"].map((name) => [name, html] as const),
  ...["css", "scss", "less"].map((name) => [name, css] as const),
  ...["md", "markdown", "mdx"].map((name) => [name, markdown] as const),
  ...["py", "pyi"].map((name) => [name, python] as const),
  ["rs", async () => (await import("@lezer/rust")).parser],
  ["go", async () => (await import("@lezer/go")).parser],
  ["java", async () => (await import("@lezer/java")).parser]
])

const languageOf = (path: string): Load | undefined =>
  languages.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase())
