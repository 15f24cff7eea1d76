/** Making text from elsewhere safe to show, and numbers and times easy to read. */
export * as Ago from "./Ago.ts"
export * as Count from "./Count.ts"
export * as Table from "./Table.ts"
export * as Terminal from "./Terminal.ts"
