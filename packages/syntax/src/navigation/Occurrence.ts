import type { SyntaxNode } from "@lezer/common"
import type { SourceSymbolKind } from "../symbols/SourceSymbol.ts"

/** What a name does at a position. A `key` is a member in an object, structure or call: `{ key: 1 }`. */
export type Role = "call" | "type" | "value" | "member" | "key" | "import" | "export" | "declaration" | "label"

/** Kind of a declaration, as `SymbolKind` of the contract. */
export type Kind = SourceSymbolKind

/** A declaration of a name. */
export interface Declaration {
  readonly kind: Kind
  /**
   * `file`: outside of functions; `member`: used by means of its container; `import`: bound to a name of another file.
   */
  readonly level: "local" | "file" | "member" | "import"
  /** Range of the text that sees the name, in UTF-16 code units. */
  readonly scope: readonly [number, number]
  /** The whole declaration. */
  readonly node: SyntaxNode
  /** Name of the enclosing class, structure, enumeration or namespace. */
  readonly container?: string | undefined
  /** True if there is a definition with a body elsewhere, as for a prototype. */
  readonly isPrototype?: boolean
  /** True if only text after the declaration sees the name. */
  readonly isOrdered?: boolean
  /** True if a name that the scope already has is only assigned: `a, err := f()`. */
  readonly canAssign?: boolean
}

/** A name at a position, in code. */
export interface Occurrence {
  readonly from: number
  readonly node: SyntaxNode
  readonly role: Role
  /** True for a called function, method or macro. */
  readonly isCall: boolean
  /** The expression before the dot, arrow or `::` of a member. */
  readonly receiver?: SyntaxNode | undefined
  /** Name of the type of a member without a receiver: of an element in JSX. */
  readonly container?: string
  /** `struct`, `enum` or `union` before a name in C. */
  readonly tag?: string | undefined
  readonly declaration?: Declaration | undefined
  /** True for a name that is also a key: `{ name }`. */
  readonly isShorthand?: boolean
}

/** What a language rule knows of a name. */
export type Classified = Omit<Occurrence, "from" | "node">

/** A name that a file takes from another file. */
export interface Import {
  /** The module, package or file, as the file writes it. */
  readonly target: string
  /** Name in the other file: `*` for the module itself, `default` for a default export. Undefined for all names. */
  readonly imported: string | undefined
  /** Name in this file. Undefined if all names are imported, or if the file only passes them on. */
  readonly local: string | undefined
  /** Name that other files can import, if the file passes the name on: `*` for all names. */
  readonly exported?: string | undefined
  /** Start of the import in the file, in languages whose imports need not write the local name. */
  readonly from?: number
  /** True if a setting of the project can give another meaning to the target. */
  readonly isUncertain?: true
}

/** Rules of a language. */
export interface Rules {
  /** Names of the tree's nodes that are identifiers. */
  readonly names: ReadonlySet<string>
  readonly classify: (node: SyntaxNode, text: string) => Classified
  /** Returns the written type of a declared variable, field or parameter: the last name of its path. */
  readonly typeOf: (declared: SyntaxNode, text: string) => string | undefined
  /** Returns the name of the type of `this` or `self` at a node. */
  readonly selfAt: (node: SyntaxNode, text: string) => string | undefined
  /** Names for the enclosing instance. */
  readonly self: ReadonlySet<string>
  readonly imports: (root: SyntaxNode, text: string) => ReadonlyArray<Import>
  /** Names of the tree's nodes that are bodies, which a signature leaves out. */
  readonly bodies: ReadonlySet<string>
}
