/** Finds symbols in the syntax tree of a Lezer grammar, without recursion. */
import type { SyntaxNode, Tree } from "@lezer/common"
import type { FoundSymbol, SourceSymbolKind } from "./SourceSymbol.ts"

/** A definition that encloses the node that is visited. */
export interface Scope {
  readonly name: string
  /** Kind of the definition, or `impl` for a block that only names the scope of the members. */
  readonly kind: SourceSymbolKind | "impl"
  /** Offset of the end of the definition. */
  readonly end: number
}

/** State of a walk through a tree, for the rules of a language. */
export interface TreeWalk {
  readonly text: string
  /** Innermost enclosing definition. */
  readonly scope: Scope | undefined
  readonly textOf: (node: { readonly from: number; readonly to: number }) => string
  /**
   * Adds a symbol. `node` is the whole definition. Without `scope`, the innermost enclosing definition is the scope.
   * With `once`, leaves out the symbol if the scope has another one of this name, before or after.
   */
  readonly add: (
    kind: SourceSymbolKind,
    name: { readonly from: number; readonly to: number },
    node: { readonly to: number },
    options?: {
      readonly scope?: string | undefined
      readonly isDeclaration?: boolean
      readonly name?: string
      readonly once?: boolean
    }
  ) => void
  /** Makes a definition the scope of the nodes inside. */
  readonly enter: (name: string, kind: Scope["kind"], node: { readonly to: number }) => void
}

/** Handles a node of a type. Returns false to skip the nodes inside. */
export type Rule = (node: SyntaxNode, walk: TreeWalk) => boolean | void

/** The rules of a language by the name of the node. */
export type Rules = Readonly<Record<string, Rule>>

/** Number of nodes between two checks of the time. */
const STEP = 1_024

/** Walks through a tree and returns the symbols, at most `limit`. Undefined if the time is over. */
export const symbolsIn = (
  tree: Tree,
  text: string,
  rules: Rules,
  { deadline, limit }: { readonly deadline: number; readonly limit: number }
): ReadonlyArray<FoundSymbol> | undefined => {
  const found: Array<FoundSymbol> = []
  const declared = new Set<string>()
  /** Symbols that were added with `once`, by scope and name. */
  const weak = new Map<string, FoundSymbol>()
  const scopes: Array<Scope> = []
  const walk = {
    text,
    scope: undefined as Scope | undefined,
    textOf: ({ from, to }: { readonly from: number; readonly to: number }) => text.slice(from, to),
    add: (
      kind: SourceSymbolKind,
      at: { readonly from: number; readonly to: number },
      node: { readonly to: number },
      options: {
        readonly scope?: string | undefined
        readonly isDeclaration?: boolean
        readonly name?: string
        readonly once?: boolean
      } = {}
    ) => {
      const name = options.name ?? text.slice(at.from, at.to)
      // The parser inserts empty names when recovering from errors.
      if (name === "" || name.length > MAX_NAME) return
      const scope = "scope" in options ? options.scope : scopes.at(-1)?.name
      const key = `${scope ?? ""}\n${name}`
      const one = { name, kind, at: at.from, end: node.to, scope, isDeclaration: options.isDeclaration === true }
      if (options.once === true) {
        if (weak.has(key)) return
        weak.set(key, one)
      } else declared.add(key)
      found.push(one)
    },
    enter: (name: string, kind: Scope["kind"], node: { readonly to: number }) => {
      scopes.push({ name, kind, end: node.to })
    }
  }
  const cursor = tree.cursor()
  for (let count = 0, more = true; more && found.length < limit; count++) {
    if (count % STEP === 0 && performance.now() > deadline) return undefined
    while (scopes.length > 0 && (scopes.at(-1)?.end ?? 0) <= cursor.from && cursor.from < cursor.to) scopes.pop()
    walk.scope = scopes.at(-1)
    const rule = rules[cursor.name]
    const enters = rule === undefined || rule(cursor.node, walk) !== false
    more = cursor.next(enters)
  }
  const repeated = new Set([...weak].flatMap(([key, one]) => (declared.has(key) ? [one] : [])))
  return repeated.size === 0 ? found : found.filter((one) => !repeated.has(one))
}

/** Maximum length of a name. Longer ones are errors of the parser. */
const MAX_NAME = 300

/** Returns the children of a node, one after the other. */
export function* childrenOf(node: SyntaxNode): Generator<SyntaxNode> {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) yield child
}

/** Returns the first child with one of the names. */
export const childOf = (node: SyntaxNode, ...names: ReadonlyArray<string>): SyntaxNode | undefined => {
  for (const child of childrenOf(node)) if (names.includes(child.name)) return child
  return undefined
}
