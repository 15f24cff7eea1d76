/** GraphQL documents that are made to take long: each is answered in bounded time, with an error in GitHub's form. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { nodeId } from "@tongs/service/api/NodeId"
import { TestForge } from "@tongs/service/main/Forge.test-support"
import { documents, type HostileDocument } from "../bench/service/HostileDocuments.ts"
import { ConformanceForge } from "./ConformanceForge.test-support.ts"

/** Maximum CPU time of an answer (milliseconds), and further attempts of a slow one. */
const MAX_MILLIS = 300
const ATTEMPTS = 4

/** Maximum characters of an answer without data. */
const MAX_REFUSAL = 30_000

const repeat = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(" ")

const nested = (depth: number, value: unknown): unknown => {
  let found = value
  for (let level = 0; level < depth; level++) found = [found]
  return found
}

const issue = nodeId("Issue", 1)

/** Documents beyond those of the benchmark. */
const more: ReadonlyArray<HostileDocument> = [
  { name: "100,000 tokens", query: `{ viewer { ${repeat(100_000, () => "login")} } }` },
  {
    name: "a megabyte of aliases",
    query: `{ ${repeat(40_000, (at) => `alias${at}: viewer { login }`)} }`.slice(0, 990_000)
  },
  { name: "the alias __proto__", query: "{ __proto__: viewer { __proto__: login constructor: url toString: id } }" },
  {
    name: "a cycle of fragments",
    query: "{ viewer { ...a } } fragment a on User { ...b } fragment b on User { ...a }"
  },
  {
    name: "cycles of many fragments",
    query: `{ viewer { ...f0 } } ${repeat(120, (at) => `fragment f${at} on User { ${repeat(20, (to) => `...f${(at + to) % 120}`)} }`)}`
  },
  {
    name: "nested types of the schema",
    query: `{ __schema { types ${"{ fields { type ".repeat(8)}{ name }${" } }".repeat(8)} } }`
  },
  {
    name: "a deep list in variables",
    query: "query($ids: [ID!]!) { nodes(ids: $ids) { id } }",
    variables: { ids: nested(2000, "x") }
  },
  {
    name: "deep objects in variables",
    query: "mutation M($input: CreateIssueInput!) { createIssue(input: $input) { clientMutationId } }",
    variables: { input: JSON.parse(`${'{"a":'.repeat(2000)}1${"}".repeat(2000)}`) }
  },
  { name: "a string of escapes", query: `{ node(id: "${'\\u0041\\n\\"'.repeat(80_000)}") { id } }` },
  { name: "surrogates", query: `{ node(id: "${"\\uD83D\\uDE00".repeat(60_000)}") { id } }` },
  { name: "half a surrogate", query: '{ node(id: "\\uD83D") { id } }' },
  { name: "a long number", query: `{ viewer { repositories(first: ${"9".repeat(900_000)}) { totalCount } } }` },
  {
    name: "many definitions of a fragment",
    query: `{ viewer { ...f } } ${repeat(2800, () => "fragment f on User { id }")}`
  },
  { name: "many directives", query: `{ viewer { login ${repeat(9000, (at) => `@d${at}`)} } }` },
  { name: "inline fragments", query: `{ viewer { ${repeat(400, () => "... on User { ... on Node { id } }")} } }` },
  {
    name: "lists in lists",
    query: `{ viewer { ${"repositories(first: 100) { nodes { owner { ".repeat(4)}login${" } } }".repeat(4)} } }`
  },
  {
    name: "lists of many ids",
    query:
      "query($ids: [ID!]!) { nodes(ids: $ids) { ... on Repository { issues(first: 100) { nodes { comments(first: 100) { nodes { body author { login } } } } } } } }",
    variables: { ids: Array.from({ length: 100 }, () => nodeId("Repository", 1)) }
  },
  {
    name: "the same mutation a thousand times",
    query: `mutation { ${repeat(1000, (at) => `m${at}: addComment(input: { subjectId: "${issue}", body: "x" }) { clientMutationId }`)} }`
  },
  {
    name: "a search of a thousand terms",
    query: `{ search(type: ISSUE, first: 1, query: "${repeat(1000, (at) => `OR label:a${at}`)}") { issueCount } }`
  },
  {
    name: "a search in brackets",
    query: `{ search(type: ISSUE_ADVANCED, first: 1, query: "${"(".repeat(5000)}a${")".repeat(5000)}") { issueCount } }`
  }
]

layer(ConformanceForge.layer, { excludeTestServices: true, timeout: 60_000 })("a hostile GraphQL document", (it) => {
  for (const { name, query, variables } of [...documents, ...more])
    it.effect(
      `${name}: has an answer in time`,
      () =>
        Effect.gen(function* () {
          const { ask } = yield* TestForge
          let fastest = Number.POSITIVE_INFINITY
          for (let attempt = 0; attempt <= ATTEMPTS && fastest > MAX_MILLIS; attempt++) {
            const before = process.threadCpuUsage()
            const { json, status, text } = yield* ask("POST", "/graphql", {
              token: "olive",
              body: { query, variables }
            })
            const { system, user } = process.threadCpuUsage(before)
            fastest = Math.min(fastest, (system + user) / 1000)
            assert.include([200, 413], status)
            for (const { message, type, extensions, path } of json.errors ?? []) {
              assert.isAbove(String(message).length, 0)
              if (path !== undefined) assert.isDefined(type ?? extensions?.code)
            }
            if ((json.data ?? undefined) === undefined) assert.isBelow(text.length, MAX_REFUSAL)
          }
          assert.isAtMost(fastest, MAX_MILLIS)
        }),
      60_000
    )
})
