/** Local names of C by the layout of the text, for functions whose tree is broken by unknown macros. */
import type { Occurrence } from "./Occurrence.ts"

/**
 * Returns the declaration of a local name by the layout of the text, for functions whose tree is broken by macros: the
 * last declaration in the function before the use, or a parameter in its head.
 */
export const declarationOf = (
  text: string,
  use: Occurrence,
  all: ReadonlyArray<Occurrence>
): Occurrence | undefined => {
  if (use.receiver !== undefined || use.role === "key" || use.role === "label") return undefined
  const body = text.lastIndexOf("\n{", use.from)
  const before = text.lastIndexOf("\n}", use.from)
  if (body === -1 || before > body) return undefined
  const head = Math.max(before, text.lastIndexOf("\n\n", body), text.lastIndexOf(";", body), 0)
  const near = all.filter(({ from }) => from > head && from < use.from)
  const local = near.findLast(
    ({ declaration, from }) => declaration !== undefined && declaration.level !== "member" && from > body
  )
  if (local?.declaration !== undefined) return asLocal(local, use, head)
  // A parameter of a macro that defines a function: `SYSCALL_DEFINE1(close, unsigned int, fd)`.
  const parameter = near.find(
    ({ from }) =>
      from < body && /^\w+\s*[,)[]/.test(text.slice(from, from + 300)) && /[\s*,&]$/.test(text.slice(head, from))
  )
  return parameter === undefined ? undefined : asLocal(parameter, use, head)
}

const asLocal = (one: Occurrence, use: Occurrence, head: number): Occurrence => ({
  ...one,
  declaration: {
    kind: "variable",
    ...(one.declaration?.kind === undefined ? {} : { kind: one.declaration.kind }),
    level: "local",
    scope: [head, use.from],
    node: one.declaration?.node ?? one.node
  }
})
