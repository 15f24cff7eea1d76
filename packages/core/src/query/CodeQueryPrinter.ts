/** Prints a code query as text. */
import * as CodeQuery from "./CodeQuery.ts"
import * as CodeQueryTerm from "./CodeQueryTerm.ts"
import * as PathExpression from "./PathExpression.ts"
import * as PathPattern from "./PathPattern.ts"
import * as Qualifier from "./Qualifier.ts"
import * as RepositoryName from "./RepositoryName.ts"
import { isUnclosedRegex, tokenize } from "./Token.ts"

/** Prints a code query. Parsing the text gives the same query with other spans. */
export const print = (self: CodeQuery.CodeQuery): string =>
  [
    expression(self.expression),
    ...((self.inContent && self.inPath) || self.symbolKinds.length > 0 ? [] : [self.inPath ? "in:path" : "in:file"]),
    ...(self.caseSensitive ? ["case:yes"] : []),
    ...(self.wholeWord ? ["word:yes"] : []),
    ...self.revisions.map((revision) => qualifier("rev", revision)),
    ...self.symbolKinds.map((kind) => `kind:${kind}`),
    ...(self.kind === "file" ? [] : [`type:${self.kind}`]),
    ...(self.count === undefined ? [] : [`count:${self.count === Number.POSITIVE_INFINITY ? "all" : self.count}`])
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
      if (CodeQuery.isPathExpression(self.not)) return `-${expression(self.not)}`
      return self.not._tag === "And" || self.not._tag === "Or"
        ? `NOT ${group(self.not)}`
        : `NOT ${expression(self.not)}`
    case "Text":
      if (self.place === "path") return PathExpression.print(self)
      return self.place === "content" ? contentText(self.text) : text(self.text)
    case "Regex":
      if (self.place === "path") return PathExpression.print(self)
      return `${self.place === "content" ? "content:" : ""}/${new RegExp(self.source, "u").source}/`
    case "Symbol":
      return `symbol:${self.exact ? Qualifier.quote(self.name) : self.name}`
    case "Filter":
      return filter(self.filter)
  }
}

/**
 * Returns the first index from which the printed filters need no parentheses, because no two filters are alternatives.
 */
const bareFrom = (all: ReadonlyArray<CodeQuery.Expression>): number => {
  const names: Array<string> = []
  let from = all.length
  for (; from > 0; from--) {
    const part = all[from - 1]
    if (part?._tag === "Not" && (part.not._tag === "Filter" || CodeQuery.isPathExpression(part.not))) continue
    if (part !== undefined && CodeQuery.isPathExpression(part)) continue
    if (part?._tag !== "Filter") break
    const { name } = part.filter
    if (Qualifier.isIndependent(name)) continue
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

const text = (text: string): string =>
  CodeQueryTerm.isWord(text) && !isUnclosedRegex(text) && !mayStartRegex(text) ? text : Qualifier.quote(text)

/** Returns whether a later slash in the query would make a word the start of a regular expression: `/usr`. */
const mayStartRegex = (word: string): boolean =>
  word.startsWith("/") && !word.startsWith("//") && !/^\/[^/\\[]+\/[^\s)]/.test(word)

const contentText = (value: string): string => {
  const printed = `content:${value}`
  const [token, ...more] = tokenize(printed).tokens
  const isPlain = token?._tag === "Qualifier" && !token.regex && !token.quoted && !mayStartRegex(value)
  return isPlain && token.value === value && more.length === 0 ? printed : `content:${Qualifier.quote(value)}`
}

const filter = (self: CodeQuery.Filter): string => {
  switch (self.name) {
    case "path":
      return self.glob ? `path:${PathPattern.print(self.value)}` : qualifier("path", self.value)
    case "repo":
      return RepositoryName.print(self)
    case "size":
      return Qualifier.print({ ...self, not: false, span: { start: 0, length: 0 } })
    default:
      return qualifier(self.name, self.value)
  }
}

/** Prints a qualifier. Quotes a value that would otherwise end early or have another meaning. */
const qualifier = (name: CodeQuery.Filter["name"] | "rev", value: string): string => {
  // Only for these names, an asterisk needs no quotation marks.
  const isPlain = name === "rev" || name === "author" || name === "committer" || name === "message"
  const printed = `${name}:${isPlain ? value : Qualifier.printValue(value)}`
  const [token, ...more] = tokenize(printed).tokens
  const isSame = token?._tag === "Qualifier" && !token.regex && token.value === value && more.length === 0
  return isSame ? printed : `${name}:${Qualifier.quote(value)}`
}
