/** Prints a code query as text. */
import * as CodeQuery from "./CodeQuery.ts"
import * as PathPattern from "./PathPattern.ts"
import * as Qualifier from "./Qualifier.ts"
import { isUnclosedRegex, tokenize } from "./Token.ts"

/** Prints a code query. Parsing the text gives the same query with other spans. */
export const print = (self: CodeQuery.CodeQuery): string =>
  [
    expression(self.expression),
    ...(self.inContent && self.inPath ? [] : [self.inPath ? "in:path" : "in:file"]),
    ...(self.caseSensitive ? ["case:yes"] : []),
    ...(self.wholeWord ? ["word:yes"] : [])
  ].join(" ")

const expression = (self: CodeQuery.Expression): string => {
  switch (self._tag) {
    case "And": {
      const bare = bareFrom(self.all)
      return self.all
        .map((part, index) =>
          (CodeQuery.isRestriction(part) ? index < bare : part._tag === "Or") ? group(part) : expression(part)
        )
        .join(" ")
    }
    case "Or":
      return self.any.map((part) => (part._tag === "And" ? group(part) : expression(part))).join(" OR ")
    case "Not":
      if (self.not._tag === "Filter") return `-${filter(self.not.filter)}`
      return self.not._tag === "And" || self.not._tag === "Or"
        ? `NOT ${group(self.not)}`
        : `NOT ${expression(self.not)}`
    case "Text":
      return text(self.text)
    case "Regex":
      return `/${new RegExp(self.source, "u").source}/`
    case "Symbol":
      return `symbol:${self.exact ? Qualifier.quote(self.name) : self.name}`
    case "Filter":
      return filter(self.filter)
  }
}

/** Returns the index from which all filters can be printed without parentheses: no two of them are alternatives. */
const bareFrom = (all: ReadonlyArray<CodeQuery.Expression>): number => {
  const names: Array<string> = []
  let from = all.length
  for (; from > 0; from--) {
    const part = all[from - 1]
    if (part?._tag === "Not" && part.not._tag === "Filter") continue
    if (part?._tag !== "Filter") break
    const { name } = part.filter
    if (names.some((other) => Qualifier.isAlternative(other, name))) break
    names.push(name)
  }
  return from
}

/**
 * Prints an expression in parentheses, with a space if the last word, such as `f(`, would include the closing
 * parenthesis.
 */
const group = (self: CodeQuery.Expression): string => {
  const inner = expression(self)
  return `(${inner}${tokenize(`(${inner})`).tokens.at(-1)?._tag === "Close" ? "" : " "})`
}

const text = (text: string): string => {
  const [word, ...more] = tokenize(text).tokens
  const isWord = word?._tag === "Term" && word.text === text && !word.phrase && !word.not && more.length === 0
  return isWord && !isUnclosedRegex(text) ? text : Qualifier.quote(text)
}

const filter = (self: CodeQuery.Filter): string => {
  switch (self.name) {
    case "path":
      if (self.glob) return `path:${PathPattern.print(self.value)}`
      break
    case "author":
    case "committer":
    case "message":
    case "after":
    case "before":
      return `${self.name}:${Qualifier.printValue(self.value)}`
  }
  return Qualifier.print({ ...self, not: false, span: { start: 0, length: 0 } })
}
