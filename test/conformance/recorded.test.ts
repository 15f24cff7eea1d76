/** The contract decodes recorded responses of GitHub, and the resources in recorded webhook payloads. */
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as CatalogEndpoint from "@tongs/core/client/CatalogEndpoint"
import { type CatalogEntry, entries, successSchema } from "@tongs/core/contract/Catalog"
import { CommitComment } from "@tongs/core/contract/groups/CommitComments"
import { pathOf } from "@tongs/core/contract/Dialect"
import { ErrorBody } from "@tongs/core/contract/FailureCodec"
import { Installation } from "@tongs/core/contract/groups/Installations"
import * as Renaming from "@tongs/core/contract/Renaming"
import * as SchemaShape from "@tongs/core/contract/SchemaShape"
import { Repository } from "@tongs/core/contract/groups/Repository"
import { ReviewComment } from "@tongs/core/contract/groups/ReviewComments"
import { UserSummary } from "@tongs/core/contract/groups/User"
import { resolvePath, type Json, membersOf } from "./GitHubOpenApi.test-support.ts"

const require = createRequire(import.meta.url)
const parse = (path: string): Json => JSON.parse(readFileSync(path, "utf8"))

const text = (value: Json | undefined) => (typeof value === "string" ? value : "")

const codec = (schema: Schema.Top) => schema as Schema.Codec<unknown> // oxlint-disable-line typescript/no-unsafe-type-assertion -- a declaration needs no services

const toService = (schema: Schema.Top, value: Json) =>
  Renaming.toService("github", SchemaShape.of(schema))?.(value) ?? value

/** Decodes a value. Returns the error as text, or undefined. */
const refusal = (schema: Schema.Top, value: Json): string | undefined => {
  const exit = Schema.decodeUnknownExit(codec(schema))(toService(schema, value))
  return Exit.isSuccess(exit) ? undefined : String(exit.cause)
}

/** Checks that the client decodes a successful response, with the same result as the schema. */
const checkSuccess = (entry: CatalogEntry, response: Json) => {
  const schema = successSchema(entry.endpoint)
  const value = Schema.decodeUnknownSync(codec(schema))(toService(schema, response))
  assert.deepStrictEqual(CatalogEndpoint.make(entry, "github").decode(response), { value })
}

interface Recorded {
  readonly name: string
  readonly entry: CatalogEntry
  readonly status: number
  readonly response: Json
}

const scenarios = join(dirname(require.resolve("@octokit/fixtures/package.json")), "scenarios/api.github.com")

/** Path parameters that can contain slashes, except after a commit, which starts another operation's path. */
const pattern = (entry: CatalogEntry) => {
  const { operation } = entry
  const path = pathOf("github", entry)
  const parts = path.replace(
    /\/:\w+$/,
    operation.rest === false || /\/commits\/:/.test(path) ? "/:last" : operation.rest === true ? "/.+" : "(/.*)?"
  )
  return new RegExp(`^${parts.replace(/:\w+/g, "[^/]+")}$`)
}
const operations = entries.map((entry) => ({ entry, pattern: pattern(entry) }))

/** All recorded requests to operations of the contract, and the responses. */
const recorded = readdirSync(scenarios).flatMap((scenario) =>
  ["normalized-fixture.json", "raw-fixture.json"].flatMap((file) => {
    const exchanges = parse(join(scenarios, scenario, file))
    return (Array.isArray(exchanges) ? exchanges : []).flatMap((exchange: Json, index): ReadonlyArray<Recorded> => {
      const { method, path, response = null, status } = membersOf(exchange)
      const url = text(path).split("?")[0] ?? ""
      const found = operations.find(
        ({ entry, pattern }) => entry.endpoint.method === text(method).toUpperCase() && pattern.test(url)
      )
      if (found === undefined) return []
      const name = `${scenario} (${file.split("-")[0]}) ${index}: ${text(method)} ${url}`
      return [{ name, entry: found.entry, status: Number(status), response }]
    })
  })
)

describe("recorded responses", () => {
  it("cover several operations", () => {
    const names = new Set(recorded.map(({ entry }) => `${entry.group}.${entry.name}`))
    assert.isAtLeast(names.size, 6, [...names].join(", "))
  })
  for (const { entry, name, response, status } of recorded) {
    // A string is the raw contents of a file.
    if (typeof response === "string") continue
    it(`${name} ${status}`, () => {
      if (status < 300) checkSuccess(entry, response)
      else Schema.decodeUnknownSync(codec(ErrorBody))(response)
    })
  }
})

/** Members of payloads that are resources of the contract. */
const resources: ReadonlyArray<readonly [event: RegExp, member: string, schema: Schema.Top]> = [
  [/^commit_comment$/, "comment", CommitComment],
  [/^pull_request_review_comment$/, "comment", ReviewComment],
  [/^installation(_repositories)?$/, "installation", Installation],
  [/^(?!push$)/, "repository", Repository],
  [/./, "sender", UserSummary]
]

const early = [
  "check_run",
  "deploy_key",
  "member",
  "meta",
  "repository_dispatch",
  "repository_import",
  "workflow_dispatch"
]

/** Payloads with different data under the same name: the expected decoding error, and the reason. */
const exceptions = new Map<string, readonly [refusal: RegExp, reason: string]>([
  ...early.map((event): [string, readonly [RegExp, string]] => [
    `${event} repository`,
    [/Missing key\s+at \["disabled"\]/, "some payloads are older than the member `disabled`"]
  ]),
  ...["installation", "installation_repositories"].map((event): [string, readonly [RegExp, string]] => [
    `${event} installation`,
    [/Expected string\s+at \["created_at"\]/, "seconds since the epoch instead of timestamps"]
  ]),
  ["marketplace_purchase sender", [/Missing key\s+at \["node_id"\]/, "a different account without node_id"]]
])

describe("webhook payloads", () => {
  const all = parse(require.resolve("@octokit/webhooks-examples/api.github.com/index.json"))
  for (const one of Array.isArray(all) ? all : []) {
    const event = text(resolvePath(one, "name"))
    const examples = resolvePath(one, "examples")
    const payloads = Array.isArray(examples) ? examples : []
    for (const [concerned, member, schema] of resources) {
      if (!concerned.test(event)) continue
      const values = payloads.flatMap((payload: Json) => resolvePath(payload, member) ?? [])
      if (values.length === 0) continue
      const exception = exceptions.get(`${event} ${member}`)
      it(`${event}: ${member}${exception === undefined ? "" : `, ${exception[1]}`}`, () => {
        const refusals = values.flatMap((value) => refusal(schema, value) ?? [])
        assert.deepStrictEqual(
          refusals.filter((text) => exception?.[0].test(text) !== true),
          []
        )
        assert.strictEqual(refusals.length > 0, exception !== undefined)
      })
    }
  }
})
