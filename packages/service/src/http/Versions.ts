/**
 * Which API version answers, and what differs in older ones (spec part 1 §9, spec part 4 "Versions"). Handlers give the
 * newest shape; each breaking change is one row here, which takes a value back to what it was before.
 */
import * as Effect from "effect/Effect"
import { ValidationFailed } from "@tongs/core/contract/Failure"
import { defaultVersion, type Version, versions } from "@tongs/core/contract/Versions"

const isVersion = (value: string): value is Version => versions.some((version) => version === value)

/** The version that a request selects. */
export const select = (request: string, header: string | undefined): Effect.Effect<Version, ValidationFailed> => {
  if (header === undefined || header === "") return Effect.succeed(defaultVersion)
  if (isVersion(header)) return Effect.succeed(header)
  return Effect.fail(
    new ValidationFailed({
      request,
      detail: `API version ${header} is not supported; supported versions are ${versions.join(" and ")}`,
      status: 400,
      errors: []
    })
  )
}

interface BreakingChange {
  /** The version that brought it. */
  readonly since: Version
  /** The operation, as `rateLimit.get`. */
  readonly operation: string
  /** From the shape since the change to the one before it. `api` is the root of the API's URLs. */
  readonly before: (value: unknown, api: string) => unknown
}

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const changes: ReadonlyArray<BreakingChange> = [
  {
    since: "2026-03-10",
    operation: "rateLimit.get",
    before: (value) => (isObject(value) && isObject(value.resources) ? { ...value, rate: value.resources.core } : value)
  },
  {
    since: "2026-03-10",
    operation: "root.get",
    before: (value, api) => (isObject(value) ? { ...value, authorizations_url: `${api}/authorizations` } : value)
  },
  {
    since: "2026-03-10",
    operation: "contents.get",
    before: (value) =>
      Array.isArray(value)
        ? value.map((entry: unknown) =>
            isObject(entry) && entry.type === "submodule" ? { ...entry, type: "file" } : entry
          )
        : value
  }
]

/** A value as a version has it. */
export const project = (operation: string, version: Version, value: unknown, api: string): unknown => {
  let projected = value
  for (const change of changes) {
    if (change.operation === operation && version < change.since) projected = change.before(projected, api)
  }
  return projected
}
