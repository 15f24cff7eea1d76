/**
 * One contract, two vocabularies (spec part 4, "Dialects"). `service` is the one of the documents; `github` names the
 * same things as GitHub and GitHub Enterprise Server do. Every difference is in this file; both sides apply it at
 * their edge, so that nothing between the edges knows of it.
 */

export type Dialect = "service" | "github"

interface Vocabulary {
  /** The part of media types and header names that differs: `application/vnd.<vendor>+json`. */
  readonly vendor: string
  readonly versionHeader: string
  /** On answers: the version that was used. */
  readonly versionSelectedHeader: string
  /** On refusals: the fine-grained permissions that would do. */
  readonly acceptedPermissionsHeader: string
  /** Prefix of the headers of a webhook delivery. */
  readonly deliveryHeader: string
  /** Members of JSON objects, wherever they stand. */
  readonly members: { readonly avatar_service_id: string }
  /** Segments of paths. */
  readonly segments: { readonly assistant: string }
  /** Values of enumerations, and the members that are named after them. */
  readonly values: {
    readonly code_analysis: string
    readonly assistant_code_review: string
    readonly app_user_to_server: string
  }
}

export const vocabularies: Readonly<Record<Dialect, Vocabulary>> = {
  service: {
    vendor: "service",
    versionHeader: "x-service-api-version",
    versionSelectedHeader: "x-service-api-version-selected",
    acceptedPermissionsHeader: "x-accepted-permissions",
    deliveryHeader: "X-Service",
    members: { avatar_service_id: "avatar_service_id" },
    segments: { assistant: "assistant" },
    values: {
      code_analysis: "code_analysis",
      assistant_code_review: "assistant_code_review",
      app_user_to_server: "app_user_to_server"
    }
  },
  github: {
    vendor: "github",
    versionHeader: "x-github-api-version",
    versionSelectedHeader: "x-github-api-version-selected",
    acceptedPermissionsHeader: "x-accepted-github-permissions",
    deliveryHeader: "X-GitHub",
    members: { avatar_service_id: "gravatar_id" },
    segments: { assistant: "copilot" },
    values: {
      code_analysis: "codeql",
      assistant_code_review: "copilot_code_review",
      app_user_to_server: "github_app_user_to_server"
    }
  }
}

/** A member's name is preceded by `{` or `,`; inside a string its quotes would be escaped. So text is enough. */
const memberPattern = (name: string) => new RegExp(`([{,]\\s*)"${name}"(\\s*:)`, "g")

const toService = memberPattern(vocabularies.github.members.avatar_service_id)
const fromService = memberPattern(vocabularies.service.members.avatar_service_id)

/** A JSON text with its members named as the documents name them. */
export const jsonToService = (dialect: Dialect, text: string): string =>
  dialect === "service" ? text : text.replace(toService, '$1"avatar_service_id"$2')

/** A JSON text with its members named as the dialect names them. */
export const jsonFromService = (dialect: Dialect, text: string): string =>
  dialect === "service" ? text : text.replace(fromService, `$1"${vocabularies[dialect].members.avatar_service_id}"$2`)

/** The one place where the segment is the service's, and not somebody's repository or folder of that name. */
const assistantPath = (segment: string) => new RegExp(`(/repos/[^/]+/[^/]+)/${segment}(?=/cloud-agent/)`)
const assistantToService = assistantPath(vocabularies.github.segments.assistant)
const assistantFromService = assistantPath(vocabularies.service.segments.assistant)

/** A path as the documents spell it, in the dialect's spelling, and back. */
export const pathFromService = (dialect: Dialect, path: string): string =>
  dialect === "service" ? path : path.replace(assistantFromService, `$1/${vocabularies[dialect].segments.assistant}`)
export const pathToService = (dialect: Dialect, path: string): string =>
  dialect === "service" ? path : path.replace(assistantToService, "$1/assistant")

/** An `Accept` or `Content-Type` value in the dialect's media types, and back. */
export const mediaTypeFromService = (dialect: Dialect, value: string): string =>
  value.replaceAll("application/vnd.service", `application/vnd.${vocabularies[dialect].vendor}`)
export const mediaTypeToService = (dialect: Dialect, value: string): string =>
  value.replaceAll(`application/vnd.${vocabularies[dialect].vendor}`, "application/vnd.service")
