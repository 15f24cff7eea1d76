/** The contract reads what the largest deployed forge with this contract gives as its examples (spec part 4). */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { assert, describe, it } from "@effect/vitest"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { type Entry, entries, successSchema } from "@tongs/core/contract/Catalog"
import { jsonFromService, jsonToService, pathFromService } from "@tongs/core/contract/Dialect"

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

const require = createRequire(import.meta.url)
const file = require.resolve("@octokit/openapi/generated/api.github.com.json")
const description: Json = JSON.parse(readFileSync(file, "utf8"))

const members = (value: Json | undefined): { readonly [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {}

/** What a path of members leads to; references in the description are followed. */
const at = (value: Json | undefined, ...names: ReadonlyArray<string>): Json | undefined => {
  const { $ref } = members(value)
  if (typeof $ref === "string") return at(description, ...$ref.split("/").slice(1), ...names)
  const [name, ...rest] = names
  return name === undefined ? value : at(members(value)[name], ...rest)
}

/** Parameters may have other names there. */
const shape = (path: string) => path.replace(/:\w+|\{\w+\}/g, "{}")
const paths = new Map(Object.entries(members(at(description, "paths"))).map(([path, item]) => [shape(path), item]))

/** Examples of the successes of an endpoint, as text. */
const examples = ({ endpoint }: Entry): ReadonlyArray<readonly [name: string, text: string]> => {
  const responses = at(
    paths.get(shape(pathFromService("github", endpoint.path))),
    endpoint.method.toLowerCase(),
    "responses"
  )
  return Object.entries(members(responses))
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, response]) => Object.entries(members(at(response, "content", "application/json", "examples"))))
    .map(([name, example]) => [name, JSON.stringify(at(at(example, "value")))] as const)
}

/** Examples that contradict the description that they illustrate, and what is wrong with them. */
const exceptions = new Map([
  ["repositories.get default-response", "its schema requires `language`, and it has none"],
  ["commits.get default", "its schema requires the `sha` of a file, and it has none"]
])

for (const entry of entries) {
  const name = `${entry.group}.${entry.name}`
  describe(name, () => {
    const decode = Schema.decodeUnknownExit(successSchema(entry.endpoint) as Schema.Codec<unknown>) // oxlint-disable-line typescript/no-unsafe-type-assertion -- a declaration needs no services
    const all = examples(entry)

    it("has examples, unless it answers nothing", () => {
      assert.strictEqual(all.length === 0, HttpApiSchema.isNoContent(successSchema(entry.endpoint).ast))
    })

    for (const [example, text] of all) {
      const reason = exceptions.get(`${name} ${example}`)
      it(reason === undefined ? `reads ${example}` : `refuses ${example}: ${reason}`, () => {
        const translated = jsonToService("github", text)
        const exit = decode(JSON.parse(translated))
        assert.strictEqual(Exit.isSuccess(exit), reason === undefined, String(exit))
        assert.deepStrictEqual(JSON.parse(jsonFromService("github", translated)), JSON.parse(text))
      })
    }
  })
}
