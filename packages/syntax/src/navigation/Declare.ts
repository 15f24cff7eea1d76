/** What the rules of several languages share: declarations by their scopes. */
import type { SyntaxNode } from "@lezer/common"
import * as Nodes from "./Nodes.ts"
import type { Classified, Declaration, Kind } from "./Occurrence.ts"

/** A use of a name as a value. */
export const value: Classified = { role: "value", isCall: false }

/** A called name. */
export const call: Classified = { role: "call", isCall: true }

/** A use of a name as a type. */
export const type: Classified = { role: "type", isCall: false }

/** A name in an object, structure or call. */
export const key: Classified = { role: "key", isCall: false }

/** A name in an import. */
export const imported: Classified = { role: "import", isCall: false }

/** A declaration that a scope sees. `functions` are the nodes whose contents no other function sees. */
export const inScope = (
  kind: Kind,
  node: SyntaxNode,
  scope: SyntaxNode | undefined,
  functions: ReadonlySet<string>,
  more: Pick<Declaration, "canAssign" | "container" | "isOrdered" | "isPrototype"> = {}
): Classified => ({
  role: "declaration",
  isCall: false,
  declaration: {
    kind,
    level: Nodes.closest(scope ?? null, functions) === undefined ? "file" : "local",
    scope: scope === undefined ? [0, node.to] : [scope.from, scope.to],
    node,
    ...more
  }
})

/** The range of a member, which any text with a value of the container sees. */
const everywhere: Declaration["scope"] = [0, Number.MAX_SAFE_INTEGER]

/** A declaration that is used by means of its container. */
export const member = (
  kind: Kind,
  node: SyntaxNode,
  container: string | undefined,
  more: Pick<Declaration, "isPrototype"> = {}
): Classified => ({
  role: "declaration",
  isCall: false,
  declaration: { kind, level: "member", scope: everywhere, node, container, ...more }
})

/** A name that an import binds in a scope. */
export const bound = (node: SyntaxNode, scope: SyntaxNode | undefined): Classified => ({
  role: "import",
  isCall: false,
  declaration: {
    kind: "variable",
    level: "import",
    scope: scope === undefined ? [0, node.to] : [scope.from, scope.to],
    node
  }
})
