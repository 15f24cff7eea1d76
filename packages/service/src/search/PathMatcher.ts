import type { CodeQuery, Expression, Leaf } from "@tongs/core/query/CodeQuery"
import * as FileFilter from "./FileFilter.ts"
import * as LeafPrefilter from "./text/LeafPrefilter.ts"
import * as Prefilter from "@tongs/core/query/Prefilter"
import * as Pattern from "./text/Pattern.ts"

/** Result of matching a file without the content. `content` means that the content decides. */
export type Verdict = "yes" | "no" | "content"

/** Compiles a leaf (a single condition) of the query to a test whether the content of a file can match the leaf. */
type Contents<Content> = (leaf: Leaf) => (content: Content) => boolean

/** Tests a file without reading the content. `content` identifies the content for the tests of the leaves. */
type Match<Content> = (file: FileFilter.File, content: Content) => Verdict

export interface Options {
  /**
   * True to run regular expressions on paths. An expression can take exponential time, so only a process that can be
   * killed runs one. Otherwise a path that passes the prefilter of the expression needs verification.
   */
  readonly runRegex: boolean
}

/** Compiles a query to a function that tests files without reading the content. */
export const make = <Content>(
  query: CodeQuery,
  contents: Contents<Content>,
  options: Options = { runRegex: false }
): Match<Content> => compile({ query, contents, options }, query.expression)

interface Setting<Content> {
  readonly query: CodeQuery
  readonly contents: Contents<Content>
  readonly options: Options
}

const compile = <Content>(setting: Setting<Content>, self: Expression): Match<Content> => {
  switch (self._tag) {
    case "And":
      return combine(
        self.all.map((one) => compile(setting, one)),
        "no",
        "yes"
      )
    case "Or":
      return combine(
        self.any.map((one) => compile(setting, one)),
        "yes",
        "no"
      )
    case "Not": {
      const not = compile(setting, self.not)
      return (file, content) => opposite[not(file, content)]
    }
    case "Filter": {
      const filter = FileFilter.make(self.filter)
      return (file) => (filter(file) ? "yes" : "no")
    }
    case "Symbol": {
      const may = setting.contents(self)
      return (_, content) => (may(content) ? "content" : "no")
    }
    case "Regex":
    case "Text":
      return leaf(setting, self)
  }
}

const leaf = <Content>(
  { contents, options, query }: Setting<Content>,
  self: Exclude<Leaf, { readonly _tag: "Symbol" }>
): Match<Content> => {
  const { inContent, inPath } = Pattern.places(query, self)
  const mayContent = inContent ? contents(self) : () => false
  if (!inPath) return (_, content) => (mayContent(content) ? "content" : "no")
  if (self._tag === "Regex" && !options.runRegex) {
    const mayPath = Prefilter.test(LeafPrefilter.make(self))
    return ({ path }, content) => (mayPath(path) || mayContent(content) ? "content" : "no")
  }
  const pattern = Pattern.make(query, self)
  return ({ path }, content) => (Pattern.test(pattern, path) ? "yes" : mayContent(content) ? "content" : "no")
}

const opposite: Readonly<Record<Verdict, Verdict>> = { yes: "no", no: "yes", content: "content" }

/**
 * Returns `decisive` if one part returns `decisive`, `otherwise` if all parts return `otherwise`, and `content` in all
 * other cases.
 */
const combine =
  <Content>(parts: ReadonlyArray<Match<Content>>, decisive: Verdict, otherwise: Verdict): Match<Content> =>
  (file, content) => {
    let verdict = otherwise
    for (const part of parts) {
      const one = part(file, content)
      if (one === decisive) return decisive
      if (one === "content") verdict = "content"
    }
    return verdict
  }
