/** Finds the symbols of C and C++ by their declarations, without expanding macros. */
import * as CDeclarators from "./CDeclarators.ts"
import * as CScanner from "./CScanner.ts"
import type { Token } from "./CScanner.ts"
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
  /** Name of the block, or of the next enclosing one that has a name. */
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

/** State to which a conditional directive returns at its next branch. */
interface Branch {
  readonly scope: Scope | undefined
  readonly tokens: Array<Token>
  readonly length: number
}

/** Number of tokens between two checks of the time. */
const step = 4_096

/** Maximum number of tokens before a value in braces. */
const maxValues = 200

/** Maximum number of tokens in a statement, and of nested blocks and conditions. */
const maxTokens = 1_000
const maxDepth = 200

/** Returns the symbols of a C or C++ text, in the order of the text. When the time is over, the rest has none. */
export const symbolsOf = (text: string, limits: SymbolLimits): ReadonlyArray<SourceSymbol> =>
  withLines(text, new CSymbols(text, limits).find())

class CSymbols {
  readonly #text: string
  readonly #limit: number
  readonly #deadline: number
  readonly #scanner: CScanner.CScanner
  readonly #found: Array<FoundSymbol> = []
  readonly #branches: Array<Branch> = []
  #scope: Scope | undefined
  #tokens: Array<Token> = []

  constructor(text: string, { symbols, timeout }: SymbolLimits) {
    this.#text = text
    this.#limit = symbols
    this.#deadline = performance.now() + timeout
    this.#scanner = new CScanner.CScanner(text, {
      directive: (name, at, isInside) => this.#directive(name, at, isInside)
    })
  }

  find(): ReadonlyArray<FoundSymbol> {
    const scanner = this.#scanner
    for (let count = 1; this.#found.length < this.#limit; count++) {
      const token = scanner.next()
      if (token.type === CScanner.End || (count % step === 0 && performance.now() > this.#deadline)) break
      if (token.type !== CScanner.Mark) {
        this.#push(token)
        continue
      }
      switch (this.#text[token.start]) {
        case ";":
          this.#end(token.end)
          this.#tokens = []
          break
        case "{":
          this.#open(token)
          break
        case "}":
          this.#close(token)
          break
        case "<":
          if (this.#canHaveArguments() && scanner.skipAngles())
            this.#push({ type: CScanner.Angles, start: token.start, end: scanner.at })
          else this.#push(token)
          break
        case ",":
          if (this.#scope?.kind === "enum") this.#enumerator()
          else this.#push(token)
          break
        case ":":
          this.#push(token)
          this.#dropLabel()
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
    if (token.type === CScanner.Word) this.#dropMacro(token)
    if (this.#tokens.length >= maxTokens) this.#tokens.length = maxTokens / 2
    this.#tokens.push(token)
  }

  /** Drops the call of a macro that has no semicolon, in a line of its own before a statement. */
  #dropMacro(next: Token): void {
    const [name, group] = this.#tokens
    if (this.#tokens.length !== 2 || name?.type !== CScanner.Word || group?.type !== CScanner.Group) return
    if (!this.#text.slice(group.end, next.start).includes("\n")) return
    this.#macro(group.end)
    this.#tokens = []
  }

  #textOf(token: Token | undefined): string {
    return token === undefined ? "" : this.#text.slice(token.start, token.end)
  }

  #canHaveArguments(): boolean {
    return (
      this.#tokens.at(-1)?.type === CScanner.Word &&
      this.#textOf(this.#tokens.at(-1)) !== "operator" &&
      !this.#hasMark("=")
    )
  }

  #hasMark(mark: string): boolean {
    return this.#tokens.some((token) => token.type === CScanner.Mark && this.#text[token.start] === mark)
  }

  #directive(name: string, at: number, isInside: boolean): void {
    if (name === "define") {
      const [, space = "", macro] = /^([ \t]+)([A-Za-z_]\w*)/.exec(this.#text.slice(at, at + 300)) ?? []
      if (macro !== undefined) this.#add(macro, "macro", at + space.length, this.#scanner.at, { scope: undefined })
    } else if (isInside) return
    else if (name.startsWith("if")) {
      const { length } = this.#tokens
      this.#branches.push({ scope: this.#scope, tokens: this.#tokens, length })
      if (this.#branches.length > maxDepth) this.#branches.shift()
    } else if (name.startsWith("el")) {
      const branch = this.#branches.at(-1)
      if (branch === undefined) return
      this.#scope = branch.scope
      this.#tokens = branch.tokens
      if (this.#tokens.length > branch.length) this.#tokens.length = branch.length
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

  /** Drops `public:` and the macros before it. */
  #dropLabel(): void {
    const before = this.#textOf(this.#tokens.at(-2))
    const isLabel = /^(?:public|private|protected|signals|slots|Q_SIGNALS|Q_SLOTS)$/.test(before)
    if (isLabel && this.#isInClass && !this.#hasWord(/^(?:class|struct)$/)) this.#tokens = []
  }

  #hasWord(word: RegExp): boolean {
    return this.#tokens.some((token) => token.type === CScanner.Word && word.test(this.#textOf(token)))
  }

  #open(brace: Token): void {
    const scanner = this.#scanner
    const skip = () => scanner.skipBlock()
    if (this.#scope?.kind === "enum") return skip()
    const tokens = this.#tokens
    const isAssigned = CDeclarators.equalsAt(this.#text, tokens) !== -1
    const key = tokens.findLastIndex((token) => /^(?:struct|union|class|enum|namespace)$/.test(this.#textOf(token)))
    const isEnum = key > 0 && this.#textOf(tokens[key - 1]) === "enum"
    const word = isEnum ? "enum" : this.#textOf(tokens[key])
    if (this.#hasWord(/^extern$/) && tokens.length === 2 && tokens[1]?.type === CScanner.Literal)
      return this.#enter("namespace", undefined, undefined)
    if (word === "namespace" && !isAssigned) {
      const names = tokens.slice(key + 1).filter(({ type }) => type === CScanner.Word)
      const last = names.findLast((token) => !/^[A-Z_0-9]+$|^__/.test(this.#textOf(token))) ?? names.at(-1)
      const symbol = last === undefined ? undefined : this.#add(this.#textOf(last), "module", last.start, last.end)
      return this.#enter("namespace", symbol?.name, symbol)
    }
    const parameters = CDeclarators.functionHead(this.#text, tokens, this.#scope?.name)
    if (
      word !== "" &&
      !isAssigned &&
      (parameters === undefined || parameters.at < (tokens[key]?.start ?? 0) || this.#isBase(key, parameters))
    )
      return this.#openType(word, key)
    if (parameters !== undefined && !isAssigned) {
      if (this.#isInitializer(parameters.parameters)) {
        skip()
        return this.#push({ type: CScanner.Brackets, start: brace.start, end: scanner.at })
      }
      return this.#openFunction(parameters)
    }
    const isSystemCall = this.#systemCall()
    skip()
    if (isSystemCall !== undefined) isSystemCall.end = scanner.at
    // The value of a variable, after which its statement continues.
    if (tokens.length > maxValues) this.#tokens = []
    else if (isAssigned || (tokens.length > 1 && tokens.every(({ type }) => type !== CScanner.Group)))
      this.#push({ type: CScanner.Brackets, start: brace.start, end: scanner.at })
    else this.#tokens = []
  }

  /** True if a group after a type's name is in the list of its base classes or in an attribute. */
  #isBase(key: number, { at }: { readonly at: number }): boolean {
    const colon = this.#tokens.findIndex(
      (token, index) =>
        index > key &&
        this.#text[token.start] === ":" &&
        this.#text[token.start + 1] !== ":" &&
        this.#text[token.start - 1] !== ":"
    )
    return colon !== -1 && (this.#tokens[colon]?.start ?? 0) < at
  }

  /** True for a brace that initializes a member before the body of a constructor: `A() : b{1} {}`. */
  #isInitializer(parameters: number): boolean {
    const tokens = this.#tokens
    const colon = tokens.findIndex((token, at) => at > parameters && this.#textOf(token) === ":")
    if (colon === -1) return false
    const last = tokens.at(-1)?.type
    return last === CScanner.Word || last === CScanner.Angles
  }

  #openFunction(head: CDeclarators.Head): void {
    const isMethod = this.#isInClass || head.scope !== undefined
    const symbol = this.#add(head.name, isMethod ? "method" : "function", head.at, head.at, {
      scope: head.scope ?? this.#scopeName()
    })
    this.#scanner.skipBlock()
    symbol.end = this.#scanner.at
    this.#tokens = []
  }

  /** Adds the system call of the kernel that the statement defines, by the name that other files use. */
  #systemCall(): FoundSymbol | undefined {
    const [macro, group] = this.#tokens
    const match = /^(COMPAT_)?SYSCALL_DEFINE\d$/.exec(this.#textOf(macro))
    if (match === null || group?.type !== CScanner.Group) return undefined
    const [, space = "", name] = /^\((\s*)(\w+)/.exec(this.#text.slice(group.start, group.start + 200)) ?? []
    if (name === undefined) return undefined
    const prefix = match[1] === undefined ? "sys_" : "compat_sys_"
    return this.#add(prefix + name, "function", group.start + 1 + space.length, group.end)
  }

  #openType(word: string, key: number): void {
    const after = this.#tokens.slice(key + 1)
    const base = after.findIndex(
      (token) =>
        this.#text[token.start] === ":" && this.#text[token.start + 1] !== ":" && this.#text[token.start - 1] !== ":"
    )
    const names = (base === -1 ? after : after.slice(0, base)).filter(
      (token, at, all) =>
        token.type === CScanner.Word &&
        all[at + 1]?.type !== CScanner.Group &&
        !/^(?:final|class|struct|alignas|__attribute__|__declspec)$/.test(this.#textOf(token))
    )
    const last = names.findLast((token) => !/^__[a-z]\w*$/.test(this.#textOf(token))) ?? names.at(-1)
    const kind = word === "union" ? "struct" : word === "class" ? "class" : word === "enum" ? "enum" : "struct"
    const symbol = last === undefined ? undefined : this.#add(this.#textOf(last), kind, last.start, last.end)
    this.#enter(kind, symbol?.name, symbol)
  }

  #enter(kind: Scope["kind"], name: string | undefined, symbol: FoundSymbol | undefined): void {
    const outer = this.#scope
    const depth = (outer?.depth ?? 0) + 1
    if (depth > maxDepth) this.#scanner.skipBlock()
    else {
      const first = this.#found.length
      this.#scope = { kind, name: name ?? outer?.name, symbol, first, head: this.#tokens, outer, depth }
    }
    this.#tokens = []
  }

  #close(brace: Token): void {
    if (this.#scope?.kind === "enum") this.#enumerator()
    const scope = this.#scope
    this.#scope = scope?.outer
    this.#tokens = []
    if (scope === undefined) return
    if (scope.symbol !== undefined) scope.symbol.end = brace.end
    if (scope.kind === "namespace") return
    this.#tokens = [...scope.head.slice(0, maxTokens / 2), { type: CScanner.Body, start: scope.first, end: brace.end }]
  }

  /** Adds the enumerator that ends at a comma or at the closing brace. */
  #enumerator(): void {
    const name = this.#tokens.find(({ type }) => type === CScanner.Word)
    if (name !== undefined) this.#add(this.#textOf(name), "enum_member", name.start, name.end)
    this.#tokens = []
  }

  /** Adds the symbols of a statement that ends with a semicolon. */
  #end(end: number): void {
    const text = this.#text
    const tokens = this.#tokens
    const [first] = tokens
    const word = this.#textOf(first)
    if (first === undefined || /^(?:using|return|goto|friend|static_assert|_Static_assert)$/.test(word))
      return this.#alias(word, end)
    const body = tokens.findIndex(({ type }) => type === CScanner.Body)
    if (word === "typedef" || (word === "__extension__" && this.#textOf(tokens[1]) === "typedef"))
      return this.#typedef(body, end)
    // The name of a type before its body declares no variable.
    const declared = body === -1 ? tokens : tokens.slice(body)
    if (body !== -1 && declared.length === 1) return
    if (/^(?:struct|class|union|enum|template)$/.test(word) && tokens.length === 2 + (word === "template" ? 2 : 0))
      return
    const head = body === -1 ? CDeclarators.functionHead(text, tokens, this.#scope?.name) : undefined
    if (head !== undefined && !this.#isValue(head.parameters)) {
      const kind = this.#isInClass || head.scope !== undefined ? "method" : "function"
      // `= default` and `= delete` are definitions.
      const isDefined = CDeclarators.equalsAt(text, tokens) !== -1
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

  /** True if the group after a name is a value, as in `Foo x(1)` or `int x = f(1)`. */
  #isValue(parameters: number): boolean {
    const group = this.#tokens[parameters]
    if (group === undefined) return false
    const equals = CDeclarators.equalsAt(this.#text, this.#tokens)
    if (equals !== -1 && equals < parameters) return true
    return /^\(\s*(?:[\d"'-]|nullptr\b|NULL\b|true\b|false\b)/.test(this.#text.slice(group.start, group.start + 20))
  }

  /** Handles a statement that is a call of a macro. It declares a variable if the macro's name says so. */
  #macro(end: number): boolean {
    const tokens = this.#tokens.filter((token) => !/^(?:static|extern|const|__\w+)$/.test(this.#textOf(token)))
    const [name, group] = tokens
    if (name?.type !== CScanner.Word || group?.type !== CScanner.Group) return false
    const inner = CDeclarators.inGroup(this.#text, tokens, 1)
    if (inner !== undefined && /^\(\s*\*/.test(this.#textOf(group))) return false
    const macro = definingMacro(this.#textOf(name), this.#isInClass)
    if (macro === undefined) return true
    const names = macro.argument === 1 ? /^\([^,()]*,\s*([A-Za-z_]\w*)/ : /^\(\s*([A-Za-z_]\w*)/
    const [all = "", defined] = names.exec(this.#text.slice(group.start, group.start + 300)) ?? []
    if (defined === undefined) return true
    const { isDeclaration, kind, prefix } = macro
    this.#add(prefix + defined, kind, group.start + all.length - defined.length, end, { isDeclaration })
    return true
  }

  #alias(word: string, end: number): void {
    const [, name, equals] = this.#tokens
    if (word !== "using" || name === undefined || this.#textOf(equals) !== "=") return
    this.#add(this.#textOf(name), "type", name.start, end)
  }

  #typedef(body: number, end: number): void {
    const text = this.#text
    const tokens = this.#tokens.slice(1)
    const head = body === -1 ? CDeclarators.functionHead(text, tokens, undefined) : undefined
    const declared = body === -1 ? tokens : this.#tokens.slice(body)
    const names = head === undefined ? CDeclarators.variables(text, declared) : [head]
    for (const { at, name } of names) this.#add(name, "type", at, end)
    const [first] = names
    const block = this.#tokens[body]
    if (first === undefined || block === undefined) return
    // Members of a type without a name belong to its alias.
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

/** What a call of a macro of the kernel, or of a project with the same habits, defines. */
interface DefiningMacro {
  readonly kind: SourceSymbolKind
  /** Index of the argument with the name, and the prefix that the macro adds to it. */
  readonly argument: number
  readonly prefix: string
  readonly isDeclaration: boolean
}

const definingMacro = (name: string, isInClass: boolean): DefiningMacro | undefined => {
  const event = /^(?:TRACE_EVENT|DEFINE_EVENT)/.test(name)
  if (event)
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
