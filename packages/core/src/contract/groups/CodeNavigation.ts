/** Definitions, references and outlines: an extension of the embedded forge. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { Line, SymbolKind, TextRange } from "./CodeSearch.ts"
import { notFound, unsupported, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import * as Presentation from "../Presentation.ts"
import { filePath, pageQuery, refQuery, repositoryPath } from "../Parameters.ts"
import { ObjectId } from "../Scalars.ts"

/** A definition of a name in a file. */
export const CodeSymbol = Schema.Struct({
  name: Schema.String,
  kind: SymbolKind,
  /** Line number, from 1. */
  line: Schema.Int,
  /** Start of the name in the line, in UTF-16 code units from 0, if known. */
  column: Schema.optionalKey(Schema.Int),
  /** Number of the last line of the definition, if known. */
  end_line: Schema.optionalKey(Schema.Int),
  /** Name of the enclosing definition, such as a class, if known. */
  scope: Schema.optionalKey(Schema.String),
  /** True for a declaration without a body or value, such as a prototype. */
  declaration: Schema.optionalKey(Schema.Boolean)
}).annotate({
  identifier: "CodeSymbol",
  ...Presentation.of({
    columns: { NAME: "name", KIND: "kind", LINE: "line", SCOPE: "scope" },
    arguments: { "codeNavigation.name": "name" },
    opens: ["contents.get"]
  })
})
export type CodeSymbol = typeof CodeSymbol.Type

/** The definitions in a file, in the order of the file. */
export const Outline = Schema.Struct({
  symbols: Schema.Array(CodeSymbol),
  /** True if the deadline was reached before the file was parsed: symbols are missing. */
  incomplete_results: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "Outline" })
export type Outline = typeof Outline.Type

const location = {
  owner: Schema.String,
  repo: Schema.String,
  path: Schema.String,
  /** The commit with this line: the one of the requested ref, or the tip of the default branch. */
  commit: ObjectId
}

const locationArguments = { owner: "owner", repo: "repo", path: "path", ref: "commit" }

/** A definition of a name. */
export const Definition = Schema.Struct({
  ...CodeSymbol.fields,
  ...location,
  /** Text of the line. */
  text: Schema.String,
  /** The definition without the body, at most 1,000 characters. Only the first definitions have this member. */
  signature: Schema.optionalKey(Schema.String),
  /** Text of the comment that documents the definition, at most 4,000 characters. Only of the first definitions. */
  documentation: Schema.optionalKey(Schema.String),
  /**
   * True if scopes or imports lead from the given position to this definition and no other. Otherwise only the names
   * are equal, or `package` has the reason for the definition.
   */
  certain: Schema.optionalKey(Schema.Boolean),
  /** Name of the package of another repository that the file of the given position imports, as its manifest has it. */
  package: Schema.optionalKey(Schema.String)
}).annotate({
  identifier: "Definition",
  ...Presentation.of({
    columns: { FILE: "path", LINE: "line", KIND: "kind", TEXT: "text", OWNER: "owner", REPOSITORY: "repo" },
    identity: ["path", "line"],
    arguments: { ...locationArguments, "codeNavigation.name": "name" },
    opens: ["contents.get"]
  })
})
export type Definition = typeof Definition.Type

/** A line that uses a name. */
export const Reference = Schema.Struct({
  ...location,
  /** Line number, from 1. */
  line: Schema.Int,
  text: Line.fields.text,
  /** Occurrences of the name in `text`. */
  matches: Schema.Array(TextRange),
  /** True if scopes, imports and types lead from the line to the definition at the given position. */
  certain: Schema.optionalKey(Schema.Boolean),
  /** Name of the function or method around the use, after its class or type and a dot, if known. */
  scope: Schema.optionalKey(Schema.String),
  /** Name of the package by whose import a file of another repository uses the definition. */
  package: Schema.optionalKey(Schema.String)
}).annotate({
  identifier: "Reference",
  ...Presentation.of({
    columns: { FILE: "path", LINE: "line", TEXT: "text" },
    identity: ["path", "line"],
    arguments: locationArguments,
    opens: ["contents.get"]
  })
})
export type Reference = typeof Reference.Type

const results = <S extends Schema.Top>(item: S, identifier: string) =>
  Schema.Struct({
    total_count: Schema.Int,
    /** True if the deadline or a limit was reached, or indexing is not complete: results may be missing. */
    incomplete_results: Schema.Boolean,
    items: Schema.Array(item)
  }).annotate({ identifier })

/**
 * Definitions of a name: first the definitions visible from a given position, then the rest of the repository. Unless
 * scope or imports lead to a definition, also the best definitions of other repositories. At most 50.
 */
export const Definitions = results(Definition, "Definitions")

/** Lines of a repository that use a name: the certain ones first, each in the definition's file and the best files. */
export const References = results(Reference, "References")

const namePath = {
  ...repositoryPath,
  name: Schema.String.annotate({ description: "The whole name, in its case." })
}

/** Query parameters: the position of a name in a file. */
const positionQuery = {
  path: Schema.optionalKey(Schema.String.annotate({ description: "Path of a file that uses or defines the name." })),
  ...refQuery,
  line: Schema.optionalKey(Schema.Int.annotate({ description: "Line of the name in the file, from 1." })),
  column: Schema.optionalKey(
    Schema.Int.annotate({ description: "Start of the name in the line, in UTF-16 code units from 0." })
  )
}

/** Definitions, references and outlines. Absent on forges without this extension (`Unsupported`). */
export class CodeNavigation extends Group.make("codeNavigation", () => [
  HttpApiEndpoint.get("listDefinitions", "/tongs/repos/:owner/:repo/definitions/:name", {
    params: namePath,
    query: { ...positionQuery, ...pageQuery },
    success: Paged(Definitions),
    error: [notFound, validationFailed, unsupported]
  }).annotateMerge(
    Operation.annotations({
      ...Operation.readsExtension,
      summary: "List the definitions of a name",
      command: "definitions",
      description:
        "Searches the repository first, then the others that the caller may read. With a position, the definitions that it can see by scope and imports come first, also in the repository that declares an imported package. Other repositories are searched at their default branches, unless scope or imports lead to a definition.",
      paging: "page",
      rest: true
    })
  ),
  HttpApiEndpoint.get("listReferences", "/tongs/repos/:owner/:repo/references/:name", {
    params: namePath,
    query: { ...positionQuery, ...pageQuery },
    success: Paged(References),
    error: [notFound, validationFailed, unsupported]
  }).annotateMerge(
    Operation.annotations({
      ...Operation.readsExtension,
      summary: "List the uses of a name in a repository",
      command: "references",
      description:
        "Whole words in code, without comments, strings and the definitions themselves. With a position, only uses of the definition that it leads to, as far as scope and imports show, and its uses in other repositories that import the package.",
      paging: "page",
      rest: true
    })
  ),
  HttpApiEndpoint.get("getOutline", "/tongs/repos/:owner/:repo/outline/:path", {
    params: filePath,
    query: refQuery,
    success: Outline,
    error: [notFound, unsupported]
  }).annotateMerge(
    Operation.annotations({
      ...Operation.readsExtension,
      summary: "Get the names that a file defines",
      command: "outline",
      rest: true
    })
  )
]) {}
