/**
 * Requests that the contract does not declare. The path of a raw request is filled by the same rules as the path of a
 * declared endpoint.
 */
import * as Result from "effect/Result"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpMethod from "effect/http/HttpMethod"
import * as Limits from "../limits/Limits.ts"
import type { RawInput } from "./RawCall.ts"

/** A raw request, ready to send. */
export interface RawRequest {
  readonly request: HttpClientRequest.HttpClientRequest
  /** Method and path template, for example `GET /repos/{owner}/{repo}`. */
  readonly endpoint: string
  /** Rate limit resource that counts the request. */
  readonly resource: string
  /** Points of the secondary limit, if not the default of the HTTP method. */
  readonly points?: number
}

/**
 * Creates a request from a route such as `GET /repos/{owner}/{repo}` (default method: GET) and an input, or returns the
 * reason for a failure. Sends `body` unchanged, if given; otherwise the remaining input is the JSON body of a method
 * that has one.
 */
export const make = (route: string, input: RawInput, body?: Uint8Array): Result.Result<RawRequest, string> => {
  const [, verb = "GET", path] = /^\s*(?:([A-Za-z]+)\s+)?(\/\S*)\s*$/.exec(route) ?? []
  if (path === undefined) return Result.fail("give a method and a path, for example `GET /repos/{owner}/{repo}`")
  const method = methods.find((name) => name === verb.toUpperCase())
  if (method === undefined) return Result.fail(`unknown method ${verb.toUpperCase()}`)
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
  if (/[/\\](\.|%2e){1,2}([/\\?#]|$)/i.test(url)) return Result.fail("a path cannot contain dot segments")
  const rest = Object.fromEntries(
    Object.entries(input).filter(([name, value]) => !used.has(name) && value !== undefined)
  )
  if (body !== undefined && !HttpMethod.hasBody(method)) return Result.fail(`a ${method} request cannot have a body`)
  const isEmpty = Object.keys(rest).length === 0
  const build = HttpClientRequest.make(method)
  const request =
    HttpMethod.hasBody(method) && body === undefined
      ? build(url, isEmpty ? {} : { body: HttpBody.jsonUnsafe(rest) })
      : build(url, {
          urlParams: Object.entries(rest).map(([name, value]) => [name, queryValue(value)] as const),
          ...(body === undefined ? {} : { body: HttpBody.uint8Array(body, "application/json") })
        })
  const reads =
    url === "/graphql" && !/\bmutation\b/.test(body === undefined ? JSON.stringify(rest) : decoder.decode(body))
  return Result.succeed({
    request,
    endpoint: `${method} ${path.replace(/[?#].*/, "")}`,
    resource: resourceOf(url),
    ...(reads ? { points: Limits.points("GET") } : {})
  })
}

const methods = [...HttpMethod.all]

const decoder = new TextDecoder()

/** Encodes a value, including its slashes, as one path segment, or returns the reason for a failure. */
export const encodeSegment = (name: string, value: unknown): Result.Result<string, string> => {
  if (value === undefined || value === null || value === "") return Result.fail(`${name} is missing`)
  const text = scalarText(value)
  if (text === undefined) return Result.fail(`${name} must be a text, number, boolean or date`)
  // A URL parser would resolve a dot segment and send the request to another path.
  if (text === "." || text === "..") return Result.fail(`${name} cannot be "${text}"`)
  return text.isWellFormed()
    ? Result.succeed(encodeURIComponent(text))
    : Result.fail(`${name} contains an unpaired surrogate`)
}

/** Formats a query value: the elements of a list are separated by commas. */
const queryValue = (value: unknown): string =>
  Array.isArray(value) ? value.map(queryValue).join(",") : (scalarText(value) ?? JSON.stringify(value))

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

/** Formats a date as a timestamp of the API, `YYYY-MM-DDTHH:MM:SSZ`. Returns undefined for an invalid date. */
export const timestamp = (date: Date): string | undefined =>
  Number.isFinite(date.getTime()) ? date.toISOString().replace(".000Z", "Z") : undefined

const resourceOf = (url: string) => {
  if (/^\/rate_limit\b/.test(url)) return "none"
  if (url === "/graphql") return "graphql"
  if (/^\/search\/code\b/.test(url)) return "code_search"
  return url.startsWith("/search/") ? "search" : "core"
}
