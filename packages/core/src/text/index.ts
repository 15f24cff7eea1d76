/** Making text from elsewhere safe to show, and numbers and times easy to read. */
export * as RelativeTime from "./RelativeTime.ts"
export * as NumberFormat from "./NumberFormat.ts"
export * as Table from "./Table.ts"
export * as Terminal from "./Terminal.ts"
