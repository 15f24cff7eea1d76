/** The kinds of definitions, for the contract and for the query language, which loads no schemas. */

/** Kinds of the definition that a name has. */
export const symbolKinds = [
  "class",
  "constant",
  "enum",
  "enum_member",
  "field",
  "function",
  "interface",
  "macro",
  "method",
  "module",
  "struct",
  "type",
  "variable"
] as const // literal types for the schema
