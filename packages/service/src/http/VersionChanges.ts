/**
 * Selects the API version of a request and converts between versions. Handlers
 * use the newest version; each breaking change is one element of a list, which converts values to the older version.
 */
import * as Effect from "effect/Effect"
import { ValidationFailed } from "@tongs/core/contract/Failure"
import { defaultVersion, type Version, versions } from "@tongs/core/contract/Versions"

const isVersion = (value: string): value is Version => versions.some((version) => version === value)

/**
 * Returns the API version in `header`, or the default version without one. Fails with `ValidationFailed` if unknown.
 */
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
  /** The first API version with the breaking change. */
  readonly since: Version
  /** Name of the changed operation, for example `rateLimit.get`. */
  readonly operation: string
  /** Converts a response to the form before the breaking change. `api` is the root of the API's URLs. */
  readonly before: (value: unknown, api: string) => unknown
  /** Converts an input to the form since the breaking change. Undefined if inputs did not change. */
  readonly upgrade?: (input: Input) => Input
}

type Input = Readonly<Record<string, unknown>>

/** True for a JSON object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const MARCH2026: Version = "2026-03-10"

/**
 * Adds `use_squash_pr_title_as_default`, which `squash_merge_commit_title` replaced, to a repository, its template and
 * its upstream repositories.
 */
const withSquashDefault = (value: unknown): unknown => {
  if (!isObject(value)) return value
  const related = ["template_repository", "parent", "source"].filter((name) => isObject(value[name]))
  return {
    ...value,
    ...Object.fromEntries(related.map((name) => [name, withSquashDefault(value[name])])),
    use_squash_pr_title_as_default: value.squash_merge_commit_title === "PR_TITLE"
  }
}

const withSquashDefaults = (value: unknown) => (Array.isArray(value) ? value.map(withSquashDefault) : value)

const upgradeSquashDefault = ({ use_squash_pr_title_as_default: old, ...input }: Input): Input =>
  typeof old === "boolean" ? { squash_merge_commit_title: old ? "PR_TITLE" : "COMMIT_OR_PR_TITLE", ...input } : input

const squashDefault: ReadonlyArray<BreakingChange> = [
  ...[
    "repositories.get",
    "repositories.createForAuthenticatedUser",
    "repositories.createInOrg",
    "repositories.createUsingTemplate",
    "repositories.update",
    "forks.create"
  ].map((operation) => ({
    since: MARCH2026,
    operation,
    before: withSquashDefault,
    upgrade: upgradeSquashDefault
  })),
  { since: MARCH2026, operation: "repositories.listForAuthenticatedUser", before: withSquashDefaults },
  ...["installations.listReposAccessibleToInstallation", "apps.createToken"].map((operation) => ({
    since: MARCH2026,
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
    since: MARCH2026,
    operation: "rateLimit.get",
    before: (value) => (isObject(value) && isObject(value.resources) ? { ...value, rate: value.resources.core } : value)
  },
  {
    since: MARCH2026,
    operation: "root.get",
    before: (value, api) => (isObject(value) ? { ...value, authorizations_url: `${api}/authorizations` } : value)
  },
  {
    since: MARCH2026,
    operation: "contents.get",
    before: (value) =>
      Array.isArray(value)
        ? value.map((entry: unknown) =>
            isObject(entry) && entry.type === "submodule" ? { ...entry, type: "file" } : entry
          )
        : value
  },
  {
    since: MARCH2026,
    operation: "workflows.dispatch",
    before: (value) => value,
    upgrade: (input) => ({ ...input, return_run_details: input.return_run_details === true })
  }
]

/** Converts an input of an operation from an API version to the newest one. */
export const upgrade = (operation: string, version: Version, input: Input): Input => {
  let upgraded = input
  for (const change of changes) {
    if (change.operation === operation && version < change.since) upgraded = change.upgrade?.(upgraded) ?? upgraded
  }
  return upgraded
}

/** Converts a response of an operation from the newest API version to an older one. */
export const downgrade = (operation: string, version: Version, value: unknown, api: string): unknown => {
  let projected = value
  for (const change of changes) {
    if (change.operation === operation && version < change.since) projected = change.before(projected, api)
  }
  return projected
}
