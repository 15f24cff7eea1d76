/** Checks the arguments of an operation against the contract. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import type { CatalogEntry, InputField } from "@tongs/core/contract/Catalog"
import * as TextContent from "@tongs/core/contract/TextContent"
import type { Arguments } from "../answer/Answer.ts"
import { type Call, normalizePath, repositoryOf } from "../call/Call.ts"
import * as TimeArgument from "../call/TimeArgument.ts"
import { ToolError } from "../call/ToolError.ts"
import * as ToolInput from "../call/ToolInput.ts"
import * as OperationName from "./OperationName.ts"
import * as Parameters from "./Parameters.ts"
import * as Words from "../text/Words.ts"

/** Page parameters of the API. Tools have `limit` and `cursor` instead. */
const pageParameters = new Set(["per_page", "page", "cursor"])

/**
 * Returns the input of a call of an operation. Accepts numbers for text, digits for numbers, `true` for boolean text, and
 * one text for a list in a query. Fails with a `ToolError` that names every unknown, missing and invalid argument.
 */
export const decode = Effect.fnUntraced(function* (
  entry: CatalogEntry,
  args: Arguments,
  call: Pick<Call, "deadline" | "defaultRepository" | "now">
) {
  const parameters = Parameters.of(entry)
  const isOnRepository = Parameters.isOnRepository(entry)
  const { owner, repo, ...others } = yield* contentOf(entry, args)
  const rest: Arguments = isOnRepository ? others : args
  const coerced = Object.fromEntries(
    parameters.flatMap((parameter) => {
      const value = parameter === Parameters.repository ? undefined : coerce(rest[parameter.name], parameter)
      return value === undefined ? [] : [[parameter.name, value]]
    })
  )
  const given = { ...coerced, ...(yield* timesOf(parameters, coerced, call.now)) }
  const problems = [
    ...unknownArguments(rest, parameters),
    ...parameters
      .filter((parameter) => parameter.required && parameter !== Parameters.repository && !(parameter.name in given))
      .map(({ name }) => `${name} is missing`),
    ...parameters
      .filter((parameter) => parameter.in === "path" && isParentPath(given[parameter.name]))
      .map(({ name }) => `${name} cannot contain ".."`),
    ...parameters
      .filter(({ in: location, name }) => location !== "body" && ToolInput.isTooLong(given[name]))
      .map(({ name }) => `${name}: ${ToolInput.TOO_LONG}`),
    ...(["path", "query", "body"] as const).flatMap((location) => invalidValues(entry, location, given)) // literal types
  ]
  if (problems.length > 0) {
    const names = parameters.map(({ name, required }) => (required ? `${name}*` : name)).join(", ")
    return yield* new ToolError({
      detail: `Invalid arguments of ${OperationName.idOf(entry)}: ${problems.join("; ")}. Its parameters: ${names === "" ? "none" : names}.`
    })
  }
  if (!isOnRepository) return given
  const name = typeof owner === "string" && typeof repo === "string" && !repo.includes("/") ? `${owner}/${repo}` : repo
  if (name !== undefined && typeof name !== "string") {
    return yield* new ToolError({ detail: "Invalid argument repo: expected the text owner/name." })
  }
  return { ...given, ...(yield* repositoryOf(name, call)) }
})

/** Minimum number of characters of a text that is probably Base64 if the text decodes to UTF-8. */
const MIN_BASE64 = 16

const base64 = /^(?:[A-Za-z\d+/]{4})+(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/

/**
 * Returns the arguments with the content of a file as text. Accepts `encoding`, which agents know from blobs, also
 * where the API has no such parameter. Fails for Base64 without `encoding`, which would be committed unchanged.
 */
const contentOf = Effect.fnUntraced(function* (entry: CatalogEntry, args: Arguments) {
  const field = entry.fields.find(({ isBase64 }) => isBase64 === true)
  const content = field === undefined ? undefined : args[field.name]
  if (field === undefined || typeof content !== "string") return args
  const { encoding, ...rest } = args
  const packed = content.replace(/\s/g, "")
  if (encoding === "base64" && !(packed === "" || base64.test(packed)))
    return yield* new ToolError({ detail: `Invalid argument ${field.name}: it is not Base64, as encoding says.` })
  if (encoding !== undefined)
    return field.encodingField !== undefined || (encoding !== "base64" && encoding !== "utf-8")
      ? args
      : { ...rest, [field.name]: encoding === "base64" ? TextContent.ofBase64(packed) : content }
  if (packed.length < MIN_BASE64 || !base64.test(packed) || !isText(Buffer.from(packed, "base64"))) return args
  return yield* new ToolError({
    detail: `Argument ${field.name} looks like Base64, and would be written as this text. Pass the decoded text; or "encoding": "base64" to write what it decodes to, or "utf-8" to write it as it is.`
  })
})

/** Returns whether bytes are UTF-8 without control characters other than white space. */
const isText = (bytes: Uint8Array): boolean => {
  const text = new TextDecoder().decode(bytes)
  return !/[^\P{Cc}\t\n\r]|\ufffd/u.test(text)
}

/** Matches a path segment `..`, also encoded. A proxy in front of the forge may resolve the segment to another path. */
const parentSegment = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){2}(?:$|[/\\]|%2f|%5c)/i

const isParentPath = (value: unknown) => typeof value === "string" && parentSegment.test(value)

const unknownArguments = (args: Arguments, parameters: ReadonlyArray<Parameters.Parameter>): ReadonlyArray<string> => {
  const names = parameters.map(({ name }) => name)
  const unknown = Object.keys(args).filter((name) => !names.includes(name))
  return unknown.slice(0, MAX_UNKNOWN).map((name) => {
    if (pageParameters.has(name)) return `${name} is unknown: pass limit or cursor beside operation`
    const [near] = Words.nearest(name, names, 1)
    return `${JSON.stringify(name.slice(0, 60))} is unknown${near === undefined ? "" : `, did you mean ${near}?`}`
  })
}

/** Maximum number of unknown arguments in an error. */
const MAX_UNKNOWN = 10

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const checks = new WeakMap<Schema.Top, (value: unknown) => ReadonlyArray<string>>()

/** Creates a function that returns the problems of a value, except for missing members at the top. */
const checkOf = (schema: Schema.Top) => {
  const known = checks.get(schema)
  if (known !== undefined) return known
  const check = Schema.decodeUnknownExit(Schema.toType(Schema.make<Schema.Codec<unknown>>(schema.ast)), {
    errors: "all",
    onExcessProperty: "error"
  })
  const made = (value: unknown): ReadonlyArray<string> =>
    Exit.match(check(value), {
      onSuccess: () => [],
      onFailure: (cause) =>
        cause.reasons
          .flatMap((reason) => (reason._tag === "Fail" ? format(reason.error.issue).issues : []))
          .map(({ message, path = [] }) => `${path.map(String).join(".")}: ${message}`)
    })
  checks.set(schema, made)
  return made
}

const invalidValues = (entry: CatalogEntry, location: InputField["in"], given: Arguments): ReadonlyArray<string> => {
  const schema = Parameters.sectionOf(entry, location)
  if (schema === undefined) return []
  const parameters = Parameters.of(entry).filter((parameter) => parameter.in === location && parameter.name in given)
  const missing = new Set(
    Parameters.of(entry)
      .filter(({ in: own, name }) => own === location && !(name in given))
      .map(({ name }) => name)
  )
  const value = Object.fromEntries(parameters.map(({ name }) => [name, given[name]]))
  return checkOf(schema)(value).filter((problem) => {
    const [name = ""] = problem.split(":")
    return !missing.has(name) && !(location === "path" && (name === "owner" || name === "repo"))
  })
}

/** Returns the times among the arguments, because agents also write dates and ages, such as `7d`. */
const timesOf = Effect.fnUntraced(function* (
  parameters: ReadonlyArray<Parameters.Parameter>,
  given: Arguments,
  now: number
) {
  const times: Record<string, string> = {}
  for (const parameter of parameters) {
    const value = given[parameter.name]
    if (typeof value !== "string" || !Parameters.isTime(parameter)) continue
    const bound = upperBound.test(parameter.name) ? "until" : "since"
    const time = yield* Effect.option(TimeArgument.parse(bound, value, now))
    if (Option.isSome(time)) times[parameter.name] = time.value
  }
  return times
})

/** Names of parameters for the end of a period. In these parameters, a date without a time is the end of that day. */
const upperBound = /^(?:until|max_|before)/

/** Converts a value that means the same as one of the parameter's type. */
const coerce = (value: unknown, { ast, in: location, name, required }: Parameters.Parameter): unknown => {
  if (ast === undefined || value === undefined) return value
  if (location === "path" && name === "path" && typeof value === "string")
    return normalizePath(value === "." ? "" : value)
  if (value === null) return location === "body" ? value : undefined
  switch (ast._tag) {
    case "Number":
      return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value
    case "Boolean":
      return value === "true" ? true : value === "false" ? false : value
    case "Arrays":
      return location === "query" && typeof value === "string" ? [value] : value
    case "String":
    case "Union":
      return location !== "body" && (typeof value === "number" || typeof value === "boolean") ? String(value) : value
    default:
      return required && value === "" ? undefined : value
  }
}
