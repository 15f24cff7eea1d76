/** Responses of the fake forge for every operation, from the schemas of the contract. */
import { allEntries, type CatalogEntry, isStream, successSchema } from "@tongs/core/contract/CatalogEntry"
import { matchRoute } from "@tongs/core/client/contract/RouteTable"
import * as Samples from "@tongs/core/contract/Samples.test-support"
import type { FakeResponse } from "./FakeForge.test-support.ts"

const byRoute = new Map(allEntries().map((entry) => [`${entry.endpoint.method} ${entry.endpoint.path}`, entry]))

/** Returns the operation that a request calls; undefined if the contract has no such operation. */
export const entryOf = (method: string, path: string): CatalogEntry | undefined =>
  // A colon would make the matcher take the path for a pattern.
  byRoute.get(matchRoute(`${method} ${path.replaceAll("/:", "/_")}`))

/** Returns the response of an operation, in which every text that may be any text is `text`. */
export const of = (method: string, path: string, text = "text"): FakeResponse | undefined => {
  const entry = entryOf(method, path)
  if (entry === undefined || isStream(entry.endpoint)) return undefined
  if (entry.status === 204) return { status: 204, body: undefined }
  return { status: entry.status, body: replaced(Samples.of(successSchema(entry.endpoint), text), text) }
}

/** Replaces the texts of a sample, also in free-form members. */
const replaced = (value: unknown, text: string): unknown => {
  if (value === "text" || value === "free") return text
  if (Array.isArray(value)) return value.map((item) => replaced(item, text))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaced(item, text)]))
}
