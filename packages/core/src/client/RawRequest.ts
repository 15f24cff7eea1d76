/** Paths and the values that fill their places: the same rules for the contract's endpoints and for raw routes. */
import * as Result from "effect/Result"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpMethod from "effect/http/HttpMethod"

/** One path segment that holds a value, slashes and all; or why it cannot. */
export const encodeSegment = (name: string, value: unknown): Result.Result<string, string> => {
  if (value === undefined || value === null || value === "") return Result.fail(`${name} is missing`)
  const text = scalarText(value)
  if (text === undefined) return Result.fail(`${name} is neither text nor a number`)
  // A dot segment would be resolved away and lead elsewhere.
  if (text === "." || text === "..") return Result.fail(`${name} cannot be "${text}"`)
  return text.isWellFormed()
    ? Result.succeed(encodeURIComponent(text))
    : Result.fail(`${name} holds half of a surrogate pair`)
}

/** Members by name: those that the path names fill its places, the rest goes into the query or the body. */
export interface RawInput {
  readonly [name: string]: unknown
}

/** A route that is no endpoint of the contract, ready to send. */
export interface RawRequest {
  readonly request: HttpClientRequest.HttpClientRequest
  /** Method and path with its places unfilled, as `GET /repos/{owner}/{repo}`. */
  readonly endpoint: string
  /** The rate limit resource that counts it. */
  readonly resource: string
}

/**
 * Reads `GET /repos/{owner}/{repo}` (without a method it is a GET) and fills it in; or says what is wrong with it. A
 * `body` is sent as it is, instead of one that the input makes.
 */
export const make = (route: string, input: RawInput, body?: Uint8Array): Result.Result<RawRequest, string> => {
  const [, verb = "GET", path] = /^\s*(?:([A-Za-z]+)\s+)?(\/\S*)\s*$/.exec(route) ?? []
  if (path === undefined) return Result.fail("give a method and a path, as `GET /repos/{owner}/{repo}`")
  const method = methods.find((name) => name === verb.toUpperCase())
  if (method === undefined) return Result.fail(`there is no method ${verb.toUpperCase()}`)
  const used = new Set<string>()
  const problems: Array<string> = []
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    used.add(name)
    return Result.getOrElse(encodeSegment(name, input[name]), (problem) => {
      problems.push(problem)
      return ""
    })
  })
  if (problems.length > 0) return Result.fail(problems.join("; "))
  if (/[/\\](\.|%2e){1,2}([/\\?#]|$)/i.test(url)) return Result.fail("a path cannot hold dot segments")
  const rest = Object.fromEntries(
    Object.entries(input).filter(([name, value]) => !used.has(name) && value !== undefined)
  )
  if (body !== undefined && !HttpMethod.hasBody(method)) return Result.fail(`${method} has no body`)
  const isEmpty = Object.keys(rest).length === 0
  const make = HttpClientRequest.make(method)
  const request =
    HttpMethod.hasBody(method) && body === undefined
      ? make(url, isEmpty ? {} : { body: HttpBody.jsonUnsafe(rest) })
      : make(url, {
          urlParams: Object.entries(rest).map(([name, value]) => [name, queryValue(value)] as const),
          ...(body === undefined ? {} : { body: HttpBody.uint8Array(body, "application/json") })
        })
  return Result.succeed({ request, endpoint: `${method} ${path.replace(/[?#].*/, "")}`, resource: resourceOf(url) })
}

const methods = [...HttpMethod.all]

/** Lists join with commas, as the forge's own list parameters do. */
const queryValue = (value: unknown): string =>
  Array.isArray(value) ? value.map(queryValue).join(",") : (scalarText(value) ?? JSON.stringify(value))

/** A single value as text; a moment as the forge reads it. */
const scalarText = (value: unknown): string | undefined => {
  switch (typeof value) {
    case "string":
      return value
    case "boolean":
    case "bigint":
      return String(value)
    case "number":
      return Number.isFinite(value) ? String(value) : undefined
    default:
      return value instanceof Date ? timestamp(value) : undefined
  }
}

/** A date as the forge reads it (spec part 1 §2). Undefined for an invalid date. */
export const timestamp = (date: Date): string | undefined =>
  Number.isFinite(date.getTime()) ? date.toISOString().replace(".000Z", "Z") : undefined

const resourceOf = (url: string) => {
  if (/^\/rate_limit\b/.test(url)) return "none"
  if (/^\/search\/code\b/.test(url)) return "code_search"
  return url.startsWith("/search/") ? "search" : "core"
}
