/** Infers the types of expressions in Go from what is written: declarations, fields, results and literals. */
import * as PathText from "@tongs/core/text/PathText"
import * as Nodes from "@tongs/syntax/navigation/Nodes"
import type { Occurrence } from "@tongs/syntax/navigation/Occurrence"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import type { Modules } from "../modules/Modules.ts"
import * as GoNodes from "./GoNodes.ts"
import { type Declared, GoPackages } from "./GoPackages.ts"
import type { SyntaxNode, Written } from "./TypeNodes.ts"

/** Maximum number of steps that lead to a type. */
const MAX_DEPTH = 24

/** A written type, or the function that a name means. */
interface GoType extends Written {
  /** True if the node is the type of the elements. */
  readonly isList?: boolean
}

/** Infers types in one commit, within the bounds of `modules`. */
export class GoTypes {
  readonly packages: GoPackages

  constructor(modules: Modules) {
    this.packages = new GoPackages(modules)
  }

  /**
   * Returns the declarations that a name after a dot or in a literal means. `outside` for a name of a package outside of
   * the repository. Empty if the type is not known.
   */
  async declarations(at: Written, { node, receiver }: Occurrence): Promise<ReadonlyArray<Declared> | "outside"> {
    const name = SourceFile.textOf(at.file, node)
    if (receiver !== undefined) {
      const target = await this.#packageOf({ ...at, node: receiver })
      if (target !== undefined) {
        const found = await this.packages.folderOf(at.path, target)
        return typeof found === "object" ? this.packages.atTop(found.folder, name) : (found ?? [])
      }
      const type = await this.#typeOf({ ...at, node: receiver }, 0)
      return type === undefined ? [] : this.#members(type, name, 0)
    }
    const literal = node.parent?.name === "Key" ? Nodes.closest(node, new Set(["LiteralValue"])) : undefined
    const type = literal === undefined ? undefined : await this.#literalType({ ...at, node: literal }, 0)
    return type === undefined ? [] : this.#members(type, name, 0)
  }

  /** Returns the package that an expression names, unless a variable hides the import. */
  async #packageOf({ file, node, path }: Written): Promise<string | undefined> {
    if (node.name !== "VariableName") return undefined
    const name = SourceFile.textOf(file, node)
    const all = SourceFile.occurrences(file, name)
    const use = all.find(({ from }) => from === node.from)
    const declared = use === undefined ? [] : SourceFile.declarationsOf(use, all)
    if (declared.some(({ declaration }) => declaration?.level !== "import")) return undefined
    return this.packages.imported(path, file, name)
  }

  async #typeOf(at: Written, depth: number): Promise<GoType | undefined> {
    const { node } = at
    if (depth > MAX_DEPTH || this.packages.isExhausted) return undefined
    const first = node.firstChild
    const inner = (part: SyntaxNode | null | undefined) =>
      part ? this.#typeOf({ ...at, node: part }, depth + 1) : undefined
    switch (node.name) {
      case "VariableName":
        return this.#typeOfName(at, depth)
      case "ParenthesizedExpr":
        return inner(first?.nextSibling)
      case "UnaryExp": {
        const type = await inner(node.lastChild)
        return SourceFile.textOf(at.file, node).startsWith("<-") ? this.#element(type, depth) : type
      }
      case "TypedLiteral":
        return first === null ? undefined : { ...at, node: first }
      case "FunctionLiteral":
        return at
      case "TypeAssertion": {
        const type = node.lastChild?.prevSibling
        return type ? { ...at, node: type } : undefined
      }
      case "SliceExpr":
        return inner(first)
      case "IndexExpr":
        return this.#element(await inner(first), depth)
      case "SelectorExpr": {
        const [declared] = await this.#selected(at, depth)
        return declared === undefined ? undefined : this.#typeOfDeclared(declared, depth)
      }
      case "CallExpr": {
        const results = await this.#results(at, depth)
        return results[0]
      }
      default:
        return undefined
    }
  }

  /** Returns the declarations of the name after the dot of a selector. */
  async #selected(at: Written, depth: number): Promise<ReadonlyArray<Declared>> {
    const { firstChild, lastChild } = at.node
    if (firstChild === null || lastChild === null) return []
    const name = SourceFile.textOf(at.file, lastChild)
    const target = await this.#packageOf({ ...at, node: firstChild })
    if (target !== undefined) {
      const found = await this.packages.folderOf(at.path, target)
      return typeof found === "object" ? this.packages.atTop(found.folder, name) : []
    }
    const type = await this.#typeOf({ ...at, node: firstChild }, depth + 1)
    return type === undefined ? [] : this.#members(type, name, depth + 1)
  }

  /** Returns the types of the results of a call. */
  async #results(at: Written, depth: number): Promise<ReadonlyArray<GoType>> {
    const callee = at.node.firstChild
    if (callee === null) return []
    const argument = Nodes.child(at.node, "Arguments")?.firstChild?.nextSibling
    const called = SourceFile.textOf(at.file, callee)
    if (/^(?:make|new)$/.test(called)) return argument ? [{ ...at, node: argument }] : []
    if (called === "append") {
      const list = argument ? await this.#typeOf({ ...at, node: argument }, depth + 1) : undefined
      return list === undefined ? [] : [list]
    }
    const type = await this.#typeOf({ ...at, node: callee }, depth + 1)
    if (type === undefined) return []
    const made = await this.#underlying(type, depth + 1)
    if (made !== undefined && /^Function|^Method/.test(made.node.name))
      return GoNodes.resultsOf(made.node).map((node) => ({ path: made.path, file: made.file, node }))
    // A conversion: `Type(value)`.
    return type.node.name === "TypeSpec" ? [type] : []
  }

  async #typeOfName({ file, node, path }: Written, depth: number): Promise<GoType | undefined> {
    const declared = await this.#declaredName({ file, node, path })
    return declared === undefined ? undefined : this.#typeOfDeclared(declared, depth)
  }

  /** Returns the declaration of a name by the scopes of the file, or in the package. */
  async #declaredName({ file, node, path }: Written): Promise<Declared | undefined> {
    const name = SourceFile.textOf(file, node)
    const all = SourceFile.occurrences(file, name)
    const use = all.find(({ from }) => from === node.from)
    const [occurrence] = use === undefined ? [] : SourceFile.declarationsOf(use, all)
    if (occurrence?.declaration?.level === "import") return undefined
    if (occurrence !== undefined) return { path, file, occurrence }
    return (await this.packages.inPackageOf(path, name))[0]
  }

  /** Returns the type of a declared variable, parameter or field, and a declared function or type itself. */
  async #typeOfDeclared({ file, occurrence, path }: Declared, depth: number): Promise<GoType | undefined> {
    const leaf = occurrence.node
    const { parent } = leaf
    if (parent === null) return undefined
    const at = { path, file }
    switch (parent.name) {
      case "FunctionDecl":
      case "MethodDecl":
      case "MethodElem":
      case "TypeSpec":
        return { ...at, node: parent }
      case "Parameter":
      case "FieldDecl": {
        const node = GoNodes.writtenType(parent)
        const isList = Nodes.child(parent, "...") !== undefined
        return node === undefined ? undefined : { ...at, node, isList }
      }
      case "RangeClause": {
        const { index, values } = GoNodes.valuesOf(parent, leaf)
        const list = values[0]
        return index === 1 && list !== undefined
          ? this.#element(await this.#typeOf({ ...at, node: list }, depth + 1), depth)
          : undefined
      }
      default: {
        const written = parent.name === "VarDecl" ? undefined : GoNodes.writtenType(parent)
        if (written !== undefined) return { ...at, node: written }
        const { index, values } = GoNodes.valuesOf(parent, leaf)
        const value = values.length === 1 ? values[0] : values[index]
        if (value === undefined) return undefined
        if (values.length === 1 && value.name === "CallExpr")
          return (await this.#results({ ...at, node: value }, depth + 1))[index]
        return index > 0 && values.length === 1 ? undefined : this.#typeOf({ ...at, node: value }, depth + 1)
      }
    }
  }

  async #element(list: GoType | undefined, depth: number): Promise<GoType | undefined> {
    if (list === undefined) return undefined
    if (list.isList === true) return { ...list, isList: false }
    const type = await this.#underlying(list, depth + 1)
    const node =
      type === undefined || !/^(?:Slice|Array|Map|Channel)Type$/.test(type.node.name) ? null : type.node.lastChild
    return type === undefined || node === null ? undefined : { path: type.path, file: type.file, node }
  }

  /** Returns the declaration of a named type, or the type itself if it has no name. */
  async #resolve(type: GoType, depth: number): Promise<GoType | undefined> {
    const { node } = type
    if (depth > MAX_DEPTH || this.packages.isExhausted) return undefined
    switch (node.name) {
      case "PointerType":
        return node.lastChild === null ? undefined : this.#resolve({ ...type, node: node.lastChild }, depth + 1)
      case "ParameterizedType":
        return node.firstChild === null ? undefined : this.#resolve({ ...type, node: node.firstChild }, depth + 1)
      case "TypeName":
      case "VariableName":
      case "QualifiedType":
      case "SelectorExpr": {
        const isName = node.name === "TypeName" || node.name === "VariableName"
        const declared = isName ? await this.#declaredName(type) : (await this.#selected(type, depth))[0]
        const spec = declared?.occurrence.node.parent
        if (declared === undefined || spec?.name !== "TypeSpec") return undefined
        const found = { path: declared.path, file: declared.file, node: spec }
        const isAlias = Nodes.child(spec, "=") !== undefined
        return isAlias && spec.lastChild !== null ? this.#resolve({ ...found, node: spec.lastChild }, depth + 1) : found
      }
      default:
        return type
    }
  }

  async #underlying(type: GoType, depth: number): Promise<GoType | undefined> {
    const found = await this.#resolve(type, depth + 1)
    const last = found?.node.name === "TypeSpec" ? found.node.lastChild : null
    return found === undefined || last === null ? found : this.#underlying({ ...found, node: last }, depth + 1)
  }

  /** Returns the fields and methods with a name, also of embedded types. */
  async #members(type: GoType, name: string, depth: number): Promise<ReadonlyArray<Declared>> {
    if (type.isList === true || depth > MAX_DEPTH) return []
    const found = await this.#resolve(type, depth + 1)
    if (found === undefined) return []
    const { file, node, path } = found
    if (node.name === "TypeSpec") {
      const own = Nodes.child(node, "DefName")
      const container = own === undefined ? undefined : SourceFile.textOf(file, own)
      const all = await this.packages.declared(PathText.folderOf(path), name)
      const members = all.filter(({ occurrence: { declaration } }) => declaration?.container === container)
      if (members.length > 0) return members
    }
    const body = await this.#underlying(found, depth + 1)
    if (body === undefined) return []
    const leaf = GoNodes.memberNames(body.node).find((one) => SourceFile.textOf(body.file, one) === name)
    const occurrence =
      leaf === undefined ? undefined : SourceFile.occurrences(body.file, name).find(({ from }) => from === leaf.from)
    if (occurrence !== undefined) return [{ path: body.path, file: body.file, occurrence }]
    for (const one of GoNodes.embedded(body.node)) {
      const inherited = await this.#members({ path: body.path, file: body.file, node: one }, name, depth + 1)
      if (inherited.length > 0) return inherited
    }
    return []
  }

  /** Returns the type of a literal in braces. */
  async #literalType(at: Written, depth: number): Promise<GoType | undefined> {
    const { parent } = at.node
    if (parent?.name === "TypedLiteral")
      return parent.firstChild === null ? undefined : { ...at, node: parent.firstChild }
    const outer = parent?.name === "Element" ? parent.parent : null
    return outer?.name === "LiteralValue" && depth < MAX_DEPTH
      ? this.#element(await this.#literalType({ ...at, node: outer }, depth + 1), depth)
      : undefined
  }
}
