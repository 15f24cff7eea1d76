/** Parses text with Lezer grammars. Import `Language.ts` instead, which loads this module on first use. */
import type { Parser, Tree } from "@lezer/common"
import { highlightTree, tagHighlighter, tags } from "@lezer/highlight"
import * as SyntaxTokens from "./SyntaxTokens.ts"

/** Limits of the time to highlight a text, in milliseconds. */
export interface Limits {
  /** Time after which the rest of the text gets no tokens. */
  readonly timeout: number
  /** Time between two `yield`s of `steps`. */
  readonly slice: number
}

/** Finds the syntax tokens of texts in one language. */
export interface SyntaxHighlighter {
  readonly highlight: (text: string, limits: Pick<Limits, "timeout">) => SyntaxTokens.SyntaxTokens
  /** Finds the tokens of a text in steps, so that other work can be done in between. */
  readonly steps: (text: string, limits: Limits) => Generator<void, SyntaxTokens.SyntaxTokens>
}

/** Creates the highlighter of a grammar. `hasBlockComments` is true if block comments begin with `/*`. */
export const make = (parser: Parser, options: { readonly hasBlockComments: boolean }): SyntaxHighlighter => {
  const steps = function* (text: string, { slice, timeout }: Limits) {
    const prefix = options.hasBlockComments && startsInComment.test(text) ? "/*" : ""
    const tree = yield* parse(parser, prefix + text, { slice, timeout })
    return yield* collect(tree, prefix.length, slice)
  }
  return {
    steps,
    highlight: (text, { timeout }) => {
      const all = steps(text, { timeout, slice: Infinity })
      for (;;) {
        const { done, value } = all.next()
        if (done === true) return value
      }
    }
  }
}

const parse = function* (parser: Parser, text: string, { slice, timeout }: Limits): Generator<void, Tree> {
  const partial = parser.startParse(text)
  const deadline = performance.now() + timeout
  let sliceEnd = performance.now() + slice
  for (;;) {
    const tree = partial.advance()
    if (tree !== null) return tree
    const now = performance.now()
    if (partial.stoppedAt === null && now > deadline) partial.stopAt(partial.parsedPos)
    if (now < sliceEnd) continue
    yield
    sliceEnd = performance.now() + slice
  }
}

/** UTF-16 units of the tree to walk between two checks of the time. */
const RANGE = 16_384

/** Collects the tokens of a tree whose text begins `offset` units before the result's. */
const collect = function* (tree: Tree, offset: number, slice: number): Generator<void, SyntaxTokens.SyntaxTokens> {
  const tokens: Array<number> = []
  const add = (start: number, end: number, name: string) => {
    const index = classIndexes.get(name) ?? 0
    const last = tokens.length - SyntaxTokens.STRIDE
    // A token at the end of a range continues in the next one.
    if (start % RANGE === 0 && last >= 0 && tokens[last + 1] === start - offset && tokens[last + 2] === index) {
      tokens[last + 1] = end - offset
    } else if (end > offset) tokens.push(Math.max(0, start - offset), end - offset, index)
  }
  let sliceEnd = performance.now() + slice
  for (let from = 0; from < tree.length; from += RANGE) {
    highlightTree(tree, classes, add, from, Math.min(tree.length, from + RANGE))
    if (performance.now() < sliceEnd) continue
    yield
    sliceEnd = performance.now() + slice
  }
  return Uint32Array.from(tokens)
}

// A snippet whose first line begins with a star is the inside of a block comment.
const startsInComment = /^\s*\*(\s|\/|$)/

const classIndexes: ReadonlyMap<string, number> = new Map(SyntaxTokens.syntaxClasses.map((name, at) => [name, at]))

const classes = tagHighlighter([
  { tag: [tags.comment, tags.processingInstruction], class: "comment" },
  { tag: tags.meta, class: "meta" },
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.self, tags.null, tags.bool], class: "keyword" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.character, tags.attributeValue], class: "string" },
  { tag: [tags.number, tags.literal, tags.unit, tags.color, tags.atom], class: "number" },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.tagName], class: "type" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.macroName], class: "function" },
  { tag: tags.function(tags.definition(tags.variableName)), class: "function" },
  { tag: tags.definition(tags.variableName), class: "definition" },
  { tag: [tags.propertyName, tags.attributeName, tags.labelName], class: "property" },
  { tag: [tags.heading, tags.strong], class: "heading" },
  { tag: [tags.link, tags.url], class: "link" },
  { tag: [tags.punctuation, tags.operator], class: "punctuation" }
])
