/**
 * The request that a call of an operation would send. Checks and questions use the request, because arguments can
 * mislead.
 */
import * as Effect from "effect/Effect"
import * as UrlParams from "effect/http/UrlParams"
import * as CatalogEndpoint from "@tongs/core/client/CatalogEndpoint"
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import * as Dialect from "@tongs/core/contract/Dialect"
import type * as Failure from "@tongs/core/contract/Failure"
import type { Arguments } from "../answer/Answer.ts"

/** A request to the forge, before sending. */
export interface WriteRequest {
  readonly method: string
  /** Path and query, relative to the base URL. */
  readonly path: string
  /** The decoded values of the path parameters, by name. */
  readonly parameters: Readonly<Record<string, string>>
  /** The decoded JSON body, or the text of another body; undefined for a request without a body. */
  readonly body: unknown
}

/** Creates the request as the client of a forge does. Fails for invalid arguments. */
export const make = (
  entry: CatalogEntry,
  input: Arguments,
  baseUrl: string
): Effect.Effect<WriteRequest, Failure.ValidationFailed> => {
  const dialect = Dialect.ofBaseUrl(baseUrl)
  return Effect.map(CatalogEndpoint.make(entry, dialect).toRequest(input), ({ body, method, url, urlParams }) => {
    const query = UrlParams.toString(urlParams)
    const template = Dialect.pathOf(dialect, entry).split("/")
    return {
      method,
      path: query === "" ? url : `${url}?${query}`,
      parameters: parametersOf(template, url.split("/")),
      body: body._tag === "Uint8Array" ? bodyOf(body.contentType, new TextDecoder().decode(body.body)) : undefined
    }
  })
}

const bodyOf = (contentType: string, text: string): unknown =>
  contentType.startsWith("application/json") ? JSON.parse(text) : text

const parametersOf = (template: ReadonlyArray<string>, segments: ReadonlyArray<string>) =>
  Object.fromEntries(
    template.flatMap((name, index) => {
      const value = segments[index]
      return name.startsWith(":") && value !== undefined ? [[name.slice(1), decodeURIComponent(value)] as const] : []
    })
  )

/**
 * Matches a dot segment in a path parameter, also encoded once more. The client encodes slashes, but a proxy in front
 * of the forge may decode a slash, and then resolve dot segments to another path.
 */
const dotSegment = /(^|[/\\]|%2f|%5c)(\.|%2e){1,2}($|[/\\?#;]|%2f|%5c|%3b|%3f|%23)/i

/** Returns the name of a path parameter that could lead to another path, if any. */
export const misleadingParameter = ({ parameters }: WriteRequest): string | undefined =>
  Object.entries(parameters).find(([, value]) => dotSegment.test(value))?.[0]

export const textMember = ({ body }: WriteRequest, name: string): string | undefined => {
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined
  return typeof value === "string" ? value : undefined
}
