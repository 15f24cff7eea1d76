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
  readonly members: {
    readonly avatar_service_id: string
    readonly code_analysis: string
    readonly assistant_code_review: string
  }
  /** Segments of paths, each in its own place. */
  readonly segments: { readonly assistant: string; readonly app_user_to_server: string }
}

export const vocabularies: Readonly<Record<Dialect, Vocabulary>> = {
  service: {
    vendor: "service",
    versionHeader: "x-service-api-version",
    versionSelectedHeader: "x-service-api-version-selected",
    acceptedPermissionsHeader: "x-accepted-permissions",
    deliveryHeader: "X-Service",
    members: {
      avatar_service_id: "avatar_service_id",
      code_analysis: "code_analysis",
      assistant_code_review: "assistant_code_review"
    },
    segments: { assistant: "assistant", app_user_to_server: "app_user_to_server" }
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
    segments: { assistant: "copilot", app_user_to_server: "github_app_user_to_server" }
  }
}

/**
 * Renames members in a JSON text. A member's name is preceded by `{` or `,`; inside a string its quotes would be
 * escaped. So text is enough.
 */
const renaming = (from: Dialect, to: Dialect) => {
  const { members } = vocabularies[from]
  const names = new Map([
    [members.avatar_service_id, vocabularies[to].members.avatar_service_id],
    [members.code_analysis, vocabularies[to].members.code_analysis],
    [members.assistant_code_review, vocabularies[to].members.assistant_code_review]
  ])
  const pattern = new RegExp(`([{,]\\s*)"(${[...names.keys()].join("|")})"(?=\\s*:)`, "g")
  return (text: string) =>
    text.replace(pattern, (_, before: string, name: string) => `${before}"${names.get(name) ?? name}"`)
}

const membersToService = renaming("github", "service")
const membersFromService = renaming("service", "github")

/** A JSON text with its members named as the documents name them. */
export const jsonToService = (dialect: Dialect, text: string): string =>
  dialect === "service" ? text : membersToService(text)

/** A JSON text with its members named as the dialect names them. */
export const jsonFromService = (dialect: Dialect, text: string): string =>
  dialect === "service" ? text : membersFromService(text)

/** Replaces segments where they are the forge's own, and not somebody's repository or folder of that name. */
const respelling = (from: Dialect, to: Dialect) => {
  const { segments } = vocabularies[from]
  const assistant = new RegExp(`(/repos/[^/]+/[^/]+)/${segments.assistant}(?=/cloud-agent/)`)
  const actor = new RegExp(`(/orgs/[^/]+/insights/api/[^/]+)/${segments.app_user_to_server}(?=/)`)
  return (path: string) =>
    path
      .replace(assistant, `$1/${vocabularies[to].segments.assistant}`)
      .replace(actor, `$1/${vocabularies[to].segments.app_user_to_server}`)
}

const pathsToService = respelling("github", "service")
const pathsFromService = respelling("service", "github")

/** A path as the documents spell it, in the dialect's spelling, and back. */
export const pathFromService = (dialect: Dialect, path: string): string =>
  dialect === "service" ? path : pathsFromService(path)
export const pathToService = (dialect: Dialect, path: string): string =>
  dialect === "service" ? path : pathsToService(path)

/** An `Accept` or `Content-Type` value in the dialect's media types, and back. */
export const mediaTypeFromService = (dialect: Dialect, value: string): string =>
  value.replaceAll("application/vnd.service", `application/vnd.${vocabularies[dialect].vendor}`)
export const mediaTypeToService = (dialect: Dialect, value: string): string =>
  value.replaceAll(`application/vnd.${vocabularies[dialect].vendor}`, "application/vnd.service")
