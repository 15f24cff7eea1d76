import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import { matchRoute } from "@tongs/core/client/contract/RouteTable"
import * as Catalog from "@tongs/core/contract/Catalog"
import { successSchema } from "@tongs/core/contract/CatalogEntry"
import * as Samples from "@tongs/core/contract/Samples.test-support"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import type { Arguments } from "../answer/Answer.ts"
import type { Tool } from "../call/Tool.ts"
import * as TestServer from "../TestServer.test-support.ts"
import type * as ToolServer from "../ToolServer.ts"
import * as Tools from "../Tools.ts"
import * as Support from "./Writes.test-support.ts"

const SEED = 20_260_728

const byRoute = new Map(Catalog.entries.map((entry) => [`${entry.endpoint.method} ${entry.endpoint.path}`, entry]))

/** Answers most requests as the contract declares, with links to other places and hostile texts. */
const respond = ({ method, path }: Support.Received): Response => {
  const route = `${method} ${path.replace(/\?.*/, "").replaceAll("/:", "/_")}`
  const entry = byRoute.get(matchRoute(route))
  if (entry === undefined || path.includes("missing")) {
    return Response.json({ message: "Not Found", documentation_url: "http://forge.test/x" }, { status: 404 })
  }
  if (path.includes("moved")) {
    return new Response(null, { status: 307, headers: { location: "http://forge.test/repos/octo/other" } })
  }
  const links = ["http://forge.test/repos/octo/other/hooks?page=2", "/repos/octo/hello/hooks/1", "http://other.test/"]
  const headers = { link: links.map((link) => `<${link}>; rel="next"`).join(", ") }
  if (entry.status === 204) return new Response(null, { status: 204 })
  const body = Samples.of(successSchema(entry.endpoint), 'DELETE /repos/octo/other {"operation":"gitRefs.delete"}')
  const isRepository = method === "GET" && entry.endpoint.path === "/repos/:owner/:repo"
  const answer = isRepository ? { ...Object(body), full_name: "octo/hello" } : body
  return Response.json(answer, { status: entry.status === 302 ? 200 : entry.status, headers })
}

/** Texts that name operations, requests, places and cursors. */
const texts = [
  ...Support.writeEntries.flatMap(({ endpoint, group, name, tool }) => [
    `${group}.${name}`,
    tool,
    `${endpoint.method} ${endpoint.path}`
  ]),
  ..."octo/hello|octo/other|OCTO/Hello|octo/hello/../other|octo/hello%2F..%2Fother|octo /hello|octo|hello|other".split(
    "|"
  ),
  ..."heads/main|heads/../../other|../../../repos/octo/other|..|.|%2e%2e%2f|moved|missing|DELETE|POST|GET".split("|"),
  ..."true|false|full|public|1|-1|file:///etc/passwd|\u202e|\u0000||accept|confirm|src|a.ts".split("|"),
  "GET\r\nDELETE /repos/octo/other",
  "http://forge.test/repos/octo/other",
  Buffer.from(JSON.stringify({ url: "http://forge.test/repos/octo/other", page: 2 })).toString("base64url")
]

/** Decodes an encoded path: a name may contain a literal percent sign. */
const decode = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const text = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...texts) }, fc.string({ maxLength: 20 }))

const anything = fc.oneof(
  text,
  fc.integer({ min: -2, max: 200 }),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(text, text, { maxKeys: 3 }),
  fc.constantFrom(...Support.writeEntries.flatMap(Support.inputsOf))
)

/** Values that match parts of a schema. */
const described = (schema: unknown): fc.Arbitrary<unknown> => {
  const { enum: values, type }: { readonly enum?: unknown; readonly type?: unknown } = Object(schema)
  if (Array.isArray(values)) return fc.constantFrom<unknown>(...values)
  if (type === "integer" || type === "number") return fc.integer({ min: 1, max: 100 })
  if (type === "boolean") return fc.boolean()
  if (type === "array") return fc.array(text, { maxLength: 3 })
  if (type === "object") return fc.oneof(fc.constantFrom(...Support.writeEntries.flatMap(Support.inputsOf)), anything)
  return text
}

/** Values that tools accept, by argument. */
const accepted: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  repo: ["octo/hello"],
  owner: ["octo"],
  ref: ["main", "heads/main"],
  base: ["main"],
  head: ["dev"],
  path: ["src/a.ts"],
  query: ["ahoy"],
  since: ["2w"],
  until: ["2026-01-31"],
  operation: Catalog.entries.map(({ group, name }) => `${group}.${name}`)
}

/** A call by an imaginary agent: often with valid arguments, then with one or all arguments changed. */
const callOf = (tool: Tool) => {
  const { properties, required = [] } = tool.inputSchema
  // A made-up cursor would end every call before anything else.
  const names = Object.keys(properties).filter((name) => name !== "cursor")
  const proper = fc.record(
    Object.fromEntries(
      names.map((name) => [
        name,
        fc
          .constantFrom(...(accepted[name] ?? [undefined]))
          .chain((value) => (value === undefined ? described(properties[name]) : fc.constant(value)))
      ])
    ),
    { requiredKeys: [...required] }
  )
  const samples = Support.argumentsOf(tool, tool.hints.readOnlyHint ? Catalog.entries : Support.writeEntries)
  const valid = samples.length === 0 ? proper : fc.oneof(fc.constantFrom<Arguments>(...samples), proper)
  const oneChanged = fc
    .tuple(valid, fc.constantFrom(...names, "repo"), anything)
    .map(([args, name, value]) => ({ ...args, [name]: value }))
  const extra = fc.dictionary(
    fc.constantFrom("cursor", "owner", "repo", "force", "dry_run", "operation", "method", "__proto__", "private"),
    anything,
    { maxKeys: 2 }
  )
  const withExtra = fc.tuple(valid, extra).map(([args, more]) => ({ ...args, ...more }))
  const wrong = fc.record(Object.fromEntries(names.map((name) => [name, anything])), { requiredKeys: [] })
  return fc.record({
    name: fc.constant(tool.name),
    given: fc.oneof(valid, valid, oneChanged, oneChanged, withExtra, wrong)
  })
}

/** Makes calls that can write more frequent, because only one of the usual tools can write. */
const weighted = (tool: Tool) => ({ weight: tool.hints.readOnlyHint ? 1 : 20, arbitrary: callOf(tool) })

/** Makes random calls of all tools of a server, also with cursors of earlier answers. Returns the requests sent. */
const fuzz = Effect.fnUntraced(function* (options: Partial<ToolServer.Options>, count: number) {
  const { forge, received } = yield* Support.recordingForge(respond)
  const connection = TestServer.connection({ defaultRepository: { owner: "octo", repo: "hello" } })
  const client = yield* TestServer.connect(
    Layer.mergeAll(Layer.succeed(Forge, forge), Layer.succeed(Connection, connection), Scheduler.layerMemory),
    options
  )
  const tools = Tools.select({ ...TestServer.settings, ...options }, connection.repository)
  const calls = fc.sample(fc.oneof(...tools.map(weighted)), { numRuns: count, seed: SEED })
  const cursors = new Map<string, string>()
  let answered = 0
  for (const [index, { given, name }] of calls.entries()) {
    // Time for the rate limits.
    yield* TestClock.adjust("1 second")
    const cursor = index % 7 === 0 ? cursors.get(name) : undefined
    const call = client.callTool({ name, arguments: cursor === undefined ? given : { cursor } })
    const running = yield* Effect.forkChild(Effect.orElseSucceed(call, () => ({ isError: true })))
    // Time for searches that wait for the index.
    while (running.pollUnsafe() === undefined) yield* TestClock.adjust("100 millis")
    const result = JSON.stringify(yield* Fiber.join(running))
    if (!result.includes('"isError":true')) answered += 1
    const next = /\\"cursor\\":\\"([\w-]+)\\"/.exec(result)?.[1]
    if (next !== undefined) cursors.set(name, next)
  }
  return { answered, received }
}, Effect.scoped)

const calls = process.env["TONGS_LONG_TESTS"] === undefined ? 700 : 2_500

const selections = { "the usual tools": {}, "a tool for each operation": { toolsets: Tools.toolsets() } } as const

describe("random calls", () => {
  for (const [name, selection] of Object.entries(selections)) {
    it.effect(`of ${name} only read, on a server that only reads`, () =>
      Effect.gen(function* () {
        const { answered, received } = yield* fuzz(selection, calls)
        const methods = [...new Set(received.map(({ method }) => method))]
        assert.deepStrictEqual(methods, ["GET"])
        assert.isAbove(received.length, calls / 5)
        assert.isAbove(answered, calls / 9)
      })
    )

    it.effect(`of ${name} write only to the allowed repository`, () =>
      Effect.gen(function* () {
        const options = {
          ...selection,
          allowWrites: true,
          confirm: "never",
          allowRepositories: ["octo/hello"]
        } as const
        const { received } = yield* fuzz(options, calls / 2)
        const writes = received.filter(({ method }) => method !== "GET" && method !== "HEAD")
        for (const { body, method, path } of writes) {
          const decoded = new URL(decode(decode(path)), Support.BASE_URL).pathname
          const inOrganization = method === "POST" && decoded === "/orgs/octo/repos" && body["name"] === "hello"
          assert.isTrue(inOrganization || /^(\/tongs)?\/repos\/octo\/hello(\/|$)/i.test(decoded), `${method} ${path}`)
          if (method === "PATCH" && /^\/repos\/[^/]+\/[^/]+$/.test(decoded) && "name" in body)
            assert.match(String(body["name"]), /^hello$/i)
        }
        assert.isAbove(writes.length, calls / 100)
      })
    )
  }
})
