/**
 * Selects the API version and maps between versions (spec part 1 §9, spec part 4 "Versions"). Handlers use the newest
 * shapes; each breaking change is one entry that converts values to the older shape.
 */
import * as Effect from "effect/Effect"
import { ValidationFailed } from "@tongs/core/contract/Failure"
import { defaultVersion, type Version, versions } from "@tongs/core/contract/Versions"

const isVersion = (value: string): value is Version => versions.some((version) => version === value)

/** The version selected by a request. */
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
  /** The first version with the change. */
  readonly since: Version
  /** The operation, for example `rateLimit.get`. */
  readonly operation: string
  /** Converts a response to the shape before the change. `api` is the root of the API's URLs. */
  readonly before: (value: unknown, api: string) => unknown
  /** Converts an input to the shape since the change, if it changed inputs. */
  readonly upgrade?: (input: Input) => Input
}

type Input = Readonly<Record<string, unknown>>

/** True for a JSON object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const march2026: Version = "2026-03-10"

/** Adds the member to repositories that `squash_merge_commit_title` replaced. */
const withSquashDefault = (value: unknown) =>
  isObject(value) ? { ...value, use_squash_pr_title_as_default: value.squash_merge_commit_title === "PR_TITLE" } : value

const withSquashDefaults = (value: unknown) => (Array.isArray(value) ? value.map(withSquashDefault) : value)

const upgradeSquashDefault = ({ use_squash_pr_title_as_default: old, ...input }: Input): Input =>
  typeof old === "boolean" ? { squash_merge_commit_title: old ? "PR_TITLE" : "COMMIT_OR_PR_TITLE", ...input } : input

const squashDefault: ReadonlyArray<BreakingChange> = [
  ...["get", "createForAuthenticatedUser", "createInOrg", "update"].map((name) => ({
    since: march2026,
    operation: `repositories.${name}`,
    before: withSquashDefault,
    upgrade: upgradeSquashDefault
  })),
  { since: march2026, operation: "repositories.listForAuthenticatedUser", before: withSquashDefaults },
  ...["installations.listReposAccessibleToInstallation", "apps.createToken"].map((operation) => ({
    since: march2026,
    operation,
    before: (value: unknown) =>
      isObject(value) && value.repositories !== undefined
        ? { ...value, repositories: withSquashDefaults(value.repositories) }
        : value
  }))
]

const changes: ReadonlyArray<BreakingChange> = [
  ...squashDefault,
  {
    since: march2026,
    operation: "rateLimit.get",
    before: (value) => (isObject(value) && isObject(value.resources) ? { ...value, rate: value.resources.core } : value)
  },
  {
    since: march2026,
    operation: "root.get",
    before: (value, api) => (isObject(value) ? { ...value, authorizations_url: `${api}/authorizations` } : value)
  },
  {
    since: march2026,
    operation: "contents.get",
    before: (value) =>
      Array.isArray(value)
        ? value.map((entry: unknown) =>
            isObject(entry) && entry.type === "submodule" ? { ...entry, type: "file" } : entry
          )
        : value
  }
]

/** Converts an input of a version to the newest version. */
export const upgrade = (operation: string, version: Version, input: Input): Input => {
  let upgraded = input
  for (const change of changes) {
    if (change.operation === operation && version < change.since) upgraded = change.upgrade?.(upgraded) ?? upgraded
  }
  return upgraded
}

/** Converts a value to a version. */
export const project = (operation: string, version: Version, value: unknown, api: string): unknown => {
  let projected = value
  for (const change of changes) {
    if (change.operation === operation && version < change.since) projected = change.before(projected, api)
  }
  return projected
}
