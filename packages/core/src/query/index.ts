/** The query languages of code search, the contract's and the explorer's: read, check, print, colour, complete. */
export * as CodeLanguage from "./CodeLanguage.ts"
export * as CodeQuery from "./CodeQuery.ts"
export * as Completion from "./Completion.ts"
export * as Highlight from "./Highlight.ts"
export * as Problem from "./Problem.ts"
export * as Qualifier from "./Qualifier.ts"
export * as Query from "./Query.ts"
