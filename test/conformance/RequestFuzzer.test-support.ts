/**
 * Random requests from the contract's OpenAPI document, like an attacker's: mostly as described, with arbitrary values,
 * sometimes not as described.
 */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import * as Document from "@tongs/core/contract/Document"
import { TestForge } from "@tongs/service/main/Forge.test-support"
import { git } from "@tongs/service/git/Fixture.test-support"
import * as ForgeRows from "../postgres/ForgeRows.test-support.ts"
import { pathParameters } from "./OperationCalls.test-support.ts"
import { type Json, membersOf } from "./GitHubOpenApi.test-support.ts"
import { entries } from "@tongs/core/contract/Catalog"
import * as IssueRows from "./IssueRows.test-support.ts"
import { ConformanceForge } from "./ConformanceForge.test-support.ts"
import { substitute } from "./ConformanceFixture.test-support.ts"

const document: Json = JSON.parse(JSON.stringify(Document.make({ dialect: "github" })))

const text = (value: Json | undefined) => (typeof value === "string" ? value : "")
const list = (value: Json | undefined): ReadonlyArray<Json> => (Array.isArray(value) ? value : [])

const resolved = (schema: Json | undefined): { readonly [name: string]: Json } => {
  const { $ref, ...own } = membersOf(schema)
  if (typeof $ref !== "string") return own
  return resolved(
    $ref
      .split("/")
      .slice(1)
      .reduce<Json | undefined>((at, name) => membersOf(at)[name], document)
  )
}

/** Names of the fixture, and strings that often cause errors. */
const known = [
  "{commit}",
  "{parent}",
  "{tree}",
  "{blob}",
  "{tag}",
  "main",
  "heads/main",
  "refs/heads/fuzz",
  "v1",
  "hello"
]
const named =
  "olive piers harbor pier push json {receiver}/fuzz {today} 2026-01-02T03:04:05Z bug question Task 00ff00 heart".split(
    " "
  )
/** Parts of searches for issues. */
const terms = [
  'hello is:open is:closed no:label label:bug label:"a_b" -label:question author:olive assignee:@me repo:harbor/hello',
  'user:harbor created:>2020-01-01 comments:1..5 in:title ( ) AND OR NOT sort:created-asc reactions:>=1 "',
  "milestone:none type:Task mentions:piers"
].flatMap((line) => line.split(" "))
const vile = [
  "",
  " ",
  "..",
  "%00",
  "%2f",
  "\u0000",
  "'",
  '"',
  "<a>",
  "${x}",
  "refs/",
  "__proto__",
  "NaN",
  "é",
  "a".repeat(5000)
]

const word = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...known, ...named) },
  { weight: 2, arbitrary: fc.constantFrom(...vile) },
  fc.string({ unit: "binary", maxLength: 12 })
)
const number = fc.oneof(fc.integer({ min: -1, max: 12 }), fc.constantFrom(100, 2026, 2 ** 31, 2 ** 53, -(2 ** 63), 0.5))
const anything = fc.oneof(word, number, fc.boolean(), fc.constant(null), fc.constant([]), fc.jsonValue({ maxDepth: 2 }))

const queries = fc.array(fc.constantFrom(...terms), { minLength: 1, maxLength: 4 }).map((all) => all.join(" "))
const accounts = fc.constantFrom("olive", "piers", "OLIVE")
const labels = fc.constantFrom("bug", "question", "New")
const names = fc.oneof(fc.constantFrom("New", "Old", "hello"), fc.nat().map(String))
const row = (name: string) => fc.constant(`{#${name}}`)

/** Values of members and parameters that the forge accepts. `{#name}` is a value of an existing row, by `IssueRows`. */
const accepted: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  after_id: row("after_id"),
  before_id: row("before_id"),
  issue_id: row("issue_id"),
  sub_issue_id: row("sub_issue_id"),
  milestone: row("milestone"),
  assignee: accounts,
  assignees: fc.array(accounts, { maxLength: 2 }),
  creator: accounts,
  mentioned: accounts,
  labels: fc.oneof(fc.array(labels, { maxLength: 2 }), labels),
  title: fc.constant("Hello @piers, see #1"),
  body: fc.constantFrom("Hello @piers, see #1", "`#1`"),
  name: names,
  new_name: names,
  description: fc.constant("Hello"),
  color: fc.constantFrom("00ff00", "FFFFFF"),
  due_on: fc.constant("2027-01-02T03:04:05Z"),
  since: fc.constant("2026-01-02T03:04:05Z"),
  type: fc.constantFrom("Task", "task")
}

/** Values of a member or parameter: most are accepted, if the forge only accepts some. */
const valueOf = (name: string, schema: Json | undefined, depth = 0): fc.Arbitrary<unknown> => {
  const some = accepted[name]
  return some === undefined || resolved(schema)["enum"] !== undefined
    ? described(schema, depth)
    : fc.oneof({ weight: 9, arbitrary: some }, described(schema, depth))
}

const search: typeof valueOf = (name, schema) =>
  name === "q" ? fc.oneof({ weight: 4, arbitrary: queries }, word) : valueOf(name, schema)

/** Values of a schema; one of ten is arbitrary. */
const described = (schema: Json | undefined, depth = 0): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 9, arbitrary: meant(resolved(schema), depth) }, anything)

const meant = (schema: { readonly [name: string]: Json }, depth: number): fc.Arbitrary<unknown> => {
  const { additionalProperties, anyOf, items, properties, required, type } = schema
  const values = list(schema["enum"])
  if (depth > 6) return fc.constant(null)
  if (values.length > 0) return fc.constantFrom(...values)
  if (anyOf !== undefined) return fc.oneof(...list(anyOf).map((one) => meant(resolved(one), depth + 1)))
  switch (type) {
    case "string":
      return word
    case "integer":
    case "number":
      return number
    case "boolean":
      return fc.boolean()
    case "array":
      return fc.array(described(items, depth + 1), { maxLength: 3 })
    case "object": {
      const fields: Record<string, fc.Arbitrary<unknown>> = {}
      for (const [name, field] of Object.entries(membersOf(properties))) fields[name] = valueOf(name, field, depth + 1)
      const needed = list(required).map(text)
      return properties === undefined
        ? fc.dictionary(word, described(additionalProperties, depth + 1), { maxKeys: 3, noNullPrototype: true })
        : fc.record(fields, { requiredKeys: needed, noNullPrototype: true })
    }
    default:
      return anything
  }
}

interface Request {
  /** Method and path of the operation. */
  readonly operation: string
  /** Selects the existing rows that the request names. */
  readonly choice: number
  /** Declared statuses by method. */
  readonly declared: Readonly<Record<string, ReadonlyArray<number>>>
  readonly method: string
  readonly path: string
  readonly query: ReadonlyArray<readonly [string, string]>
  readonly body: string | undefined
  readonly token: string | null
  readonly headers: Readonly<Record<string, string>>
}

/** Separate targets for requests that rename, hide or archive, so that other requests are not affected. */
const sacrificed: Readonly<Record<string, string>> = { owner: "olive", repo: "own", org: "pier" }
const sacrificing = new Set(["patch /repos/{owner}/{repo}", "post /orgs/{org}/rulesets"])

const part = (name: string, sacrifices: boolean, isRest: boolean) => {
  const usual = sacrifices ? (sacrificed[name] ?? "x") : String(pathParameters[name] ?? `{#${name}}`)
  const encode = (value: string) => (isRest ? value : encodeURIComponent(value.replace(/\p{Cs}/gu, "")))
  return fc.oneof(
    { weight: 9, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 30 }).map(String) },
    { weight: 1, arbitrary: word.filter((value) => !value.includes("{")).map(encode) }
  )
}

/** Declared statuses of a path by method. HEAD has the statuses of GET. */
const statuses = (item: Json): Request["declared"] => {
  const declared = Object.fromEntries(
    Object.entries(membersOf(item)).map(([method, described]) => [
      method.toUpperCase(),
      Object.keys(membersOf(membersOf(described)["responses"])).map(Number)
    ])
  )
  return declared["GET"] === undefined ? declared : { ...declared, HEAD: declared["GET"] }
}

const operation = (path: string, method: string, item: Json): fc.Arbitrary<Request> => {
  const own = membersOf(item)[method]
  const parameters = list(membersOf(own)["parameters"]).map(membersOf)
  const schema = ["requestBody", "content", "application/json", "schema"].reduce<Json | undefined>(
    (at, name) => membersOf(at)[name],
    own
  )
  const mayHoldSlashes = membersOf(membersOf(own)["x-tongs"])["rest"] !== false
  const sacrifices = sacrificing.has(`${method} ${path}`)
  const segments = path
    .split("/")
    .map((segment) =>
      segment.startsWith("{")
        ? part(segment.slice(1, -1), sacrifices, mayHoldSlashes && path.endsWith(segment))
        : fc.constant(segment)
    )
  const queries = parameters
    .filter((parameter) => parameter["in"] === "query")
    .map((parameter) =>
      fc.option(
        (path === "/search/issues" ? search : valueOf)(text(parameter["name"]), parameter["schema"]).map(
          (value): readonly [string, string] => [
            text(parameter["name"]),
            typeof value === "string" ? value : JSON.stringify(value)
          ]
        ),
        { freq: parameter["required"] === true ? 20 : 2, nil: undefined }
      )
    )
  const body =
    schema === undefined
      ? fc.constantFrom(undefined, undefined, undefined, "{")
      : fc.oneof(
          { weight: 12, arbitrary: described(schema).map((value) => JSON.stringify(value)) },
          fc.constantFrom("", "{", "null", "[]", '{"a":', '{"name":"\ud800"}', "[".repeat(2000))
        )
  return fc.record({
    operation: fc.constant(`${method.toUpperCase()} ${path}`),
    choice: fc.nat(),
    declared: fc.constant(statuses(item)),
    method: fc.oneof(
      { weight: 30, arbitrary: fc.constant(method.toUpperCase()) },
      fc.constantFrom("HEAD", "PUT", "DELETE")
    ),
    path: fc.tuple(...segments).map((parts) => parts.join("/")),
    query: fc.tuple(...queries).map((pairs) => pairs.filter((pair) => pair !== undefined)),
    body,
    token: fc.oneof(
      { weight: 12, arbitrary: fc.constant("olive") },
      fc.constantFrom(null, "nell", "buoy", "fine", "wrong")
    ),
    headers: fc.oneof(
      { weight: 5, arbitrary: fc.constant({}) },
      fc
        .constantFrom("*/*", "application/vnd.github.raw+json", "application/vnd.github.full+json", "text/html", "x")
        .map((accept) => ({ accept })),
      fc.constantFrom("2022-11-28", "2026-03-10", "1999-01-01").map((version) => ({ "x-github-api-version": version }))
    )
  })
}

/** Requests of the operations whose path matches. */
const requests = (paths: RegExp) =>
  fc.oneof(
    ...Object.entries(membersOf(membersOf(document)["paths"]))
      .filter(([path]) => paths.test(path))
      .flatMap(([path, item]) => Object.keys(membersOf(item)).map((method) => operation(path, method, item)))
  )

/** Replaces placeholders of existing rows. In JSON, a number replaces the whole text. */
const identify = (text: string, values: Readonly<Record<string, string | number>>) =>
  text.replace(/("?)\{#(\w+)\}("?)/g, (_, start: string, name: string, end: string) => {
    const value = values[name] ?? 1
    return typeof value === "number" && start !== "" ? String(value) : `${start}${value}${end}`
  })

/** Requests of issues, comments, labels, milestones, reactions, assignees and their relations. */
export const ofIssues = /\/(?:issues|labels|milestones|reactions|assignees|issue-types)(?:\/|$)/

/** Requests of pull requests, statuses, check runs and check suites. */
export const ofPulls = /\/(?:pulls|branches-where-head|status|statuses|check-runs|check-suites)(?:\/|$)/

/** Requests of reviews, their comments, code owners, branch protection and rules. */
export const ofReviews =
  /\/(?:reviews|requested_reviewers|pulls\/comments|protection|rulesets|rules|rule-suites|codeowners)(?:\/|$)/

/** Requests of releases, runs, secrets, variables, environments, deployments and custom properties. */
export const ofReleases =
  /\/(?:releases|immutable-releases|actions|runs|dispatches|environments|deployments|properties)(?:\/|$)/

const shapeOf = (path: string) => path.replaceAll(/\{\w+\}|:\w+/g, "{}")

/** Second addresses of reads, which the OpenAPI document does not have. */
const aliases = new Set(entries.flatMap(({ operation: { alsoAt } }) => (alsoAt === undefined ? [] : [shapeOf(alsoAt)])))

/** Requests between two readings of the existing rows. */
const REFRESH = 100

/** Time limit of one request on a busy machine (milliseconds). */
const PATIENCE = 20_000

/**
 * Sends random requests of the operations with these paths. Checks that none is a 5xx or hangs, and that the data stays
 * consistent. Returns counts by status, and of the successes of each operation.
 */
export const run = Effect.fnUntraced(function* (count: number, seed: number, paths = /./) {
  const { ask, repos } = yield* TestForge
  const { names, path: repository } = yield* ConformanceForge
  const seen = new Map<number, number>()
  const sample = fc.sample(requests(paths), { numRuns: count, seed })
  const successes = new Map(sample.map(({ operation }) => [operation, 0]))
  let rows: IssueRows.Rows | undefined
  for (const [index, one] of sample.entries()) {
    const { choice, declared, headers, method, operation, query, token } = one
    if (paths === ofIssues && index % REFRESH === 0) rows = yield* IssueRows.refresh
    const [, template = ""] = operation.split(" ")
    const values = rows?.valuesOf(method, template, choice) ?? {}
    const path = identify(one.path, values)
    const body = one.body === undefined ? undefined : identify(one.body, values)
    const search = query.map(
      ([name, value]) => `${name}=${encodeURIComponent(substitute(value, names).replace(/\p{Cs}/gu, ""))}`
    )
    const target =
      substitute(path, names).replace(/[\s\p{Cc}]/gu, (one) => encodeURIComponent(one)) +
      (search.length > 0 ? `?${search.join("&")}` : "")
    const sends = body !== undefined && method !== "GET" && method !== "HEAD"
    const shown = `seed ${seed}: ${method} ${target.slice(0, 400)} as ${token} ${sends ? substitute(body, names).slice(0, 1000) : ""}`
    const answer = yield* ask(method, target, {
      token,
      headers,
      ...(sends ? { body: substitute(body, names) } : {})
    }).pipe(Effect.timeoutOrElse({ duration: PATIENCE, orElse: () => Effect.die(new Error(`no answer: ${shown}`)) }))
    assert.isBelow(answer.status, 500, `${shown}\n${answer.text.slice(0, 500)}`)
    const isAlias = declared[method] === undefined && aliases.has(shapeOf(template))
    if (!isAlias)
      assert.include(declared[method] ?? [400, 401, 404, 405], answer.status, `${shown}\n${answer.text.slice(0, 500)}`)
    if (answer.status >= 400 && method !== "HEAD") {
      assert.strictEqual(answer.json?.status, String(answer.status), shown)
      assert.notInclude(answer.text, repos, shown)
    }
    seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
    const isSuccess = answer.status < 300 && operation.startsWith(`${method} `)
    if (isSuccess) successes.set(operation, (successes.get(operation) ?? 0) + 1)
  }

  const data = join(repos, "../data")
  assert.deepStrictEqual(yield* Effect.promise(() => ForgeRows.damage(data)), [])
  for (const owner of readdirSync(join(data, "repositories"))) {
    for (const name of readdirSync(join(data, "repositories", owner))) {
      assert.strictEqual(git(join(data, "repositories", owner, name), ["fsck", "--strict", "--no-dangling"]), "")
    }
  }
  assert.strictEqual(git(repository, ["fsck", "--strict", "--no-dangling"]), "")
  return { seen, successes }
})
