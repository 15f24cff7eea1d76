/** Infers the types of expressions in TypeScript from what is written: annotations, members of types, and calls. */
import type { Occurrence } from "@tongs/syntax/navigation/Occurrence"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import type { Modules } from "./Modules.ts"
import {
  annotationOf,
  arrayTypes,
  child,
  children,
  elements,
  functions,
  indexOf,
  initializerOf,
  parametersOf,
  returnsOf,
  type Shape,
  textOf,
  type Written
} from "./TypeNodes.ts"

type SyntaxNode = Occurrence["node"]

/** A member of an enumeration, as a type and as a value. */
const isWord = /^[A-Z]\w*\.[A-Z]\w*$/

/** Maximum number of steps for one file, and their depth. */
const maxSteps = 20_000
const maxDepth = 24

const lists = new Set(["Array", "ReadonlyArray", "Set", "ReadonlySet"])
const wrappers = /^(?:Partial|Readonly|Required|NonNullable|Extract|Exclude|Omit|Pick|Promise|Awaited|UnwrapRef)$/
const anything = /^(?:any|unknown|object|never|Object|const)$/
const toElement = new Set(["find", "findLast", "pop", "shift", "at"])
const toSame = new Set(["filter", "slice", "concat", "reverse", "sort"])
const overElements = new Set(["find", "findLast", "filter", "map", "forEach", "some", "every", "findIndex", "flatMap"])
const declarations = new Set(["InterfaceDeclaration", "ClassDeclaration", "EnumDeclaration"])

/** Infers types in one commit, within the bounds of `modules`. */
export class Types {
  readonly #modules: Modules
  readonly #texts = new Map<string, ReadonlyMap<string, string>>()
  /** Occurrences in the file that was read last. */
  #last: { readonly file: SourceFile.SourceFile; readonly byName: Map<string, ReadonlyArray<Occurrence>> } | undefined
  #steps = 0

  constructor(modules: Modules) {
    this.#modules = modules
  }

  /** Allows further steps, for the next file. */
  restart(): void {
    this.#steps = 0
  }

  /** Returns the types of an expression. Empty if they are not known. */
  async shapesOf(at: Written, depth: number = 0): Promise<ReadonlyArray<Shape>> {
    return this.#expandAll(await this.#of(at, depth), depth)
  }

  /** Returns the types that the place of an expression expects. Empty if they are not known. */
  async expected(at: Written, depth: number = 0): Promise<ReadonlyArray<Shape>> {
    return this.#expandAll(await this.#contextual(at, depth), depth)
  }

  /** Returns the types from which a pattern takes the name at a node: `const { name } = value`. */
  async takenFrom(at: Written): Promise<ReadonlyArray<Shape>> {
    const pattern = at.node.parent?.parent
    return pattern?.name === "ObjectPattern" ? this.#pattern({ ...at, node: pattern }, 0) : []
  }

  /** Returns the types that a class or interface extends, with those that these extend. */
  async bases(shape: Shape, depth: number = 0): Promise<ReadonlyArray<Shape>> {
    const parts = children(shape.node)
    const start = parts.findIndex(({ name }) => name === "extends" || name === "implements")
    if (!declarations.has(shape.node.name) || start === -1) return []
    const names = parts
      .slice(start)
      .filter(({ name }) => ["TypeName", "VariableName", "ParameterizedType"].includes(name))
    const found = await this.#expandAll(
      names.map((node) => ({ ...shape, node })),
      depth
    )
    const above = depth > 6 ? [] : await Promise.all(found.map((one) => this.bases(one, depth + 1)))
    return [...found, ...above.flat()]
  }

  /** Returns the type that a file declares by a name, or that a variable with this name is declared to have. */
  async named(path: string, file: SourceFile.SourceFile, name: string): Promise<ReadonlyArray<Shape>> {
    const found: Array<Shape> = []
    for (const { declaration, node } of SourceFile.occurrences(file, name)) {
      if (declaration === undefined || declaration.level === "import" || declaration.level === "member") continue
      const isType = declarations.has(declaration.node.name) || declaration.node.name === "TypeAliasDeclaration"
      const annotation = isType ? declaration.node : annotationOf(node)
      if (annotation !== undefined) found.push(...(await this.#expand({ path, file, node: annotation }, 0)))
    }
    return found
  }

  /** False if an object has a key that none of the types has, or another of the words that tell the types apart. */
  async canBe(object: Written, types: ReadonlyArray<{ readonly path: string; readonly scope: string | undefined }>) {
    const keys = children(object.node).filter(({ name }) => name === "Property")
    for (const { path, scope } of types) {
      const members = scope === undefined ? undefined : await this.#memberTexts(path, scope)
      if (members === undefined) return true
      const fits = keys.every((key) => {
        const own = child(key, "PropertyDefinition")
        if (own === undefined) return true
        const type = members.get(textOf(object.file, own))
        const value = key.lastChild?.name === "MemberExpression" ? textOf(object.file, key.lastChild) : undefined
        return (
          type !== undefined && (value === undefined || !isWord.test(type) || !isWord.test(value) || type === value)
        )
      })
      if (fits) return true
    }
    return false
  }

  /** True if an object is in an argument of a call. */
  static isArgument(object: SyntaxNode): boolean {
    let at: SyntaxNode | null = object
    while (at !== null && /^(?:Object|Array|Parenthesized|Conditional|Binary)Expression$|^Property$/.test(at.name))
      at = at.parent
    return at?.name === "ArgList"
  }

  /** Returns the members of a type with their written types. Undefined if the type is not known. */
  async #memberTexts(path: string, name: string): Promise<ReadonlyMap<string, string> | undefined> {
    const key = `${path} ${name}`
    const known = this.#texts.get(key)
    if (known !== undefined) return known
    const texts = new Map<string, string>()
    const file = await this.#modules.files.file(this.#modules.at, path)
    const shapes = file === undefined ? [] : await this.named(path, file, name)
    for (const shape of shapes) {
      for (const one of [shape, ...(await this.bases(shape))]) {
        for (const member of children(child(one.node, "ObjectType", "ClassBody") ?? one.node)) {
          const own = child(member, "PropertyDefinition")
          // A type with an index has any keys.
          if (member.name === "IndexSignature") return undefined
          if (own === undefined || texts.has(textOf(one.file, own))) continue
          const type = child(member, "TypeAnnotation")
          texts.set(textOf(one.file, own), type === undefined ? "" : textOf(one.file, type).replace(/^:\s*/, ""))
        }
      }
    }
    if (texts.size === 0) return undefined
    this.#texts.set(key, texts)
    return texts
  }

  /** True once the steps or the time for the file are used up, or types refer to each other without end. */
  #isOver(depth: number): boolean {
    return this.#steps++ > maxSteps || depth > maxDepth || this.#modules.isExhausted
  }

  /** Returns the occurrences of a name in a file, which many expressions of the file ask for. */
  #occurrences(file: SourceFile.SourceFile, name: string): ReadonlyArray<Occurrence> {
    if (this.#last?.file !== file) this.#last = { file, byName: new Map() }
    const known = this.#last.byName.get(name) ?? SourceFile.occurrences(file, name)
    this.#last.byName.set(name, known)
    return known
  }

  async #expandAll(types: ReadonlyArray<Written>, depth: number): Promise<ReadonlyArray<Shape>> {
    const found: Array<Shape> = []
    for (const one of types) found.push(...(await this.#expand(one, depth + 1)))
    return found
  }

  async #expand({ file, node, path }: Written, depth: number): Promise<ReadonlyArray<Shape>> {
    if (this.#isOver(depth)) return []
    const at: Written = { file, node, path }
    const inner = (nodes: ReadonlyArray<SyntaxNode>) =>
      this.#expandAll(
        nodes.filter(({ name }) => /Type|Signature/.test(name)).map((one) => ({ ...at, node: one })),
        depth
      )
    switch (node.name) {
      case "TypeAnnotation":
      case "ParenthesizedType":
      case "ReadonlyType":
      case "UnionType":
      case "IntersectionType":
        return inner(children(node))
      case "ArrayType":
        return node.firstChild === null ? [] : [{ ...at, node: node.firstChild, name: undefined, isArray: true }]
      case "ParameterizedType": {
        const head = node.firstChild
        const first = child(node, "TypeArgList")?.firstChild?.nextSibling
        if (head === null) return []
        const name = textOf(file, head)
        if (lists.has(name) && first) return [{ ...at, node: first, name: undefined, isArray: true }]
        return wrappers.test(name) && first ? inner([first]) : inner([head])
      }
      case "IndexedType": {
        const [first, mark, key] = children(node)
        if (first === undefined || key === undefined || mark?.name !== "[") return []
        const shapes = await this.#expand({ ...at, node: first }, depth + 1)
        const name = textOf(file, key).replace(/^['"]|['"]$/g, "")
        const types = /^(?:\d+|number)$/.test(name) ? elements(shapes) : await this.#members(shapes, name, depth + 1)
        return this.#expandAll(types, depth)
      }
      case "TypeofType":
        return node.lastChild === null ? [] : this.#typeOfValue({ ...at, node: node.lastChild }, depth + 1)
      case "TypeName":
      case "VariableName":
        return this.#named(at, depth)
      case "TypeAliasDeclaration":
        return inner(children(node).slice(1 + children(node).findIndex(({ name }) => name === "Equals")))
      case "ObjectExpression": {
        // An object that a variable names is the container of its keys.
        const name = node.parent?.name === "VariableDeclaration" ? child(node.parent, "VariableDefinition") : undefined
        return [{ ...at, name: name === undefined ? undefined : textOf(file, name) }]
      }
      case "ObjectType": {
        let up = node.parent
        while (up !== null && up.name !== "TypeAliasDeclaration" && up.name !== "InterfaceDeclaration") up = up.parent
        const name = up === null ? undefined : child(up, "TypeDefinition")
        return [{ ...at, name: name === undefined ? undefined : textOf(file, name) }]
      }
      case "FunctionSignature":
      case "MethodType":
        return [{ ...at, name: undefined }]
      default: {
        if (functions.has(node.name)) return [{ ...at, name: undefined }]
        const name = declarations.has(node.name) ? child(node, "TypeDefinition", "VariableDefinition") : undefined
        return name === undefined ? [] : [{ ...at, name: textOf(file, name) }]
      }
    }
  }

  async #typeOfValue(at: Written, depth: number): Promise<ReadonlyArray<Shape>> {
    const name = textOf(at.file, at.node)
    const found = await this.shapesOf(at, depth)
    return found.every((one) => one.name === undefined) ? [{ ...at, name }] : found
  }

  /** Returns the types that a name means. A type of the platform is known, too, but has no members here. */
  async #named(at: Written, depth: number): Promise<ReadonlyArray<Shape>> {
    const name = textOf(at.file, at.node)
    const types = await this.#declared(at, name)
    if (types.length > 0)
      return this.#expandAll(
        types.filter(({ node }) => declarations.has(node.name) || node.name === "TypeAliasDeclaration"),
        depth
      )
    const isHere = this.#occurrences(at.file, name).some(({ declaration }) => declaration !== undefined)
    return isHere || anything.test(name) ? [] : [{ ...at, path: "", name }]
  }

  /** Returns the declarations of a name at the top of a file, or of the files from which the file imports it. */
  async #declared(
    { file, path }: Written,
    name: string
  ): Promise<ReadonlyArray<Written & { readonly leaf: SyntaxNode }>> {
    const found: Array<Written & { readonly leaf: SyntaxNode }> = []
    for (const place of await this.#modules.declared(path, file, name)) {
      const own = await this.#modules.files.file(this.#modules.at, place.path)
      if (own === undefined) continue
      for (const { declaration, node } of SourceFile.occurrences(own, place.name)) {
        if (declaration?.level !== "file" || found.some(({ leaf }) => leaf.from === node.from)) continue
        found.push({ path: place.path, file: own, node: declaration.node, leaf: node })
      }
    }
    return found
  }

  async #members(shapes: ReadonlyArray<Shape>, name: string, depth: number): Promise<ReadonlyArray<Written>> {
    const found: Array<Written> = []
    if (this.#isOver(depth)) return found
    for (const shape of shapes) {
      if (shape.isArray === true) continue
      const body = child(shape.node, "ObjectType", "ClassBody") ?? shape.node
      const member = children(body).find((one) => {
        const own = child(one, "PropertyDefinition", "PrivatePropertyDefinition")
        return own !== undefined && textOf(shape.file, own) === name
      })
      if (member === undefined) {
        const bases = depth > 10 ? [] : await this.bases(shape, 6)
        if (bases.length > 0) found.push(...(await this.#members(bases, name, depth + 1)))
        continue
      }
      const annotation =
        member.name === "MethodType" || functions.has(member.name) ? member : child(member, "TypeAnnotation")
      if (annotation !== undefined) found.push({ ...shape, node: annotation })
      else if (member.lastChild !== null && body.name !== "ObjectType")
        found.push(...(await this.#of({ ...shape, node: member.lastChild }, depth + 1)))
    }
    return found
  }

  async #of(at: Written, depth: number): Promise<ReadonlyArray<Written>> {
    if (this.#isOver(depth)) return []
    const { file, node } = at
    const parts = children(node)
    const go = (one: SyntaxNode | null | undefined) => (one ? this.#of({ ...at, node: one }, depth + 1) : [])
    switch (node.name) {
      case "ParenthesizedExpression":
        return go(parts[1])
      case "PostfixExpression":
        return go(parts[0])
      case "AwaitExpression":
      case "AssignmentExpression":
        return go(node.lastChild)
      case "BinaryExpression": {
        const mark = parts[1]
        if (mark === undefined || node.lastChild === null) return []
        if (mark.name === "as" || mark.name === "satisfies") return [{ ...at, node: node.lastChild }]
        if (textOf(file, mark) === "&&") return go(node.lastChild)
        return mark.name === "LogicOp" ? [...(await go(parts[0])), ...(await go(node.lastChild))] : []
      }
      case "ConditionalExpression":
        return [...(await go(parts[2])), ...(await go(parts[4]))]
      case "NewExpression":
        return parts[1] === undefined ? [] : [{ ...at, node: parts[1] }]
      case "ObjectExpression":
      case "ArrowFunction":
      case "FunctionExpression":
        return [at]
      case "this": {
        for (let up = node.parent; up !== null; up = up.parent)
          if (up.name === "ClassDeclaration") return [{ ...at, node: up }]
        return []
      }
      case "VariableName": {
        const name = textOf(file, node)
        const all = this.#occurrences(file, name)
        const use = all.find(({ from }) => from === node.from)
        const own = use === undefined ? [] : SourceFile.declarationsOf(use, all, file)
        const local = own.find(({ declaration }) => declaration?.level !== "import")
        if (local !== undefined) return this.#typeOfDeclared({ ...at, node: local.node }, depth + 1)
        const others = own.length === 0 ? [] : await this.#declared(at, name)
        const found: Array<Written> = []
        for (const one of others) found.push(...(await this.#typeOfDeclared({ ...one, node: one.leaf }, depth + 1)))
        return found
      }
      case "MemberExpression": {
        const shapes = parts[0] === undefined ? [] : await this.shapesOf({ ...at, node: parts[0] }, depth + 1)
        if (node.lastChild?.name !== "]")
          return node.lastChild === null ? [] : this.#members(shapes, textOf(file, node.lastChild), depth + 1)
        return elements(shapes)
      }
      case "CallExpression":
        return parts[0] === undefined ? [] : this.#called({ ...at, node: parts[0] }, depth + 1)
      default:
        return []
    }
  }

  async #called(callee: Written, depth: number): Promise<ReadonlyArray<Written>> {
    const method = callee.node.name === "MemberExpression" ? callee.node.lastChild : null
    const name = method === null ? "" : textOf(callee.file, method)
    if ((toElement.has(name) || toSame.has(name)) && callee.node.firstChild !== null) {
      const arrays = (await this.shapesOf({ ...callee, node: callee.node.firstChild }, depth)).filter(
        ({ isArray }) => isArray === true
      )
      if (arrays.length > 0) return toElement.has(name) ? elements(arrays) : arrays.flatMap(arrayTypes)
    }
    return returnsOf(await this.shapesOf(callee, depth))
  }

  /** Returns the types of a declared variable, parameter or function, by its name's node. */
  async #typeOfDeclared(at: Written, depth: number): Promise<ReadonlyArray<Written>> {
    const leaf = at.node
    const { parent } = leaf
    const annotation = annotationOf(leaf)
    if (parent === null || depth > maxDepth) return []
    if (functions.has(parent.name) || declarations.has(parent.name)) return [{ ...at, node: parent }]
    if (annotation !== undefined) return [{ ...at, node: annotation }]
    const value = initializerOf(leaf)
    switch (parent.name) {
      case "VariableDeclaration":
        return value === undefined ? [] : this.#of({ ...at, node: value }, depth + 1)
      case "PatternProperty": {
        const pattern = parent.parent
        const key = child(parent, "PropertyName") ?? leaf
        if (pattern?.name !== "ObjectPattern") return []
        const shapes = await this.#pattern({ ...at, node: pattern }, depth + 1)
        return this.#members(shapes, textOf(at.file, key), depth + 1)
      }
      case "ForOfSpec":
        return parent.lastChild === null || parent.lastChild.prevSibling === null
          ? []
          : elements(await this.shapesOf({ ...at, node: parent.lastChild.prevSibling }, depth + 1))
      case "ParamList":
        return this.#parameter(at, depth + 1)
      case "ArrowFunction":
        return this.#parameter(at, depth + 1)
      default:
        return []
    }
  }

  /** Returns the types from which a pattern takes its names. */
  async #pattern(at: Written, depth: number): Promise<ReadonlyArray<Shape>> {
    return this.#expandAll(await this.#typeOfDeclared(at, depth + 1), depth)
  }

  /** Returns the types of a parameter of a function whose place expects a function. */
  async #parameter(at: Written, depth: number): Promise<ReadonlyArray<Written>> {
    const list = at.node.parent
    const made = list?.name === "ParamList" ? list.parent : list
    if (list === null || made === null || made === undefined) return []
    const index = list === made ? 0 : indexOf(at.node)
    const call = made.parent?.name === "ArgList" ? made.parent.parent : null
    const callee = call?.firstChild
    if (callee?.name === "MemberExpression" && callee.firstChild !== null && callee.lastChild !== null && index === 0) {
      if (overElements.has(textOf(at.file, callee.lastChild))) {
        const found = elements(await this.shapesOf({ ...at, node: callee.firstChild }, depth))
        if (found.length > 0) return found
      }
    }
    const shapes = await this.expected({ ...at, node: made }, depth)
    return shapes.flatMap((one) => parametersOf(one, index))
  }

  async #contextual(at: Written, depth: number): Promise<ReadonlyArray<Written>> {
    const { node } = at
    const { parent } = node
    if (parent === null || this.#isOver(depth)) return []
    const up = () => this.#contextual({ ...at, node: parent }, depth + 1)
    switch (parent.name) {
      case "ParenthesizedExpression":
      case "ConditionalExpression":
        return up()
      case "BinaryExpression": {
        const mark = parent.firstChild?.nextSibling
        const isTyped = mark?.name === "as" || mark?.name === "satisfies"
        return isTyped && parent.lastChild !== null ? [{ ...at, node: parent.lastChild }] : up()
      }
      case "VariableDeclaration": {
        const before = node.prevSibling?.prevSibling
        return before?.name === "TypeAnnotation" ? [{ ...at, node: before }] : []
      }
      case "AssignmentExpression":
        return parent.firstChild === null ? [] : this.#of({ ...at, node: parent.firstChild }, depth + 1)
      case "PropertyDeclaration": {
        const annotation = child(parent, "TypeAnnotation")
        return annotation === undefined ? [] : [{ ...at, node: annotation }]
      }
      case "ArrayExpression":
        return elements(await this.#expandAll(await up(), depth))
      case "Property": {
        const object = parent.parent
        const key = parent.firstChild
        if (object === null || key === null) return []
        const shapes = await this.expected({ ...at, node: object }, depth + 1)
        return this.#members(shapes, textOf(at.file, key), depth + 1)
      }
      case "ArrowFunction":
        return this.#returned({ ...at, node: parent }, depth)
      case "ReturnStatement": {
        for (let made = parent.parent; made !== null; made = made.parent)
          if (functions.has(made.name)) return this.#returned({ ...at, node: made }, depth)
        return []
      }
      case "ArgList":
        return this.#argument(at, parent, depth)
      default:
        return []
    }
  }

  async #returned(made: Written, depth: number): Promise<ReadonlyArray<Written>> {
    const own = returnsOf([{ ...made, name: undefined }])
    return own.length > 0 ? own : returnsOf(await this.expected(made, depth + 1))
  }

  async #argument(at: Written, list: SyntaxNode, depth: number): Promise<ReadonlyArray<Written>> {
    const callee = list.parent?.name === "CallExpression" ? list.parent.firstChild : null
    if (callee === null) return []
    if (callee.name === "MemberExpression" && callee.firstChild !== null && callee.lastChild !== null) {
      if (/^(?:push|unshift|add)$/.test(textOf(at.file, callee.lastChild))) {
        const found = elements(await this.shapesOf({ ...at, node: callee.firstChild }, depth + 1))
        if (found.length > 0) return found
      }
    }
    const shapes = await this.shapesOf({ ...at, node: callee }, depth + 1)
    return shapes.flatMap((one) => parametersOf(one, indexOf(at.node)))
  }
}
