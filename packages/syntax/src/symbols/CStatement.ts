import * as CDeclarators from "./CDeclarators.ts"
import * as CScanner from "./CScanner.ts"
import type { Token } from "./CScanner.ts"

/** Maximum number of tokens in a statement. */
export const MAX_TOKENS = 1_000

/** The tokens of a C statement, read so far. */
export class CStatement {
  readonly #text: string
  tokens: Array<Token> = []

  constructor(text: string) {
    this.#text = text
  }

  /** Adds a token. Drops the second half of a statement without end. */
  add(token: Token): void {
    if (this.tokens.length >= MAX_TOKENS) this.tokens.length = MAX_TOKENS / 2
    this.tokens.push(token)
  }

  clear(): void {
    this.tokens = []
  }

  textOf(token: Token | undefined): string {
    return token === undefined ? "" : this.#text.slice(token.start, token.end)
  }

  hasWord(word: RegExp): boolean {
    return this.tokens.some((token) => token.type === CScanner.WORD && word.test(this.textOf(token)))
  }

  hasMark(mark: string): boolean {
    return this.tokens.some((token) => token.type === CScanner.MARK && this.#text[token.start] === mark)
  }

  /** True if the statement gives a value to a variable, or is `= default` or `= delete`. */
  get isAssigned(): boolean {
    return CDeclarators.equalsAt(this.#text, this.tokens) !== -1
  }

  /** True if `<` after the last token can begin template arguments. */
  get canHaveArguments(): boolean {
    const last = this.tokens.at(-1)
    return last?.type === CScanner.WORD && this.textOf(last) !== "operator" && !this.hasMark("=")
  }

  /** True for `public:`, and similar words of libraries, after any macros. */
  get isAccessLabel(): boolean {
    const before = this.textOf(this.tokens.at(-2))
    const isLabel = /^(?:public|private|protected|signals|slots|Q_SIGNALS|Q_SLOTS)$/.test(before)
    return isLabel && !this.hasWord(/^(?:class|struct)$/)
  }

  /** True for the call of a macro without a semicolon, on a separate line before `next`. */
  isMacroBefore(next: Token): boolean {
    const [name, group] = this.tokens
    if (this.tokens.length !== 2 || name?.type !== CScanner.WORD || group?.type !== CScanner.GROUP) return false
    return this.#text.slice(group.end, next.start).includes("\n")
  }

  /** True if a group after a type's name is in the list of base classes or in an attribute. */
  isBase(key: number, { at }: { readonly at: number }): boolean {
    const colon = this.tokens.findIndex((token, index) => index > key && this.#isColon(token))
    return colon !== -1 && (this.tokens[colon]?.start ?? 0) < at
  }

  /** True for a brace that initializes a member before the body of a constructor: `A() : b{1} {}`. */
  isInitializer(parameters: number): boolean {
    const colon = this.tokens.findIndex((token, at) => at > parameters && this.textOf(token) === ":")
    if (colon === -1) return false
    const last = this.tokens.at(-1)?.type
    return last === CScanner.WORD || last === CScanner.ANGLES
  }

  /** True if the group after a name is a value, as in `Foo x(1)` or `int x = f(1)`. */
  isValue(parameters: number): boolean {
    const group = this.tokens[parameters]
    if (group === undefined) return false
    const equals = CDeclarators.equalsAt(this.#text, this.tokens)
    if (equals !== -1 && equals < parameters) return true
    return /^\(\s*(?:[\d"'-]|nullptr\b|NULL\b|true\b|false\b)/.test(this.#text.slice(group.start, group.start + 20))
  }

  /** Returns the name of a namespace, which follows the keyword, without the macros around the name. */
  namespaceName(key: number): Token | undefined {
    const names = this.tokens.slice(key + 1).filter(({ type }) => type === CScanner.WORD)
    return names.findLast((token) => !/^[A-Z_0-9]+$|^__/.test(this.textOf(token))) ?? names.at(-1)
  }

  /** Returns the name of a class, structure, union or enumeration, which follows the keyword, without attributes. */
  typeName(key: number): Token | undefined {
    const after = this.tokens.slice(key + 1)
    const base = after.findIndex((token) => this.#isColon(token))
    const names = (base === -1 ? after : after.slice(0, base)).filter(
      (token, at, all) =>
        token.type === CScanner.WORD &&
        all[at + 1]?.type !== CScanner.GROUP &&
        !/^(?:final|class|struct|alignas|__attribute__|__declspec)$/.test(this.textOf(token))
    )
    return names.findLast((token) => !/^__[a-z]\w*$/.test(this.textOf(token))) ?? names.at(-1)
  }

  /** True for a colon that is not part of `::`. */
  #isColon({ start }: Token): boolean {
    return this.#text[start] === ":" && this.#text[start + 1] !== ":" && this.#text[start - 1] !== ":"
  }
}
