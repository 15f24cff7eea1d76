/** References that the TypeScript compiler finds, by line. */
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

export interface CompilerReferences {
  readonly uses: ReadonlySet<Place>
  /** Declarations of the same member in related types: both uses and definitions. */
  readonly related: ReadonlySet<Place>
}

/** Returns a function that finds the references of the symbol declared at a position, for a repository's work tree. */
export const make = (root: string): ((symbol: Symbol) => CompilerReferences) => {
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

  return ({ column, line, path }) => {
    const declaring = join(root, path)
    const position = program?.getSourceFile(declaring)?.getPositionOfLineAndCharacter(line - 1, column) ?? 0
    const found = (service.findReferences(declaring, position) ?? []).flatMap(({ references }) => references)
    const uses = new Set<Place>()
    const related = new Set<Place>()
    for (const { fileName, isDefinition, isInString, textSpan } of found) {
      const { start } = textSpan
      const source = program?.getSourceFile(fileName)
      if (source === undefined || !fileName.startsWith(root) || isInString === true) continue
      if (service.getSpanOfEnclosingComment(fileName, start, false) !== undefined) continue
      if (fileName === declaring && start === position) continue
      const node = nodeAt(source, start)
      const place = `${fileName.slice(root.length + 1)}:${source.getLineAndCharacterOfPosition(start).line + 1}`
      if (declaresMember(node)) related.add(place)
      else if (isDefinition !== true || usesTheName(node)) uses.add(place)
    }
    return { uses, related }
  }
}
