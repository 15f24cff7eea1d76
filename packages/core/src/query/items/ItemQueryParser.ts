/** Parses queries of the searches for items. */
import * as Result from "effect/Result"
import type { Diagnostic, Span } from "../Diagnostic.ts"
import { MAX_DIAGNOSTICS, MAX_LENGTH, MAX_OPERATORS, MAX_TEXT } from "../SearchQuery.ts"
import * as ItemQualifier from "./ItemQualifier.ts"
import * as ItemQuery from "./ItemQuery.ts"
import { tokenize, type ItemToken } from "./ItemToken.ts"

/** Maximum depth of parentheses. */
export const MAX_DEPTH = 5

/** Maximum number of values of qualifiers. A database has a maximum depth of conditions. */
export const MAX_VALUES = 250

/** Parses a query. Fails with diagnostics for all errors (at most `MAX_DIAGNOSTICS`) in the order of the text. */
export const parse = <Filter extends ItemQuery.AnyFilter, Place extends string, SortName extends string>(
  language: ItemQualifier.Language<Filter, Place, SortName>,
  text: string
): Result.Result<ItemQuery.ItemQuery<Filter, Place, SortName>, ReadonlyArray<Diagnostic>> => {
  if (text.length > MAX_TEXT) {
    return Result.fail([
      { start: MAX_TEXT, length: text.length - MAX_TEXT, message: `Shorten the query to ${MAX_TEXT} characters.` }
    ])
  }
  const { problems, tokens } = tokenize(text, language.lists)
  const reader = new Reader(language, tokens)
  const condition = reader.read()
  const all = [...problems, ...reader.problems, ...exceededLimits(tokens)]
  if (all.length > 0) return Result.fail(all.sort((a, b) => a.start - b.start).slice(0, MAX_DIAGNOSTICS))
  const chosen = reader.places.size === 0 ? language.usualPlaces : [...reader.places]
  const places = language.places.filter((place) => chosen.includes(place))
  return Result.succeed({ condition, places, sort: reader.sort })
}

/** Reads the tokens of a query by recursive descent. */
class Reader<Filter extends ItemQuery.AnyFilter, Place extends string, SortName extends string> {
  readonly problems: Array<Diagnostic> = []
  readonly places = new Set<Place>()
  sort: ItemQuery.Sort<SortName> | undefined
  readonly #language: ItemQualifier.Language<Filter, Place, SortName>
  readonly #tokens: ReadonlyArray<ItemToken>
  #at = 0

  constructor(language: ItemQualifier.Language<Filter, Place, SortName>, tokens: ReadonlyArray<ItemToken>) {
    this.#language = language
    this.#tokens = tokens
  }

  read(): ItemQuery.Condition<Filter> {
    const conditions: Array<ItemQuery.Condition<Filter>> = []
    while (this.#at < this.#tokens.length) {
      const condition = this.#or(0)
      if (condition !== undefined) conditions.push(condition)
      const rest = this.#take("Close")
      if (rest !== undefined) this.#report(rest, "Remove the parenthesis, or write it in quotation marks.")
    }
    return ItemQuery.and(conditions)
  }

  /** Reads conditions up to a closing parenthesis. Undefined if the part has none. */
  #or(depth: number): ItemQuery.Condition<Filter> | undefined {
    const parts = [this.#and(depth)]
    for (let operator = this.#operator("OR"); operator !== undefined; operator = this.#operator("OR")) {
      const part = this.#and(depth)
      if (part === undefined || parts.at(-1) === undefined) this.#misplaced(operator, "OR")
      parts.push(part)
    }
    const present = parts.filter((part) => part !== undefined)
    return present.length === 0 ? undefined : ItemQuery.or(present)
  }

  #and(depth: number): ItemQuery.Condition<Filter> | undefined {
    const parts: Array<ItemQuery.Condition<Filter>> = []
    let operator: ItemToken | undefined
    for (let token = this.#peek(); token !== undefined && token._tag !== "Close"; token = this.#peek()) {
      if (token._tag === "Operator" && token.operator === "OR") break
      const next = this.#operator("AND")
      if (next !== undefined) {
        if (parts.length === 0 || operator !== undefined) this.#misplaced(next, "AND")
        operator = next
        continue
      }
      const part = this.#operand(depth)
      if (part !== undefined) parts.push(part)
      operator = undefined
    }
    if (operator !== undefined && parts.length > 0) this.#misplaced(operator, "AND")
    return parts.length === 0 ? undefined : ItemQuery.and(parts)
  }

  /** Reads one condition. Undefined for an option of the query, and after a problem. */
  #operand(depth: number): ItemQuery.Condition<Filter> | undefined {
    const before = this.#operator("NOT")
    const token = this.#peek()
    if (token === undefined || token._tag === "Close" || token._tag === "Operator") {
      if (before !== undefined) this.#report(before, "Put a word, a qualifier or a group after NOT.")
      return undefined
    }
    this.#at++
    const negates = token.not !== (before !== undefined)
    const condition = this.#condition(token, depth, negates)
    return condition !== undefined && negates ? ItemQuery.not(condition) : condition
  }

  #condition(
    token: Extract<ItemToken, { readonly not: boolean }>,
    depth: number,
    negates: boolean
  ): ItemQuery.Condition<Filter> | undefined {
    switch (token._tag) {
      case "Open": {
        if (depth === MAX_DEPTH) return this.#skipGroup(token)
        const [problems, start] = [this.problems.length, this.#at]
        const condition = this.#or(depth + 1)
        const isEmpty = this.#at === start
        if (this.#take("Close") === undefined)
          this.#report(token, "Close the parenthesis, or write it in quotation marks.")
        if (isEmpty && problems === this.problems.length)
          this.#report(token, "Write a condition between the parentheses.")
        return condition
      }
      case "Text":
        if (token.text.trim() !== "") return { _tag: "Text", text: token.text }
        this.#report(token, "Write words between the quotation marks.")
        return undefined
      case "Qualifier": {
        const read = ItemQualifier.parse(this.#language, token.name, token.values)
        if ("message" in read) this.problems.push({ ...token.span, ...read })
        else if ("condition" in read) return read.condition
        else if (negates) this.#report(token, `Remove NOT or the minus from ${token.name}:.`)
        else if ("sort" in read) this.sort = read.sort
        else for (const place of read.places) this.places.add(place)
        return undefined
      }
    }
  }

  #skipGroup(token: ItemToken): undefined {
    this.#report(token, `Nest at most ${MAX_DEPTH} parentheses.`)
    for (let open = 1; open > 0 && this.#peek() !== undefined; this.#at++) {
      const tag = this.#peek()?._tag
      open += tag === "Open" ? 1 : tag === "Close" ? -1 : 0
    }
  }

  #peek(): ItemToken | undefined {
    return this.#tokens[this.#at]
  }

  #take(tag: ItemToken["_tag"]): ItemToken | undefined {
    const token = this.#peek()
    if (token?._tag !== tag) return undefined
    this.#at++
    return token
  }

  #operator(operator: "AND" | "OR" | "NOT"): ItemToken | undefined {
    const token = this.#peek()
    return token?._tag === "Operator" && token.operator === operator ? this.#take("Operator") : undefined
  }

  #misplaced({ span }: { readonly span: Span }, operator: string): void {
    this.problems.push({ ...span, message: `Put a condition on both sides of ${operator}.` })
  }

  #report({ span }: { readonly span: Span }, message: string): void {
    this.problems.push({ ...span, message })
  }
}

const exceededLimits = (tokens: ReadonlyArray<ItemToken>): ReadonlyArray<Diagnostic> => {
  const problems: Array<Diagnostic> = []
  const extra = tokens.filter(({ _tag }) => _tag === "Operator")[MAX_OPERATORS]
  if (extra !== undefined) {
    problems.push({
      ...extra.span,
      message: `A query can have at most ${MAX_OPERATORS} operators (AND, OR, NOT). Remove one.`
    })
  }
  let values = 0
  const excess = tokens.find((token) => {
    values += token._tag === "Qualifier" ? token.values.length : 0
    return values > MAX_VALUES
  })
  if (excess !== undefined) {
    problems.push({ ...excess.span, message: `A query can have at most ${MAX_VALUES} qualifiers. Remove some.` })
  }
  const texts = tokens.filter((token) => token._tag === "Text")
  const length = [...texts.map(({ text }) => text).join(" ")].length
  const first = texts[0]
  if (first !== undefined && length > MAX_LENGTH) {
    problems.push({ ...first.span, message: `Shorten the words to ${MAX_LENGTH} characters. They have ${length}.` })
  }
  return problems
}
