/** References and definitions as the TypeScript compiler finds them, by line. */
import { join } from "node:path"
import ts from "typescript-5"
import { git } from "@tongs/service/git/Fixture.test-support"

/** A line of a file of the repository: `path:line`, from 1. */
type Place = string

interface Symbol {
  readonly path: string
  readonly line: number
  readonly column: number
}

/** Settings that resolve the packages of vuejs/core to source files. */
const optionsOf = (root: string): ts.CompilerOptions => ({
  target: ts.ScriptTarget.ES2016,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowJs: true,
  strict: true,
  resolveJsonModule: true,
  jsx: ts.JsxEmit.Preserve,
  types: [],
  baseUrl: root,
  paths: { "@vue/compat": ["./packages/vue-compat/src"], "@vue/*": ["./packages/*/src"], vue: ["./packages/vue/src"] }
})

/** Replaces a module for programs without the sources, so the project's settings leave this file out, too. */
const LEFT_OUT = "packages/runtime-core/types/globalComponents.d.ts"

/** The node that starts at a position and has no children. */
const nodeAt = (source: ts.SourceFile, position: number): ts.Node => {
  const find = (node: ts.Node): ts.Node =>
    ts.forEachChild(node, (child) =>
      child.getStart(source) <= position && position < child.getEnd() ? find(child) : undefined
    ) ?? node
  return find(source)
}

/** True if the node names an import or export, or a part of a pattern, whose declaration also uses the name. */
const usesTheName = ({ parent }: ts.Node): boolean =>
  ts.isImportSpecifier(parent) ||
  ts.isImportClause(parent) ||
  ts.isNamespaceImport(parent) ||
  ts.isExportSpecifier(parent) ||
  ts.isBindingElement(parent) ||
  ts.isShorthandPropertyAssignment(parent)

/** True if the node declares a member of a type, which can be the same member as in another type. */
const declaresMember = (node: ts.Node): boolean =>
  (ts.isClassElement(node.parent) || ts.isTypeElement(node.parent)) && node.parent.name === node

/** True if the node is the name that an import binds. */
const bindsImport = ({ parent }: ts.Node): boolean =>
  ts.isImportSpecifier(parent) || ts.isImportClause(parent) || ts.isNamespaceImport(parent)

export interface CompilerReferences {
  readonly uses: ReadonlySet<Place>
  /** Declarations of the same member in related types: both uses and definitions. */
  readonly related: ReadonlySet<Place>
}

/** The language service of TypeScript for the work tree of a repository. */
export interface Compiler {
  /** Finds the uses of the symbol at a position, which itself counts unless it `isDeclared` there. */
  readonly references: (symbol: Symbol, isDeclared: boolean) => CompilerReferences
  /** Finds the definitions of the name at a position. Places outside of the repository are absolute. */
  readonly definitions: (symbol: Symbol) => ReadonlySet<Place>
  /** Finds all declarations of the symbol at a position, for example the overloads of a function. */
  readonly declarations: (symbol: Symbol) => ReadonlySet<Place>
  /** Returns the positions of all names in code. */
  readonly names: (path: string) => ReadonlyArray<Symbol & { readonly name: string }>
}

/** Starts the language service for a repository's work tree. */
export const make = (root: string): Compiler => {
  const files = git(root, ["ls-files"])
    .split("\n")
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path) && path !== LEFT_OUT)
    .map((path) => join(root, path))
  const options = optionsOf(root)
  const snapshots = new Map<string, ts.IScriptSnapshot | undefined>()
  const service = ts.createLanguageService({
    fileExists: (file) => ts.sys.fileExists(file),
    readFile: (file) => ts.sys.readFile(file),
    directoryExists: (directory) => ts.sys.directoryExists(directory),
    getDirectories: (directory) => ts.sys.getDirectories(directory),
    getScriptFileNames: () => files,
    getScriptVersion: () => "1",
    getScriptSnapshot: (file) => {
      if (!snapshots.has(file)) {
        const text = ts.sys.readFile(file)
        snapshots.set(file, text === undefined ? undefined : ts.ScriptSnapshot.fromString(text))
      }
      return snapshots.get(file)
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings)
  })
  const program = service.getProgram()

  const offsetOf = ({ column, line, path }: Symbol): number =>
    program?.getSourceFile(join(root, path))?.getPositionOfLineAndCharacter(line - 1, column) ?? 0

  const placeOf = (file: string, offset: number): Place => {
    const line = 1 + (program?.getSourceFile(file)?.getLineAndCharacterOfPosition(offset).line ?? 0)
    return `${isServed(file) ? file.slice(root.length + 1) : file}:${line}`
  }

  const isServed = (file: string): boolean => file.startsWith(`${root}/`) && !file.includes("/node_modules/")

  return {
    references: (symbol, isDeclared) => {
      const declaring = join(root, symbol.path)
      const position = offsetOf(symbol)
      const found = (service.findReferences(declaring, position) ?? []).flatMap(({ references }) => references)
      const uses = new Set<Place>()
      const related = new Set<Place>()
      for (const { fileName, isDefinition, isInString, textSpan } of found) {
        const { start } = textSpan
        const source = program?.getSourceFile(fileName)
        if (source === undefined || !isServed(fileName) || isInString === true) continue
        if (service.getSpanOfEnclosingComment(fileName, start, false) !== undefined) continue
        if (isDeclared && fileName === declaring && start === position) continue
        const node = nodeAt(source, start)
        const place = placeOf(fileName, start)
        if (declaresMember(node)) related.add(place)
        else if (isDefinition !== true || usesTheName(node)) uses.add(place)
      }
      return { uses, related }
    },
    definitions: (symbol) => {
      const found = service.getDefinitionAtPosition(join(root, symbol.path), offsetOf(symbol)) ?? []
      return new Set(
        found.map(({ fileName, textSpan }) => {
          const source = program?.getSourceFile(fileName)
          // The import of a module that is not installed is as far as the compiler gets.
          const isImport = source !== undefined && bindsImport(nodeAt(source, textSpan.start))
          return isImport ? `not installed:${placeOf(fileName, textSpan.start)}` : placeOf(fileName, textSpan.start)
        })
      )
    },
    declarations: (symbol) => {
      const source = program?.getSourceFile(join(root, symbol.path))
      const checker = program?.getTypeChecker()
      const own = source === undefined ? undefined : checker?.getSymbolAtLocation(nodeAt(source, offsetOf(symbol)))
      const target = own !== undefined && own.flags & ts.SymbolFlags.Alias ? checker?.getAliasedSymbol(own) : own
      return new Set(
        (target?.declarations ?? []).map((one) =>
          placeOf(one.getSourceFile().fileName, (ts.getNameOfDeclaration(one) ?? one).getStart())
        )
      )
    },
    names: (path) => {
      const source = program?.getSourceFile(join(root, path))
      const found: Array<Symbol & { readonly name: string }> = []
      const visit = (node: ts.Node): void => {
        if (source !== undefined && ts.isIdentifier(node)) {
          const { character, line } = source.getLineAndCharacterOfPosition(node.getStart(source))
          found.push({ path, line: line + 1, column: character, name: node.text })
        }
        ts.forEachChild(node, visit)
      }
      if (source !== undefined) visit(source)
      return found
    }
  }
}
