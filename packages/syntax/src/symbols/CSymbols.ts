/** Finds the symbols of C and C++ by declarations, without expanding macros. */
import * as CDeclarators from "./CDeclarators.ts"
import * as CMacros from "./CMacros.ts"
import * as CScanner from "./CScanner.ts"
import type { Token } from "./CScanner.ts"
import { CStatement, MAX_TOKENS } from "./CStatement.ts"
import {
  type FoundSymbol,
  type SourceSymbol,
  type SourceSymbolKind,
  type SymbolLimits,
  withLines
} from "./SourceSymbol.ts"

/** A block whose statements declare symbols. */
interface Scope {
  readonly kind: "namespace" | "class" | "struct" | "enum"
  /** Name of the block, or of the nearest enclosing block with a name. */
  readonly name: string | undefined
  readonly outer: Scope | undefined
  readonly depth: number
  /** Symbol of the block, whose end is not known yet. */
  readonly symbol: FoundSymbol | undefined
  /** Index of the first symbol in the block. */
  readonly first: number
  /** Tokens of the statement before the block. */
  readonly head: ReadonlyArray<Token>
}

/** State that a conditional directive restores at the next branch. */
interface Branch {
  readonly scope: Scope | undefined
  readonly tokens: Array<Token>
  readonly length: number
}

/** Number of tokens between two checks of the time. */
const STEP = 4_096

/** Maximum number of tokens before a value in braces. */
const MAX_VALUES = 200

/** Maximum number of nested blocks and conditions. */
const MAX_DEPTH = 200

/**
 * Returns the symbols of a C or C++ text, in the order of the text. After the time limit, the rest of the text has no
 * symbols.
 */
export const symbolsOf = (text: string, limits: SymbolLimits): ReadonlyArray<SourceSymbol> =>
  withLines(text, new CSymbols(text, limits).find())

class CSymbols {
  readonly #text: string
  readonly #limit: number
  readonly #deadline: number
  readonly #scanner: CScanner.CScanner
  readonly #found: Array<FoundSymbol> = []
  readonly #branches: Array<Branch> = []
  readonly #statement: CStatement
  #scope: Scope | undefined

  constructor(text: string, { symbols, timeout }: SymbolLimits) {
    this.#text = text
    this.#limit = symbols
    this.#statement = new CStatement(text)
    this.#deadline = performance.now() + timeout
    this.#scanner = new CScanner.CScanner(text, {
      directive: (name, at, isInside) => this.#directive(name, at, isInside)
    })
  }

  find(): ReadonlyArray<FoundSymbol> {
    const scanner = this.#scanner
    for (let count = 1; this.#found.length < this.#limit; count++) {
      const token = scanner.next()
      if (token.type === CScanner.END || (count % STEP === 0 && performance.now() > this.#deadline)) break
      if (token.type !== CScanner.MARK) {
        this.#push(token)
        continue
      }
      switch (this.#text[token.start]) {
        case ";":
          this.#end(token.end)
          this.#statement.clear()
          break
        case "{":
          this.#open(token)
          break
        case "}":
          this.#close(token)
          break
        case "<":
          if (this.#statement.canHaveArguments && scanner.skipAngles())
            this.#push({ type: CScanner.ANGLES, start: token.start, end: scanner.at })
          else this.#push(token)
          break
        case ",":
          if (this.#scope?.kind === "enum") this.#enumerator()
          else this.#push(token)
          break
        case ":":
          this.#push(token)
          if (this.#isInClass && this.#statement.isAccessLabel) this.#statement.clear()
          break
        default:
          this.#push(token)
      }
    }
    for (let open = this.#scope; open !== undefined; open = open.outer) {
      if (open.symbol !== undefined) open.symbol.end = this.#text.length
    }
    return this.#found
  }

  #push(token: Token): void {
    const statement = this.#statement
    // The call of a macro is a separate statement.
    if (token.type === CScanner.WORD && statement.isMacroBefore(token)) {
      this.#macro(statement.tokens[1]?.end ?? token.start)
      statement.clear()
    }
    statement.add(token)
  }

  #directive(name: string, at: number, isInside: boolean): void {
    if (name === "define") {
      const [, space = "", macro] = /^([ \t]+)([A-Za-z_]\w*)/.exec(this.#text.slice(at, at + 300)) ?? []
      if (macro !== undefined) this.#add(macro, "macro", at + space.length, this.#scanner.at, { scope: undefined })
    } else if (isInside) return
    else if (name.startsWith("if")) {
      const { length } = this.#statement.tokens
      this.#branches.push({ scope: this.#scope, tokens: this.#statement.tokens, length })
      if (this.#branches.length > MAX_DEPTH) this.#branches.shift()
    } else if (name.startsWith("el")) {
      const branch = this.#branches.at(-1)
      if (branch === undefined) return
      this.#scope = branch.scope
      this.#statement.tokens = branch.tokens
      if (this.#statement.tokens.length > branch.length) this.#statement.tokens.length = branch.length
    } else if (name === "endif") this.#branches.pop()
  }

  #add(
    name: string,
    kind: SourceSymbolKind,
    at: number,
    end: number,
    {
      isDeclaration = false,
      scope = this.#scopeName()
    }: { readonly isDeclaration?: boolean; readonly scope?: string | undefined } = {}
  ): FoundSymbol {
    const symbol = { name, kind, at, end, scope: kind === "macro" ? undefined : scope, isDeclaration }
    if (this.#found.length < this.#limit) this.#found.push(symbol)
    return symbol
  }

  #scopeName(): string | undefined {
    return this.#scope?.name
  }

  get #isInClass(): boolean {
    return this.#scope?.kind === "class" || this.#scope?.kind === "struct"
  }

  #open(brace: Token): void {
    const scanner = this.#scanner
    if (this.#scope?.kind === "enum") return scanner.skipBlock()
    const statement = this.#statement
    const { isAssigned, tokens } = statement
    const key = tokens.findLastIndex((token) => /^(?:struct|union|class|enum|namespace)$/.test(statement.textOf(token)))
    const isEnum = key > 0 && statement.textOf(tokens[key - 1]) === "enum"
    const word = isEnum ? "enum" : statement.textOf(tokens[key])
    if (statement.hasWord(/^extern$/) && tokens.length === 2 && tokens[1]?.type === CScanner.LITERAL)
      return this.#enter("namespace", undefined, undefined)
    if (word === "namespace" && !isAssigned) {
      const last = statement.namespaceName(key)
      const symbol = last === undefined ? undefined : this.#add(statement.textOf(last), "module", last.start, last.end)
      return this.#enter("namespace", symbol?.name, symbol)
    }
    const parameters = CDeclarators.functionHead(this.#text, tokens, this.#scope?.name)
    if (
      word !== "" &&
      !isAssigned &&
      (parameters === undefined || parameters.at < (tokens[key]?.start ?? 0) || statement.isBase(key, parameters))
    )
      return this.#openType(word, key)
    if (parameters !== undefined && !isAssigned) {
      if (statement.isInitializer(parameters.parameters)) {
        scanner.skipBlock()
        return this.#push({ type: CScanner.BRACKETS, start: brace.start, end: scanner.at })
      }
      return this.#openFunction(parameters)
    }
    const call = CMacros.systemCall(this.#text, statement)
    const systemCall = call === undefined ? undefined : this.#add(call.name, "function", call.at, call.end)
    scanner.skipBlock()
    if (systemCall !== undefined) systemCall.end = scanner.at
    // The value of a variable, whose statement continues after the value.
    if (tokens.length > MAX_VALUES) statement.clear()
    else if (isAssigned || (tokens.length > 1 && tokens.every(({ type }) => type !== CScanner.GROUP)))
      this.#push({ type: CScanner.BRACKETS, start: brace.start, end: scanner.at })
    else statement.clear()
  }

  #openFunction(head: CDeclarators.Head): void {
    const isMethod = this.#isInClass || head.scope !== undefined
    const symbol = this.#add(head.name, isMethod ? "method" : "function", head.at, head.at, {
      scope: head.scope ?? this.#scopeName()
    })
    this.#scanner.skipBlock()
    symbol.end = this.#scanner.at
    this.#statement.clear()
  }

  #openType(word: string, key: number): void {
    const last = this.#statement.typeName(key)
    const kind = word === "union" ? "struct" : word === "class" ? "class" : word === "enum" ? "enum" : "struct"
    const symbol = last === undefined ? undefined : this.#add(this.#statement.textOf(last), kind, last.start, last.end)
    this.#enter(kind, symbol?.name, symbol)
  }

  #enter(kind: Scope["kind"], name: string | undefined, symbol: FoundSymbol | undefined): void {
    const outer = this.#scope
    const depth = (outer?.depth ?? 0) + 1
    if (depth > MAX_DEPTH) this.#scanner.skipBlock()
    else {
      const first = this.#found.length
      this.#scope = { kind, name: name ?? outer?.name, symbol, first, head: this.#statement.tokens, outer, depth }
    }
    this.#statement.clear()
  }

  #close(brace: Token): void {
    if (this.#scope?.kind === "enum") this.#enumerator()
    const scope = this.#scope
    this.#scope = scope?.outer
    this.#statement.clear()
    if (scope === undefined) return
    if (scope.symbol !== undefined) scope.symbol.end = brace.end
    if (scope.kind === "namespace") return
    this.#statement.tokens = [
      ...scope.head.slice(0, MAX_TOKENS / 2),
      { type: CScanner.BODY, start: scope.first, end: brace.end }
    ]
  }

  /** Adds the enumerator that ends at a comma or at the closing brace. */
  #enumerator(): void {
    const name = this.#statement.tokens.find(({ type }) => type === CScanner.WORD)
    if (name !== undefined) this.#add(this.#statement.textOf(name), "enum_member", name.start, name.end)
    this.#statement.clear()
  }

  /** Adds the symbols of a statement that ends with a semicolon. */
  #end(end: number): void {
    const text = this.#text
    const statement = this.#statement
    const { tokens } = statement
    const [first] = tokens
    const word = statement.textOf(first)
    if (first === undefined || /^(?:using|return|goto|friend|static_assert|_Static_assert)$/.test(word))
      return this.#alias(word, end)
    const body = tokens.findIndex(({ type }) => type === CScanner.BODY)
    if (word === "typedef" || (word === "__extension__" && statement.textOf(tokens[1]) === "typedef"))
      return this.#typedef(body, end)
    // The name of a type before a body declares no variable.
    const declared = body === -1 ? tokens : tokens.slice(body)
    if (body !== -1 && declared.length === 1) return
    if (/^(?:struct|class|union|enum|template)$/.test(word) && tokens.length === 2 + (word === "template" ? 2 : 0))
      return
    const head = body === -1 ? CDeclarators.functionHead(text, tokens, this.#scope?.name) : undefined
    if (head !== undefined && !statement.isValue(head.parameters)) {
      const kind = this.#isInClass || head.scope !== undefined ? "method" : "function"
      // `= default` and `= delete` are definitions.
      const isDefined = statement.isAssigned
      this.#add(head.name, kind, head.at, end, { isDeclaration: !isDefined, scope: head.scope ?? this.#scopeName() })
      return
    }
    if (head === undefined && this.#macro(end)) return
    const isExtern = word === "extern"
    for (const { at, name, scope } of CDeclarators.variables(text, declared)) {
      const kind = this.#isInClass ? "field" : "variable"
      this.#add(name, kind, at, end, { isDeclaration: isExtern, scope: scope ?? this.#scopeName() })
    }
  }

  /** Adds the symbol of a call of a macro, if there is one. Returns false for another statement. */
  #macro(end: number): boolean {
    const symbols = CMacros.symbolsOf(this.#text, this.#statement, this.#isInClass)
    for (const { at, isDeclaration, kind, name } of symbols ?? []) this.#add(name, kind, at, end, { isDeclaration })
    return symbols !== undefined
  }

  #alias(word: string, end: number): void {
    const [, name, equals] = this.#statement.tokens
    if (word !== "using" || name === undefined || this.#statement.textOf(equals) !== "=") return
    this.#add(this.#statement.textOf(name), "type", name.start, end)
  }

  #typedef(body: number, end: number): void {
    const text = this.#text
    const tokens = this.#statement.tokens.slice(1)
    const head = body === -1 ? CDeclarators.functionHead(text, tokens, undefined) : undefined
    const declared = body === -1 ? tokens : this.#statement.tokens.slice(body)
    const names = head === undefined ? CDeclarators.variables(text, declared) : [head]
    for (const { at, name } of names) this.#add(name, "type", at, end)
    const [first] = names
    const block = this.#statement.tokens[body]
    if (first === undefined || block === undefined) return
    // Members of a type without a name belong to the alias of the type.
    const scope = this.#scopeName()
    for (const symbol of this.#found.slice(block.start)) {
      if (
        symbol.at < block.end &&
        symbol.scope === scope &&
        symbol.at !== first.at &&
        symbol.kind !== "macro" &&
        symbol.kind !== "type"
      )
        symbol.scope = first.name
    }
  }
}
