/**
 * What the path of a file alone tells of a query: that the file matches, that it does not, or that its content decides.
 */
import type { CodeQuery, Expression } from "@tongs/core/query/CodeQuery"
import * as FileFilter from "./FileFilter.ts"
import * as Pattern from "./text/Pattern.ts"

export type Verdict = "yes" | "no" | "content"

export const make = (query: CodeQuery): ((file: FileFilter.File) => Verdict) => compile(query, query.expression)

const compile = (query: CodeQuery, self: Expression): ((file: FileFilter.File) => Verdict) => {
  switch (self._tag) {
    case "And": {
      const all = self.all.map((one) => compile(query, one))
      return (file) => weakest(all, file, "no", "yes")
    }
    case "Or": {
      const any = self.any.map((one) => compile(query, one))
      return (file) => weakest(any, file, "yes", "no")
    }
    case "Not": {
      const not = compile(query, self.not)
      return (file) => opposite[not(file)]
    }
    case "Filter": {
      const filter = FileFilter.make(self.filter)
      return (file) => (filter(file) ? "yes" : "no")
    }
    case "Symbol":
      return () => "content"
    case "Text":
    case "Regex": {
      const otherwise = query.inContent ? "content" : "no"
      if (!query.inPath) return () => otherwise
      const pattern = Pattern.make(query, self)
      return ({ path }) => (Pattern.test(pattern, path) ? "yes" : otherwise)
    }
  }
}

const opposite: Readonly<Record<Verdict, Verdict>> = { yes: "no", no: "yes", content: "content" }

/** `decisive` where one says so, `otherwise` where all do. */
const weakest = (
  parts: ReadonlyArray<(file: FileFilter.File) => Verdict>,
  file: FileFilter.File,
  decisive: Verdict,
  otherwise: Verdict
): Verdict => {
  let verdict = otherwise
  for (const part of parts) {
    const one = part(file)
    if (one === decisive) return decisive
    if (one === "content") verdict = "content"
  }
  return verdict
}
