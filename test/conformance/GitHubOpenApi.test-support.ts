/** GitHub's published OpenAPI description, and validation by its schemas. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { type ErrorObject, Ajv } from "ajv"
import formats from "ajv-formats"
import type { CatalogEntry } from "@tongs/core/contract/Catalog"
import { pathOf } from "@tongs/core/contract/Dialect"

export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

const require = createRequire(import.meta.url)
const file = require.resolve("@octokit/openapi/generated/api.github.com.json")
const description: Json = JSON.parse(readFileSync(file, "utf8"))

export const membersOf = (value: Json | undefined): { readonly [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {}

/** The value at a path of members. Follows `$ref`. */
export const resolvePath = (value: Json | undefined, ...names: ReadonlyArray<string>): Json | undefined => {
  const { $ref } = membersOf(value)
  if (typeof $ref === "string") return resolvePath(description, ...$ref.split("/").slice(1), ...names)
  const [name, ...rest] = names
  return name === undefined ? value : resolvePath(membersOf(value)[name], ...rest)
}

/** Ignores the names of parameters, which differ in the description. */
const shape = (path: string) => path.replace(/:\w+|\{\w+\}/g, "{}")
const paths = new Map(
  Object.entries(membersOf(resolvePath(description, "paths"))).map(([path, item]) => [shape(path), item])
)

/** The responses of an endpoint by status. */
export const responses = (entry: CatalogEntry): { readonly [status: string]: Json } =>
  membersOf(resolvePath(paths.get(shape(pathOf("github", entry))), entry.endpoint.method.toLowerCase(), "responses"))

/** The schemas of deliveries by event and action, for example `issues.opened`. */
export const deliveries: ReadonlyMap<string, Json> = new Map(
  Object.keys(membersOf(resolvePath(description, "x-webhooks"))).flatMap((name) => {
    const schema = (...names: ReadonlyArray<string>) =>
      resolvePath(
        description,
        "x-webhooks",
        name,
        "post",
        "requestBody",
        "content",
        "application/json",
        "schema",
        ...names
      )
    const values = schema("properties", "action", "enum")
    const action: unknown = Array.isArray(values) ? values[0] : undefined
    const event = typeof action === "string" ? name.slice(0, -action.length - 1) : name
    return [[`${event.replaceAll("-", "_")}${typeof action === "string" ? `.${action}` : ""}`, schema() ?? null]]
  })
)

/** Replaces `nullable`, which JSON Schema lacks. */
const toJsonSchema = (schema: Json): Json => {
  if (Array.isArray(schema)) return schema.map(toJsonSchema)
  if (typeof schema !== "object" || schema === null) return schema
  const { nullable, ...rest } = membersOf(schema)
  const own = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, literal.has(name) ? value : toJsonSchema(value)])
  )
  return nullable === true ? { anyOf: [own, { type: "null" }] } : own
}

/** Members of a schema that contain values, not schemas. */
const literal = new Set(["enum", "default", "example", "examples"])

const ajv = new Ajv({ strict: false, validateSchema: false, logger: false, allErrors: true, inlineRefs: false })
formats.default(ajv)
const components = membersOf(resolvePath(description, "components", "schemas"))
const known = new Set<string>()

/** Adds the components that a schema refers to, because compiling all of them is slow. */
const need = (schema: Json): Json => {
  const text = JSON.stringify(toJsonSchema(schema)).replace(
    /"#\/components\/schemas\/([\w.-]+)"/g,
    (_, name: string) => {
      if (!known.has(name)) {
        known.add(name)
        ajv.addSchema(Object(need(components[name] ?? false)), name)
      }
      return `"${name}"`
    }
  )
  return JSON.parse(text)
}

const judges = new Map<string, (value: unknown) => ReadonlyArray<string>>()

/** Validates a value by a schema of the description. Returns problems. `key` identifies the compiled schema. */
export const problems = (key: string, schema: Json, value: unknown): ReadonlyArray<string> => {
  let judge = judges.get(key)
  if (judge === undefined) {
    const validate = ajv.compile(Object(need(schema)))
    judge = (value) => (validate(value) ? [] : (validate.errors ?? []).map(sentence))
    judges.set(key, judge)
  }
  return judge(value)
}

const sentence = ({ instancePath, message, params }: ErrorObject) =>
  `${instancePath.replace(/\/\d+(?=\/|$)/g, "/*")} ${message} ${JSON.stringify(params)}`

/** Validates a value by a component of the description. Returns problems. */
export const componentProblems = (name: string, value: unknown): ReadonlyArray<string> =>
  problems(name, { $ref: `#/components/schemas/${name}` }, value)
