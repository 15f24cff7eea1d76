/** Prints the types of the client's methods as plain types: values are strings and numbers, resources have names. */
import ts from "typescript-5"
import type { Declarations } from "./Declarations.ts"

export class MethodTypes {
  /** Names of resources by the printed structure. */
  private readonly resources = new Map<string, string>()
  private readonly canonicals = new Map<ts.Type, string>()
  private readonly declared = new Set<string>()
  private readonly checker: ts.TypeChecker
  private readonly declarations: Declarations

  constructor(checker: ts.TypeChecker, declarations: Declarations) {
    this.checker = checker
    this.declarations = declarations
  }

  /** Names a resource: the type of a schema. */
  addResource(schema: ts.Symbol, name: string) {
    const type = this.typeOf(schema).getProperty("Type")
    if (type === undefined) throw new Error(`${name} is no schema`)
    const canonical = this.canonical(this.typeOf(type))
    if (canonical.startsWith("{") && !this.resources.has(canonical)) this.resources.set(canonical, name)
  }

  /** Names of the resources that the methods mention. */
  resourceNames(): ReadonlyArray<string> {
    return [...this.declared].toSorted()
  }

  /** Prints the groups and all methods. */
  groups(type: ts.Type, name: string): string {
    const groups = type.getProperties().map((group) => {
      const methods = this.typeOf(group)
        .getProperties()
        .map((method) => `${this.comment(method, 2)}    readonly ${method.name}: ${this.method(method)}`)
      return `  readonly ${group.name}: {\n${methods.join("\n")}\n  }`
    })
    return `/** The groups of the contract by name, for example \`gitRefs\`. */\nexport interface ${name} {\n${groups.join("\n")}\n}`
  }

  private method(symbol: ts.Symbol): string {
    const [signature] = this.typeOf(symbol).getCallSignatures()
    if (signature === undefined) throw new Error(`${symbol.name} is no method`)
    const parameters = signature.getParameters().map((parameter) => {
      const declaration = parameter.valueDeclaration
      const isOptional =
        declaration !== undefined && ts.isParameter(declaration) && this.checker.isOptionalParameter(declaration)
      return { name: parameter.name, type: this.typeOf(parameter), isOptional }
    })
    const tuple = signature.getParameters()[0]
    const last = tuple === undefined ? undefined : this.typeOf(tuple)
    const listed = last !== undefined && isTuple(last) ? this.tupleParameters(last) : parameters
    const text = listed.map(({ isOptional, name, type }) => {
      const printed = this.defined(type, 2)
      return `${name}${isOptional ? "?" : ""}: ${printed}${isOptional ? " | undefined" : ""}`
    })
    return `(${text.join(", ")}) => ${this.print(signature.getReturnType(), 2)}`
  }

  private tupleParameters(tuple: ts.TupleTypeReference) {
    const { elementFlags, labeledElementDeclarations } = tuple.target
    return this.checker.getTypeArguments(tuple).map((type, index) => ({
      name: labeledElementDeclarations?.[index]?.name.getText() ?? `argument${index}`,
      isOptional: elementFlags[index] === ts.ElementFlags.Optional,
      type
    }))
  }

  private argumentsOf(type: ts.Type): ReadonlyArray<ts.Type> {
    return isReference(type) ? this.checker.getTypeArguments(type) : []
  }

  private typeOf(symbol: ts.Symbol): ts.Type {
    return this.checker.getTypeOfSymbol(symbol)
  }

  private print(type: ts.Type, depth: number): string {
    if (depth > 30) throw new Error(`${this.checker.typeToString(type)} contains itself`)
    const primitive = this.primitive(type)
    if (primitive !== undefined) return primitive
    if (type.isUnion()) return this.union(type.types, depth)
    if (isTuple(type)) {
      const elements = this.argumentsOf(type).map((element) => this.print(element, depth))
      return `${type.target.readonly ? "readonly " : ""}[${elements.join(", ")}]`
    }
    const declared = this.reference(type, depth)
    if (declared !== undefined) return declared
    if (type.isIntersection() && type.types.every((part) => this.isDeclared(part)))
      return type.types.map((part) => this.print(part, depth)).join(" & ")
    const name = this.resources.get(this.canonical(type))
    if (name === undefined) return this.structure(type, depth)
    if (!this.declared.has(name)) {
      this.declared.add(name)
      this.declarations.unused(name)
      const doc = this.resourceComment(name)
      this.declarations.addText(`${doc}export interface ${name} ${this.structure(type, 0)}`)
    }
    return name
  }

  private resourceComment(name: string): string {
    return `/** ${name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")}: a resource of the API. */\n`
  }

  private primitive(type: ts.Type): string | undefined {
    const simple =
      ts.TypeFlags.Any |
      ts.TypeFlags.Unknown |
      ts.TypeFlags.StringLike |
      ts.TypeFlags.NumberLike |
      ts.TypeFlags.BooleanLike |
      ts.TypeFlags.Void |
      ts.TypeFlags.Undefined |
      ts.TypeFlags.Null |
      ts.TypeFlags.Never
    if (type.flags & simple && !type.isUnion()) return this.checker.typeToString(type)
    if (!type.isIntersection()) return undefined
    const base = type.types.find((part) => part.flags & (ts.TypeFlags.String | ts.TypeFlags.Number))
    if (base === undefined) return undefined
    // `string & {}` keeps the members of an open enumeration; a brand is dropped.
    const isOpen = type.types.every((part) => part === base || part.getProperties().length === 0)
    const text = this.checker.typeToString(base)
    return isOpen ? `(${text} & {})` : text
  }

  /** Prints an optional type without `undefined`. */
  private defined(type: ts.Type, depth: number): string {
    if (!type.isUnion()) return this.print(type, depth)
    return this.union(
      type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined)),
      depth
    )
  }

  private union(types: ReadonlyArray<ts.Type>, depth: number): string {
    const parts = new Set(types.map((part) => this.print(part, depth)))
    if (parts.delete("true") && parts.delete("false")) parts.add("boolean")
    return [...parts].map((part) => (part.includes("=>") ? `(${part})` : part)).join(" | ")
  }

  private isDeclared(type: ts.Type): boolean {
    const symbol = type.aliasSymbol ?? type.symbol
    return symbol?.declarations?.some(ts.isInterfaceDeclaration) === true
  }

  /** A type with a name: of JavaScript, or an interface of the package. */
  private reference(type: ts.Type, depth: number): string | undefined {
    const symbol = type.getSymbol()
    const [declaration] = symbol?.declarations ?? []
    if (symbol === undefined || declaration === undefined || !this.isDeclared(type)) return undefined
    const count = ts.isInterfaceDeclaration(declaration) ? (declaration.typeParameters?.length ?? 0) : 0
    const list = this.argumentsOf(type)
      .slice(0, count)
      .map((argument) => this.print(argument, depth))
    const isLibrary = /\/typescript(-5)?\/lib\/lib\.|\/@types\/node\//.test(declaration.getSourceFile().fileName)
    const name = isLibrary ? (symbol.name === "Array" ? "Array" : symbol.name) : this.declarations.add(symbol)
    if (/^(Uint8Array|Date|AbortSignal|AsyncIterable|Promise|Array|ReadonlyArray)$/.test(name))
      return list.length === 0 || name === "Uint8Array" ? name : `${name}<${list[0]}>`
    return list.length === 0 ? name : `${name}<${list.join(", ")}>`
  }

  /** A text that is equal for equal structures. */
  private canonical(type: ts.Type): string {
    const known = this.canonicals.get(type)
    if (known !== undefined) return known
    const text = this.makeCanonical(type)
    this.canonicals.set(type, text)
    return text
  }

  private makeCanonical(type: ts.Type): string {
    const primitive = this.primitive(type)
    if (primitive !== undefined) return primitive
    if (type.isUnion()) {
      const parts = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined))
      return [...new Set(parts.map((part) => this.canonical(part)))].toSorted().join("|")
    }
    if (isTuple(type))
      return `[${this.argumentsOf(type)
        .map((element) => this.canonical(element))
        .join()}]`
    if (this.isDeclared(type)) {
      const list = this.argumentsOf(type)
      return `${type.symbol.name}<${list.map((argument) => (argument === type ? "" : this.canonical(argument))).join()}>`
    }
    const index = this.checker.getIndexInfosOfType(type).map((info) => `[]:${this.canonical(info.type)}`)
    const members = type
      .getProperties()
      .map(
        (member) =>
          `${member.name}${member.flags & ts.SymbolFlags.Optional ? "?" : ""}:${this.canonical(this.typeOf(member))}`
      )
    return `{${[...index, ...members].toSorted().join(";")}}`
  }

  private structure(type: ts.Type, depth: number): string {
    const indent = "  ".repeat(depth + 1)
    const index = this.checker
      .getIndexInfosOfType(type)
      .map(
        (info) =>
          `${indent}readonly [name: ${this.checker.typeToString(info.keyType)}]: ${this.print(info.type, depth + 1)}\n`
      )
    const members = type.getProperties().map((member) => {
      const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0
      const full = this.typeOf(member)
      const printed = isOptional ? this.defined(full, depth + 1) : this.print(full, depth + 1)
      return `${this.comment(member, depth + 1)}${indent}readonly ${quoted(member.name)}${isOptional ? "?" : ""}: ${printed}\n`
    })
    return `{\n${index.join("")}${members.join("")}${"  ".repeat(depth)}}`
  }

  private comment(symbol: ts.Symbol, depth: number): string {
    const text = ts.displayPartsToString(symbol.getDocumentationComment(this.checker)).trim()
    if (text === "") return ""
    const indent = "  ".repeat(depth)
    const lines = text.replaceAll("*/", "*\\/").split("\n")
    return lines.length === 1
      ? `${indent}/** ${lines[0]} */\n`
      : `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`
  }
}

const isReference = (type: ts.Type): type is ts.TypeReference => "target" in type

const isTuple = (type: ts.Type): type is ts.TupleTypeReference => isReference(type) && "elementFlags" in type.target

const quoted = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))
