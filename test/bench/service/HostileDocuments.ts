/** GraphQL documents that make a server work as long as possible: most at a limit of the forge, some beyond. */

export interface HostileDocument {
  readonly name: string
  readonly query: string
  readonly variables?: object
}

const repeat = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at)).join(" ")

const LIST = "repositories(first: 1) { totalCount }"

/** A chain of fragments, each of which uses the next one. */
const chain = (length: number, use: (next: string) => string) =>
  `${repeat(length, (at) => `fragment f${at} on User { login ${use(`...f${at + 1}`)} }`)} fragment f${length} on User { login }`

export const documents: ReadonlyArray<HostileDocument> = [
  { name: "aliases", query: `{ viewer { ${repeat(6600, (at) => `a${at}: login`)} } }` },
  {
    name: "aliases at the limit",
    query: `{ ${repeat(13, (v) => `v${v}: viewer { ${repeat(490, (at) => `a${at}: login`)} }`)} }`
  },
  { name: "equal fields", query: `{ ${repeat(4, (v) => `v${v}: viewer { ${repeat(490, () => LIST)} }`)} }` },
  { name: "equal fields, merged", query: `{ ${repeat(4, () => `viewer { ${repeat(490, () => LIST)} }`)} }` },
  {
    name: "equal fields in lists in lists",
    query: `{ ${repeat(3, () => `viewer { ${repeat(25, () => `repositories(first: 1) { nodes { ${repeat(25, () => "owner { login }")} } }`)} }`)} }`
  },
  {
    name: "different fields of one name",
    query: `{ ${repeat(4, () => `viewer { ${repeat(490, (at) => `a: ${at % 2 === 0 ? "login" : "name"}`)} }`)} }`
  },
  {
    name: "long arguments",
    query: `{ ${repeat(2, (v) => `v${v}: viewer { ${repeat(280, () => `repositories(first: 1, ownerAffiliations: [${repeat(20, () => "OWNER")}]) { totalCount }`)} }`)} }`
  },
  {
    name: "fragments in pairs",
    query: `{ ${repeat(4, (v) => `v${v}: viewer { ${repeat(240, (at) => `...f${at}`)} }`)} } ${repeat(240, (at) => `fragment f${at} on User { x: login y: name }`)}`
  },
  { name: "a chain of fragments", query: `{ viewer { ...f0 } } ${chain(490, (next) => next)}` },
  { name: "a doubling chain of fragments", query: `{ viewer { ...f0 } } ${chain(1000, (next) => next.repeat(2))}` },
  { name: "unknown fragments", query: `{ viewer { ${repeat(9900, (at) => `...f${at}`)} } }` },
  { name: "unknown fields", query: `{ viewer { ${repeat(490, (at) => `repositoriez${at}`)} } }` },
  { name: "operations", query: repeat(2200, (at) => `query q${at} { viewer { login } }`) },
  { name: "undefined variables", query: `{ nodes(ids: [${repeat(9900, (at) => `$a${at}`)}]) { id } }` },
  { name: "unused variables", query: `query(${repeat(4900, (at) => `$a${at}: ID`)}) { viewer { login } }` },
  { name: "directives", query: `{ viewer { login ${repeat(3200, () => "@include(if: true)")} } }` },
  {
    name: "deep fields",
    query: `{ viewer ${"{ repositories { nodes { owner ".repeat(1500)}{ login }${" } } }".repeat(1500)} }`
  },
  { name: "deep lists", query: `{ nodes(ids: ${"[".repeat(9000)}1${"]".repeat(9000)}) { id } }` },
  { name: "types of the schema", query: `{ __schema { ${repeat(490, (at) => `a${at}: types { name }`)} } }` },
  {
    name: "members of the schema",
    query: `{ ${repeat(20, (t) => `t${t}: __type(name: "Repository") { fields { ${repeat(60, (at) => `a${at}: name`)} } }`)} }`
  },
  { name: "a long comment", query: `{ viewer { login } } #${"a".repeat(990_000)}` },
  { name: "many comments", query: `${"#\n".repeat(330_000)}{ viewer { login } }` },
  { name: "a long name", query: `{ viewer { ${"a".repeat(990_000)} } }` },
  { name: "a long block string", query: `{ node(id: """${"\n a".repeat(240_000)}""") { id } }` },
  {
    name: "many variables of an object",
    query: "mutation M($input: CreateIssueInput!) { createIssue(input: $input) { clientMutationId } }",
    variables: { input: Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`titl${at}`, 1])) }
  },
  {
    name: "variables of an object at the limit",
    query: "mutation M($input: CreateIssueInput!) { createIssue(input: $input) { clientMutationId } }",
    variables: { input: Object.fromEntries(Array.from({ length: 9900 }, (_, at) => [`titl${at}`, 1])) }
  },
  {
    name: "wrong variables of a list",
    query: "query Q($ids: [ID!]!) { nodes(ids: $ids) { id } }",
    variables: { ids: Array.from({ length: 9900 }, () => 1.5) }
  }
]
