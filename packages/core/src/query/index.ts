/** The query language of code search: read, check, print. */
export * as Problem from "./Problem.ts"
export * as Qualifier from "./Qualifier.ts"
export * as Query from "./Query.ts"
