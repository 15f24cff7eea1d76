/** The query languages of code search: parses, validates, prints, highlights and completes queries. */
export * as CodeQuery from "./CodeQuery.ts"
export * as CodeQueryParser from "./CodeQueryParser.ts"
export type * as Diagnostic from "./Diagnostic.ts"
export * as Completion from "./Completion.ts"
export * as Highlight from "./Highlight.ts"
export * as Qualifier from "./Qualifier.ts"
export * as SearchQuery from "./SearchQuery.ts"
