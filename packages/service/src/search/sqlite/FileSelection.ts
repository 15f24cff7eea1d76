/** Selects the files of a repository that may match a query, all at once, before each of them is tested. */
import type { CodeQuery, Expression, Leaf } from "@tongs/core/query/CodeQuery"
import type * as Prefilter from "@tongs/core/query/Prefilter"
import * as LeafPrefilter from "../text/LeafPrefilter.ts"
import * as Pattern from "../text/Pattern.ts"
import { BitSet } from "./BitSet.ts"
import type { FileTable } from "./FileTable.ts"

/** Returns the documents that may match a leaf (a single condition), or undefined if all may. */
export type Documents = (leaf: Leaf) => BitSet | undefined

/** Compiles a query to a function that selects files. The function returns undefined if all files may match. */
export const make = (query: CodeQuery, documents: Documents): ((table: FileTable) => BitSet | undefined) =>
  compile(query, documents, query.expression)

type Select = (table: FileTable) => BitSet | undefined

const all: Select = () => undefined

const compile = (query: CodeQuery, documents: Documents, self: Expression): Select => {
  switch (self._tag) {
    case "And":
      return both(self.all.map((one) => compile(query, documents, one)))
    case "Or":
      return either(self.any.map((one) => compile(query, documents, one)))
    case "Not":
    case "Filter":
      return all
    case "Symbol":
      return withDocuments(documents(self))
    case "Regex":
    case "Text": {
      const { inContent, inPath } = Pattern.places(query, self)
      const places: ReadonlyArray<Select> = [
        ...(inContent ? [withDocuments(documents(self))] : []),
        ...(inPath ? [withPath(LeafPrefilter.make(self))] : [])
      ]
      return either(places)
    }
  }
}

const both =
  (parts: ReadonlyArray<Select>): Select =>
  (table) => {
    let found: BitSet | undefined
    for (const part of parts) {
      const one = part(table)
      if (one !== undefined) found = found?.intersect(one) ?? one
    }
    return found
  }

const either =
  (parts: ReadonlyArray<Select>): Select =>
  (table) => {
    const found = new BitSet(table.length)
    for (const part of parts) {
      const one = part(table)
      if (one === undefined) return undefined
      found.unite(one)
    }
    return found
  }

const withDocuments = (documents: BitSet | undefined): Select => {
  if (documents === undefined) return all
  return (table) => {
    const found = new BitSet(table.length)
    const own = table.documents
    for (let file = 0; file < own.length; file++) if (documents.has(own[file] ?? 0)) found.add(file)
    return found
  }
}

const withPath = (self: Prefilter.Prefilter): Select => {
  switch (self._tag) {
    case "Anything":
    case "Name":
      return all
    case "Part":
      return (table) => table.withPart(self.text)
    case "All":
      return both(self.all.map(withPath))
    case "Any":
      return either(self.any.map(withPath))
  }
}
