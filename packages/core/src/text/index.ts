/** Text for people: escaping of untrusted text, tables, and readable numbers and times. */
export * as AbbreviatedId from "./AbbreviatedId.ts"
export * as NumberFormat from "./NumberFormat.ts"
export * as PathText from "./PathText.ts"
export * as RelativeTime from "./RelativeTime.ts"
export * as ShellWord from "./ShellWord.ts"
export * as Table from "./Table.ts"
export * as Terminal from "./Terminal.ts"
export * as WordDiff from "./WordDiff.ts"
