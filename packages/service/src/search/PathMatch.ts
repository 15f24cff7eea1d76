/**
 * What can be told of a query without the content of a file: that the file matches, that it does not, or that its
 * content decides.
 */
import type { CodeQuery, Expression, Leaf } from "@tongs/core/query/CodeQuery"
import * as FileFilter from "./FileFilter.ts"
import * as Pattern from "./text/Pattern.ts"

export type Verdict = "yes" | "no" | "content"

/** Whether a content may have a part of the query; made once for each part. */
type Contents<Content> = (leaf: Leaf) => (content: Content) => boolean

/** The file, and by what its content is known. */
type Match<Content> = (file: FileFilter.File, content: Content) => Verdict

export const make = <Content>(query: CodeQuery, contents: Contents<Content>): Match<Content> =>
  compile(query, contents, query.expression)

const compile = <Content>(query: CodeQuery, contents: Contents<Content>, self: Expression): Match<Content> => {
  switch (self._tag) {
    case "And":
      return combine(
        self.all.map((one) => compile(query, contents, one)),
        "no",
        "yes"
      )
    case "Or":
      return combine(
        self.any.map((one) => compile(query, contents, one)),
        "yes",
        "no"
      )
    case "Not": {
      const not = compile(query, contents, self.not)
      return (file, content) => opposite[not(file, content)]
    }
    case "Filter": {
      const filter = FileFilter.make(self.filter)
      return (file) => (filter(file) ? "yes" : "no")
    }
    case "Symbol": {
      const may = contents(self)
      return (_, content) => (may(content) ? "content" : "no")
    }
    case "Regex": {
      // A regular expression may take any time: where one can be ended, and not here, it is tried on the path too.
      if (query.inPath) return () => "content"
      const may = contents(self)
      return (_, content) => (may(content) ? "content" : "no")
    }
    case "Text": {
      const may = query.inContent ? contents(self) : () => false
      if (!query.inPath) return (_, content) => (may(content) ? "content" : "no")
      const pattern = Pattern.make(query, self)
      return ({ path }, content) => (Pattern.test(pattern, path) ? "yes" : may(content) ? "content" : "no")
    }
  }
}

const opposite: Readonly<Record<Verdict, Verdict>> = { yes: "no", no: "yes", content: "content" }

/** `decisive` where one says so, `otherwise` where all do. */
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
