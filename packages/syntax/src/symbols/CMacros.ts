/** Macros of the kernel, or of a project with the same conventions, that define a symbol. */
import * as CDeclarators from "./CDeclarators.ts"
import * as CScanner from "./CScanner.ts"
import type { CStatement } from "./CStatement.ts"
import type { SourceSymbolKind } from "./SourceSymbol.ts"

/** Maximum length of the arguments that are searched for a name. */
const MAX_ARGUMENTS = 300

/** A name that the call of a macro defines. */
export interface MacroSymbol {
  readonly name: string
  readonly kind: SourceSymbolKind
  readonly at: number
  readonly isDeclaration: boolean
}

/** The symbol that a macro defines. */
interface DefiningMacro {
  readonly kind: SourceSymbolKind
  /** Index of the argument with the name, and the prefix that the macro adds to the name. */
  readonly argument: number
  readonly prefix: string
  readonly isDeclaration: boolean
}

/** Returns the symbols of a statement that is a call of a macro: at most one. Undefined for another statement. */
export const symbolsOf = (
  text: string,
  statement: CStatement,
  isInClass: boolean
): ReadonlyArray<MacroSymbol> | undefined => {
  const tokens = statement.tokens.filter((token) => !/^(?:static|extern|const|__\w+)$/.test(statement.textOf(token)))
  const [name, group] = tokens
  if (name?.type !== CScanner.WORD || group?.type !== CScanner.GROUP) return undefined
  const inner = CDeclarators.inGroup(text, tokens, 1)
  if (inner !== undefined && /^\(\s*\*/.test(statement.textOf(group))) return undefined
  const macro = definingMacro(statement.textOf(name), isInClass)
  if (macro === undefined) return []
  const names = macro.argument === 1 ? /^\([^,()]*,\s*([A-Za-z_]\w*)/ : /^\(\s*([A-Za-z_]\w*)/
  const [all = "", defined] = names.exec(text.slice(group.start, group.start + MAX_ARGUMENTS)) ?? []
  if (defined === undefined) return []
  const { isDeclaration, kind, prefix } = macro
  return [{ name: prefix + defined, kind, at: group.start + all.length - defined.length, isDeclaration }]
}

/** Returns the system call that a statement defines, by the name that other files use, and the end of the head. */
export const systemCall = (
  text: string,
  statement: CStatement
): { readonly name: string; readonly at: number; readonly end: number } | undefined => {
  const [macro, group] = statement.tokens
  const match = /^(COMPAT_)?SYSCALL_DEFINE\d$/.exec(statement.textOf(macro))
  if (match === null || group?.type !== CScanner.GROUP) return undefined
  const [, space = "", name] = /^\((\s*)(\w+)/.exec(text.slice(group.start, group.start + MAX_ARGUMENTS)) ?? []
  if (name === undefined) return undefined
  const prefix = match[1] === undefined ? "sys_" : "compat_sys_"
  return { name: prefix + name, at: group.start + 1 + space.length, end: group.end }
}

const definingMacro = (name: string, isInClass: boolean): DefiningMacro | undefined => {
  if (/^(?:TRACE_EVENT|DEFINE_EVENT)/.test(name))
    return { kind: "function", argument: name.startsWith("DEFINE") ? 1 : 0, prefix: "trace_", isDeclaration: false }
  const match = /^(?:__)?(DEFINE_|DECLARE_|BIT$|(?:LIST|HLIST|LLIST|(?:BLOCKING|ATOMIC|RAW|SRCU)_NOTIFIER)_HEAD)/.exec(
    name
  )
  if (match === null || (match[1] === "BIT" && !isInClass)) return undefined
  return {
    kind: isInClass ? "field" : "variable",
    argument: /PER_CPU/.test(name) ? 1 : 0,
    prefix: "",
    isDeclaration: match[1] === "DECLARE_" && !isInClass
  }
}
