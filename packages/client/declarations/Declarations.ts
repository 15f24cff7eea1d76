/** Collects declarations with everything that they mention, and prints one module. */
import ts from "typescript-5"

/** Modules that the printed module imports, by a part of the path. */
const outside: ReadonlyArray<readonly [path: string, specifier: string]> = [
  ["/@octokit/openapi-types/", "@octokit/openapi-types"],
  ["/@octokit/webhooks-types/", "./payloads.js"]
]

/** Types of Effect that the declarations replace by types of JavaScript. */
const replaced: Readonly<Record<string, string>> = { "Data.Error": "Error" }

type Replacement = (type: ts.Type, name: string) => string

export class Declarations {
  private readonly names = new Map<ts.Symbol, string>()
  private readonly used = new Set<string>()
  private readonly queue: Array<ts.Symbol> = []
  private readonly texts: Array<string> = []
  private readonly imports = new Map<string, Set<string>>()
  private readonly replacements = new Map<string, Replacement>()
  private readonly checker: ts.TypeChecker

  constructor(checker: ts.TypeChecker) {
    this.checker = checker
  }

  /** Prints another text instead of the declaration of a type. */
  replace(name: string, replacement: Replacement) {
    this.replacements.set(name, replacement)
  }

  /** Adds a declaration. Returns the name in the printed module. */
  add(found: ts.Symbol, preferred?: string): string {
    const symbol = this.resolve(found)
    const known = this.names.get(symbol)
    if (known !== undefined) return known
    const name = this.unused(preferred ?? symbol.name)
    this.names.set(symbol, name)
    this.queue.push(symbol)
    return name
  }

  /** Reserves a name that is not in use. */
  unused(preferred: string): string {
    let name = preferred
    for (let count = 2; this.used.has(name); count++) name = `${preferred}${count}`
    this.used.add(name)
    return name
  }

  /** Adds the text of a declaration. */
  addText(text: string) {
    this.texts.push(text)
  }

  print(): string {
    for (let symbol = this.queue.shift(); symbol !== undefined; symbol = this.queue.shift()) this.printSymbol(symbol)
    const imports = [...this.imports].map(
      ([specifier, names]) => `import type { ${[...names].toSorted().join(", ")} } from "${specifier}"\n`
    )
    return `${imports.join("")}${this.texts.map((text) => `${text}\n`).join("")}export {}\n`
  }

  private resolve(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol
  }

  private printSymbol(symbol: ts.Symbol) {
    const name = this.names.get(symbol) ?? symbol.name
    const replacement = this.replacements.get(symbol.name)
    if (replacement !== undefined) {
      this.texts.push(replacement(this.checker.getDeclaredTypeOfSymbol(symbol), name))
      return
    }
    for (const declaration of symbol.declarations ?? []) {
      const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
      const own = ts.getNameOfDeclaration(declaration)
      const text = this.rewrite(statement, own === undefined ? new Map() : new Map([[own, name]]))
      const comment = /^(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*)*/.exec(text)?.[0] ?? ""
      const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)
      const bare = text.slice(comment.length).replace(/^(?:export |declare )*/, "")
      // The first declaration of a file also has the comment of the file.
      const documentation = comment.slice(Math.max(comment.lastIndexOf("/**"), 0))
      this.texts.push(`${documentation}export ${isType ? "" : "declare "}${bare}`)
    }
  }

  /** Returns the text of a node with the names of the printed module. */
  rewrite(node: ts.Node, names: ReadonlyMap<ts.Node, string>): string {
    const source = node.getSourceFile()
    const start = node.getStart(source, true)
    const edits: Array<{ readonly start: number; readonly end: number; readonly text: string }> = []
    const edit = (at: ts.Node, text: string) => edits.push({ start: at.getStart(source), end: at.getEnd(), text })
    const visit = (at: ts.Node): void => {
      const own = names.get(at)
      if (own !== undefined) return void edit(at, own)
      const reference = this.referenceIn(at)
      if (reference !== undefined) {
        const name = this.nameOf(reference.symbol, reference.name)
        if (name !== reference.name.getText(source)) edit(reference.name, name)
        for (const argument of reference.rest) visit(argument)
        return
      }
      ts.forEachChild(at, visit)
    }
    visit(node)
    let text = source.text.slice(start, node.getEnd())
    for (const { end, start: from, text: replacement } of edits.toReversed())
      text = text.slice(0, from - start) + replacement + text.slice(end - start)
    return text
  }

  /** The symbol that a node mentions, the node with the name, and the node's other parts. */
  private referenceIn(node: ts.Node) {
    if (ts.isTypeReferenceNode(node)) return this.reference(node.typeName, node.typeArguments)
    if (ts.isExpressionWithTypeArguments(node)) return this.reference(node.expression, node.typeArguments)
    if (ts.isTypeQueryNode(node) && !ts.isImportTypeNode(node.exprName))
      return this.reference(node.exprName, node.typeArguments)
    if (ts.isImportTypeNode(node) && node.qualifier !== undefined) {
      const symbol = this.checker.getSymbolAtLocation(node.qualifier)
      return symbol === undefined ? undefined : { symbol, name: node, rest: [] }
    }
    return undefined
  }

  private reference(name: ts.Node, rest: ReadonlyArray<ts.Node> | undefined) {
    const symbol = this.checker.getSymbolAtLocation(name)
    return symbol === undefined ? undefined : { symbol, name, rest: rest ?? [] }
  }

  private nameOf(found: ts.Symbol, at: ts.Node): string {
    const symbol = this.resolve(found)
    const [declaration] = symbol.declarations ?? []
    if (declaration === undefined || isLocal(declaration)) return symbol.name
    const { fileName, isDeclarationFile } = declaration.getSourceFile()
    const text = at.getText()
    if (/\/typescript(-5)?\/lib\/lib\.|\/@types\/node\//.test(fileName)) return text
    const external = outside.find(([path]) => fileName.includes(path))
    if (external !== undefined) {
      const names = this.imports.get(external[1]) ?? new Set()
      this.imports.set(external[1], names.add(symbol.name))
      return symbol.name
    }
    if (fileName.includes("/node_modules/") || !isDeclarationFile) {
      const replacement = replaced[text]
      if (replacement !== undefined) return replacement
      throw new Error(`${at.getSourceFile().fileName} mentions ${text} of ${fileName}, which is not published`)
    }
    return this.add(symbol)
  }
}

const isLocal = (declaration: ts.Declaration) =>
  ts.isTypeParameterDeclaration(declaration) || ts.isParameter(declaration) || ts.isBindingElement(declaration)
