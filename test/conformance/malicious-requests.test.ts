import { readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { entries } from "@tongs/core/contract/Catalog"
import * as Forge from "@tongs/service/main/Forge.test-support"
import * as Fixture from "@tongs/service/git/Fixture.test-support"

const { TestForge } = Forge

/** Values that often cause errors, and plausible ones. Placeholders in braces are replaced later. */
const pieces = [
  "{commit}",
  "{tree}",
  "{blob}",
  "refs/heads/new",
  "main",
  "heads/main",
  "refs/heads/main",
  "hello",
  "HEAD",
  "a.txt",
  "..",
  "../..",
  "%2e%2e%2f",
  "%00",
  "%",
  "%zz",
  "%ff",
  "%0a",
  "@{0}",
  "HEAD~1",
  "HEAD^",
  ":a.txt",
  "main:a.txt",
  "-n",
  "--help",
  "--output=x",
  "/etc/passwd",
  "\\",
  "'",
  '"',
  "<a>",
  "`id`",
  "$(id)",
  ";",
  "|",
  "*",
  "?",
  "[",
  "{}",
  "é",
  "%F0%9F%8C%8D",
  "%ED%A0%80",
  "0",
  "-1",
  "1e9",
  "NaN",
  "1".repeat(40),
  "0".repeat(40),
  "g".repeat(40),
  "a".repeat(300),
  "a".repeat(9000),
  "__proto__",
  "constructor",
  "",
  " ",
  "+",
  "null",
  "true"
]
const piece = fc.constantFrom(...pieces)

const value = fc.oneof(
  piece,
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(piece, { maxLength: 3 }),
  fc.dictionary(
    fc.constantFrom("name", "email", "date", "__proto__", "x"),
    fc.oneof(piece, fc.constant("2014-11-07T22:01:45Z"))
  )
)

/** Valid values of fields without which a request is rejected early. */
const plausible: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  message: fc.string({ unit: "binary", maxLength: 30 }),
  name: fc.oneof(piece, fc.constant("made")),
  parents: fc.array(fc.constantFrom("{commit}", "{tree}"), { maxLength: 2 }),
  ref: fc.oneof(
    piece,
    piece.map((name) => `refs/heads/${name}`)
  ),
  sha: fc.constantFrom("{commit}", "{tree}"),
  tree: fc.constantFrom("{tree}", "{tree}", "{commit}")
}

const writing = entries.filter((entry) => !entry.readonly)

/** A request to an operation with arbitrary values. */
const request = fc.constantFrom(...entries, ...writing, ...writing).chain(({ endpoint, fields }) => {
  const required = fields.filter((field) => field.in === "body" && field.required).map(({ name }) => name)
  const names = fields.filter((field) => field.in !== "path").map(({ name }) => name)
  const name = fc.constantFrom("page", "per_page", "q", "x", ...names)
  return fc.record({
    method: fc.oneof(
      { weight: 12, arbitrary: fc.constant(endpoint.method) },
      fc.constantFrom("GET", "HEAD", "POST", "DELETE")
    ),
    path: fc.array(piece, { minLength: 8, maxLength: 8 }).chain((values) =>
      fc.integer({ min: 0, max: 4 }).map((chance) => {
        const known = chance > 0
        let index = 0
        return endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
          known && name === "owner" ? "{owner}" : known && name === "repo" ? "hello" : (values[index++] ?? "x")
        )
      })
    ),
    query: fc.dictionary(name, piece, { maxKeys: 3, noNullPrototype: true }),
    body: fc.oneof(
      fc.dictionary(name, value, { maxKeys: 5, noNullPrototype: true }),
      fc.record(Object.fromEntries(names.map((name) => [name, plausible[name] ?? value])), {
        requiredKeys: required,
        noNullPrototype: true
      }),
      fc.constantFrom<unknown>("{", "[]", "null", "", '{"sha":1e999}', '{"__proto__":{"sha":"x"}}', "\ufeff{}")
    ),
    headers: fc.oneof(
      { weight: 2, arbitrary: fc.constant<Record<string, string>>({}) },
      fc.dictionary(
        fc.constantFrom("accept", "if-none-match", "x-service-api-version", "content-type", "authorization"),
        fc.constantFrom(
          "*/*",
          "application/json",
          "application/vnd.service.raw+json",
          "application/vnd.service.diff",
          "*",
          '"',
          "W/",
          "x",
          "Basic ====",
          "2026-03-10"
        ),
        { maxKeys: 1, noNullPrototype: true }
      )
    )
  })
})

layer(Forge.layer((repos) => Forge.repository(repos, "hello")))("malicious requests", (it) => {
  it.effect(
    "cause no server error and write nothing outside the repositories",
    () =>
      Effect.gen(function* () {
        const { ask, owner, repos } = yield* TestForge
        const outside = readdirSync(join(repos, ".."))
        const seen = new Set<number>()
        const samples = fc.sample(request, { numRuns: 800, seed: 20_260_310 })
        const git = (...args: ReadonlyArray<string>) => Fixture.git(join(repos, "hello"), args)
        const actual: Readonly<Record<string, string>> = {
          "{owner}": owner,
          "{commit}": git("rev-parse", "main"),
          "{tree}": git("rev-parse", "main^{tree}"),
          "{blob}": git("rev-parse", "main:a.txt")
        }
        const fill = (text: string) => text.replace(/\{\w+\}/g, (name) => actual[name] ?? name)
        for (const { body, headers, method, path, query } of samples) {
          const search = Object.entries(query).map(([name, text]) => `${name}=${text.replace(/[\s#]/g, "%20")}`)
          const full = fill(search.length === 0 ? path : `${path}?${search.join("&")}`)
          const sends = method === "POST" || method === "PATCH" || method === "PUT"
          const text = fill(typeof body === "string" ? body : JSON.stringify(body))
          const answer = yield* ask(method, full, { headers, ...(sends ? { body: text } : {}) })
          const shown = `${method} ${full.slice(0, 300)} ${text.slice(0, 300)}: ${answer.text.slice(0, 300)}`
          assert.isBelow(answer.status, 500, shown)
          seen.add(answer.status)
          if (answer.status >= 400 && method !== "HEAD") {
            assert.strictEqual(answer.json?.status, String(answer.status), shown)
            assert.notInclude(answer.text, repos, shown)
          }
        }
        // Enough requests pass validation to succeed and to be rejected.
        for (const status of [200, 400, 401, 404, 405, 422]) assert.isTrue(seen.has(status), String(status))
        assert.deepStrictEqual(readdirSync(join(repos, "..")), outside)
        assert.strictEqual(git("fsck", "--strict", "--no-dangling"), "")
        assert.strictEqual(git("status", "--porcelain"), "")
      }),
    60_000
  )
})
