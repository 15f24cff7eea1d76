/**
 * The two vocabularies of the contract (spec part 4, "Dialects"): `service` is that of the documents, `github` that of
 * GitHub and GitHub Enterprise Server. Client and service translate declared members of JSON objects (`Renaming`), path
 * segments, parameter values, media types and headers.
 */
export type Dialect = "service" | "github"

interface Vocabulary {
  /** The vendor in media types: `application/vnd.<vendor>+json`. */
  readonly vendor: string
  readonly versionHeader: string
  /** Response header with the version of the response. */
  readonly versionSelectedHeader: string
  /** Header of a 403 with the fine-grained permissions that suffice. */
  readonly acceptedPermissionsHeader: string
  /** Prefix of the headers of webhook deliveries. */
  readonly deliveryHeader: string
  /** Declared members of JSON objects, by their name in the documents. */
  readonly members: Readonly<Record<string, string>>
  /** Literal segments of paths, by their name in the documents. */
  readonly segments: Readonly<Record<string, string>>
  /** Declared values of path parameters: parameter, value in the documents, value in this dialect. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>
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
    values: {}
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
    values: { actor_type: { app_user_to_server: "github_app_user_to_server" } }
  }
}

/** The default dialect for a server at this URL. GitHub Enterprise Cloud has `*.ghe.com`. */
export const ofBaseUrl = (baseUrl: string): Dialect => {
  if (!URL.canParse(baseUrl)) return "service"
  const { hostname } = new URL(baseUrl)
  return hostname === "api.github.com" || hostname.endsWith(".ghe.com") ? "github" : "service"
}

/** The path template of an endpoint, for example `/repos/:owner/:repo/copilot/cloud-agent/configuration`. */
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

/** The value of a path parameter in the dialect; other values are unchanged. */
export const valueFromService = (dialect: Dialect, parameter: string, value: unknown): unknown =>
  typeof value === "string" ? (vocabularies[dialect].values[parameter]?.[value] ?? value) : value

/** The value of a path parameter in the documents' vocabulary. Undefined if the dialect has no such value. */
export const valueToService = (dialect: Dialect, parameter: string, value: string): string | undefined => {
  const names = vocabularies[dialect].values[parameter] ?? {}
  for (const [service, own] of Object.entries(names)) {
    if (value === own) return service
    if (value === service) return undefined
  }
  return value
}

/** A media type of the documents in the dialect: `application/vnd.service.diff` is `application/vnd.github.diff`. */
export const mediaTypeFromService = (dialect: Dialect, value: string): string =>
  value.replaceAll("application/vnd.service", `application/vnd.${vocabularies[dialect].vendor}`)

/** The media type parameter that an `Accept` header selects in the dialect: `raw` of `application/vnd.github.raw+json`. */
export const mediaTypeParameter = (dialect: Dialect, accept: string): string | undefined =>
  parameterPatterns[dialect].exec(accept)?.[1]

const parameterPattern = (dialect: Dialect) =>
  new RegExp(String.raw`application/vnd\.${vocabularies[dialect].vendor}(?:-commitcomment)?(?:\.v3)?\.([\w-]+)`)
const parameterPatterns = { service: parameterPattern("service"), github: parameterPattern("github") }
