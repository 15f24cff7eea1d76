/** Text for people: escaping of untrusted text, tables, and readable numbers and times. */
export * as NumberFormat from "./NumberFormat.ts"
export * as RelativeTime from "./RelativeTime.ts"
export * as Table from "./Table.ts"
export * as Terminal from "./Terminal.ts"
