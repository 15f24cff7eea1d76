/** The signature and the documentation of a definition. Runs in a worker. */
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import { languageOf } from "../../../git/values/Languages.ts"
import * as LineTable from "../../text/LineTable.ts"

/** Maximum number of characters of a signature and of a documentation. */
const MAX_SIGNATURE = 1_000
const MAX_DOCUMENTATION = 4_000

/** Maximum number of lines above a definition that are searched for its documentation. */
const MAX_LINES = 200

/** Maximum number of lines of a signature, and of a value in it. */
const MAX_SIGNATURE_LINES = 20

/** The texts that describe a definition. */
export interface DefinitionText {
  readonly signature?: string
  readonly documentation?: string
}

/** Returns the signature and the documentation of the definition of a name in a line. */
export const make = (
  path: string,
  text: string,
  file: SourceFile.SourceFile | undefined,
  name: string,
  number: number
): DefinitionText => {
  const table = LineTable.make(text)
  const line = LineTable.line(table, number)
  const declared =
    file === undefined
      ? undefined
      : SourceFile.occurrences(file, name.split(/::|\./).at(-1) ?? name).find(
          ({ declaration, from }) => declaration !== undefined && from >= line.start && from <= line.end
        )
  const start =
    declared?.declaration === undefined ? line.start : Math.min(line.start, wholeOf(declared.declaration.node).from)
  const first = LineTable.at(table, start)
  const signature = signatureOf(text, line, start, file, declared?.declaration?.node)
  const documentation = languageOf(path) === "Python" ? docstring(text, file, declared?.declaration?.node) : undefined
  const comment = documentation ?? commentAbove(table, first, languageOf(path) ?? "")
  return {
    ...(signature === "" ? {} : { signature }),
    ...(comment === "" ? {} : { documentation: comment.slice(0, MAX_DOCUMENTATION) })
  }
}

type Node = NonNullable<ReturnType<typeof SourceFile.occurrences>[number]["declaration"]>["node"]

const outer = new Set([
  "ExportDeclaration",
  "DecoratedStatement",
  "TemplateDeclaration",
  "TypeDecl",
  "VarDecl",
  "ConstDecl",
  "AmbientDeclaration",
  "TypeDefinition"
])

/** Returns a declaration with the words before it, such as `export`. */
const wholeOf = (node: Node): Node => {
  let at = node
  while (
    at.parent !== null &&
    outer.has(at.parent.name) &&
    at.parent.firstChild !== null &&
    at.to - at.parent.from < 2_000
  )
    at = at.parent
  return at
}

const signatureOf = (
  text: string,
  line: LineTable.Line,
  start: number,
  file: SourceFile.SourceFile | undefined,
  node: Node | undefined
): string => {
  const written = text.slice(line.start, line.end).trim()
  if (file === undefined || node === undefined) return written.slice(0, MAX_SIGNATURE)
  const from = wholeStart(text, start, line)
  const end = Math.min(node.to, from + 4 * MAX_SIGNATURE)
  const bodyStart = bodyOf(node, file.rules.bodies)
  const cut = bodyStart === undefined ? end : Math.min(end, bodyStart)
  const lines = dedent(
    text
      .slice(from, cut)
      .trimEnd()
      .replace(/\s*(?:=>|=|:)?\s*\{?$/, (last) => (bodyStart === undefined ? last.trimEnd() : ""))
  ).split("\n")
  const most = /^\s*#\s*define/.test(written) || bodyStart === undefined ? 8 : MAX_SIGNATURE_LINES
  const shown = lines.length > most ? [...lines.slice(0, most), "…"] : lines
  return shown.join("\n").slice(0, MAX_SIGNATURE)
}

const wholeStart = (text: string, start: number, line: LineTable.Line): number => {
  // The type of a C function can be in the line before its name.
  const from = Math.min(start, line.start)
  return from + (/^[ \t]*/.exec(text.slice(from, from + 200))?.[0].length ?? 0)
}

const values = new Set([
  "ArrowFunction",
  "FunctionExpression",
  "InitDeclarator",
  "FunctionDeclarator",
  "StructType",
  "InterfaceType",
  "TypeSpec",
  "StructSpecifier",
  "UnionSpecifier",
  "EnumSpecifier",
  "ClassSpecifier",
  "ClassExpression",
  "FunctionDefinition"
])

const bodyOf = (node: Node, bodies: ReadonlySet<string>): number | undefined => {
  for (let at = node.firstChild; at !== null; at = at.nextSibling) {
    if (bodies.has(at.name) && node.name !== "TypeAliasDeclaration") return at.from
    const inner = values.has(at.name) ? bodyOf(at, bodies) : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}

/** Removes the indentation that all further lines have. */
const dedent = (text: string): string => {
  const [first = "", ...rest] = text.split("\n")
  const indents = rest.filter((one) => one.trim() !== "").map((one) => /^[ \t]*/.exec(one)?.[0].length ?? 0)
  const least = Math.min(...indents, 40)
  return [first, ...rest.map((one) => one.slice(Math.min(least, /^[ \t]*/.exec(one)?.[0].length ?? 0)))].join("\n")
}

const docstring = (
  text: string,
  file: SourceFile.SourceFile | undefined,
  node: Node | undefined
): string | undefined => {
  if (file === undefined) return undefined
  const { bodies } = file.rules
  for (let at = node?.firstChild ?? null; at !== null; at = at.nextSibling) {
    if (!bodies.has(at.name)) continue
    const match = /^\s*:?\s*[rRuUbB]{0,2}("""|'''|"|')/.exec(text.slice(at.from, at.from + 2_000))
    const quote = match?.[1]
    if (match === null || quote === undefined) return undefined
    const from = at.from + match[0].length
    const end = text.indexOf(quote, from)
    return end === -1 ? undefined : dedent(text.slice(from, Math.min(end, from + MAX_DOCUMENTATION))).trim()
  }
  return undefined
}

/** Maximum number of lines between documentation and a definition, and in a definition before the name. */
const between =
  /^\s*(?:@[\w.]+(?:\(.*\))?|#!?\[.*\]|\[\[.*\]\]|template\s*<.*>|export|public:|private:|protected:|__\w+(?:\(.*\))?|\)\s*)\s*$/

/** Returns the text of the comment that ends in the line before a definition. */
const commentAbove = (table: LineTable.LineTable, first: number, language: string): string => {
  const { text } = table
  const lineAt = (number: number) => {
    const { end, start } = LineTable.line(table, number)
    return text.slice(start, Math.min(end, start + 2_000))
  }
  let last = first - 1
  for (let skipped = 0; last > 0 && skipped < 10 && between.test(lineAt(last)); skipped++) last--
  if (last < 1) return ""
  const end = lineAt(last).trim()
  const isHash = /^(?:Python|Ruby|Shell|Makefile|YAML|Perl|R|Elixir)$/.test(language)
  const single = isHash ? /^\s*#(?!!)/ : language === "Lua" || language === "SQL" ? /^\s*--/ : /^\s*\/\//
  const lines: Array<string> = []
  if (single.test(end)) {
    for (let at = last; at > 0 && last - at < MAX_LINES && single.test(lineAt(at)); at--) lines.unshift(lineAt(at))
    const plain = lines.map((one) => one.replace(/^\s*(?:\/\/[/!]?|#+|--)[ \t]?/, "").trimEnd())
    return plain
      .filter((one) => !/^(?:go:|nolint|eslint|oxlint|prettier|@ts-|biome|type: ignore|noqa)/.test(one.trim()))
      .join("\n")
      .trim()
  }
  if (!end.endsWith("*/")) return ""
  for (let at = last; at > 0 && last - at < MAX_LINES; at--) {
    const one = lineAt(at)
    lines.unshift(one)
    if (one.includes("/*")) break
  }
  const [begin = ""] = lines
  // A comment after code belongs to that code.
  if (!/^\s*\/\*/.test(begin)) return ""
  return lines
    .map((one) =>
      one
        .replace(/^\s*\/\*[*!]*[ \t]?/, "")
        .replace(/\s*\**\*\/\s*$/, "")
        .replace(/^\s*\*+(?!\/)[ \t]?/, "")
        .trimEnd()
    )
    .join("\n")
    .trim()
}
