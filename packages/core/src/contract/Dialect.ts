/**
 * The two vocabularies of the contract: `service` has the names of the specification, `github` the names of GitHub and
 * GitHub Enterprise Server. Client and service translate declared members of JSON objects (`Renaming`), path segments,
 * parameter values, media types, headers and the objects around results.
 */
export type Dialect = "service" | "github"

interface Vocabulary {
  /** Vendor name in media types: `application/vnd.<vendor>+json`. */
  readonly vendor: string
  readonly versionHeader: string
  /** Name of the response header with the API version of the response. */
  readonly versionSelectedHeader: string
  /** Name of the header of a 403 that lists the fine-grained permissions that suffice. */
  readonly acceptedPermissionsHeader: string
  /** Prefix of the header names of webhook deliveries. */
  readonly deliveryHeader: string
  /** Names of JSON members in this dialect, by name in the specification. */
  readonly members: Readonly<Record<string, string>>
  /** Literal path segments in this dialect, by name in the specification. */
  readonly segments: Readonly<Record<string, string>>
  /** Values of path parameters in this dialect, by the parameter's name and by the value in the specification. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>
  /**
   * The member that has the result of an operation, by group and name. Other operations respond with the bare result.
   */
  readonly wrappers: Readonly<Record<string, string>>
}

/** The vocabularies by dialect. */
export const vocabularies: Readonly<Record<Dialect, Vocabulary>> = {
  service: {
    vendor: "service",
    versionHeader: "x-service-api-version",
    versionSelectedHeader: "x-service-api-version-selected",
    acceptedPermissionsHeader: "x-accepted-permissions",
    deliveryHeader: "X-Service",
    members: {},
    segments: {},
    values: {},
    wrappers: { "projectViews.createForOrg": "value", "projectViews.createForUser": "value" }
  },
  github: {
    vendor: "github",
    versionHeader: "x-github-api-version",
    versionSelectedHeader: "x-github-api-version-selected",
    acceptedPermissionsHeader: "x-accepted-github-permissions",
    deliveryHeader: "X-GitHub",
    members: {
      avatar_service_id: "gravatar_id",
      code_analysis: "codeql",
      assistant_code_review: "copilot_code_review"
    },
    segments: { assistant: "copilot" },
    values: { actor_type: { app_user_to_server: "github_app_user_to_server" } },
    wrappers: {}
  }
}

/** Returns the default dialect for a server at this URL. Hosts of GitHub Enterprise Cloud match `*.ghe.com`. */
export const ofBaseUrl = (baseUrl: string): Dialect => {
  if (!URL.canParse(baseUrl)) return "service"
  const { hostname } = new URL(baseUrl)
  return hostname === "api.github.com" || hostname.endsWith(".ghe.com") ? "github" : "service"
}

/** Returns the path template of an endpoint, for example `/repos/:owner/:repo/copilot/cloud-agent/configuration`. */
export const pathOf = (
  dialect: Dialect,
  { endpoint: { path } }: { readonly endpoint: { readonly path: string } }
): string => {
  const { segments } = vocabularies[dialect]
  return path
    .split("/")
    .map((segment) => segments[segment] ?? segment)
    .join("/")
}

/** Translates the value of a path parameter from the specification to the dialect. Other values are unchanged. */
export const valueFromService = (dialect: Dialect, parameter: string, value: unknown): unknown =>
  typeof value === "string" ? (vocabularies[dialect].values[parameter]?.[value] ?? value) : value

/**
 * Translates the value of a path parameter from the dialect to the specification. Undefined if the dialect lacks the
 * value.
 */
export const valueToService = (dialect: Dialect, parameter: string, value: string): string | undefined => {
  const names = vocabularies[dialect].values[parameter] ?? {}
  for (const [service, own] of Object.entries(names)) {
    if (value === own) return service
    if (value === service) return undefined
  }
  return value
}

/** Returns the result of an operation, for example of `projectViews.createForOrg`, in the form of the dialect. */
export const wrapResult = (dialect: Dialect, operation: string, result: unknown): unknown => {
  const member = vocabularies[dialect].wrappers[operation]
  return member === undefined ? result : { [member]: result }
}

/**
 * Translates a media type from the specification to the dialect: `application/vnd.service.diff` to
 * `application/vnd.github.diff`.
 */
export const mediaTypeFromService = (dialect: Dialect, value: string): string =>
  value.replaceAll("application/vnd.service", `application/vnd.${vocabularies[dialect].vendor}`)

/**
 * Returns the media type parameter that an `Accept` header selects in the dialect: for example, `raw` for the header
 * `application/vnd.github.raw+json`. Ignores names of previews, which clients send for features that have none now.
 */
export const mediaTypeParameter = (dialect: Dialect, accept: string): string | undefined =>
  parameterPatterns[dialect].exec(accept)?.[1]

const parameterPattern = (dialect: Dialect) =>
  new RegExp(
    String.raw`application/vnd\.${vocabularies[dialect].vendor}(?:-commitcomment)?(?:\.v3)?(?:\.[\w-]+-preview)?\.(?![\w-]+-preview)([\w-]+)`
  )
const parameterPatterns = { service: parameterPattern("service"), github: parameterPattern("github") }
