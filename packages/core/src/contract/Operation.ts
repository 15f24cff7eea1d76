/**
 * The operation annotation of an endpoint: summary, effect, access, paging, rate limit. The client, the service,
 * commands, agent tools and the OpenAPI document read the annotation.
 */
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as Exposure from "./Exposure.ts"

/** A fine-grained permission. `write` includes `read`. */
export interface Permission {
  readonly target: "repository" | "organization" | "enterprise" | "user"
  /** Category in snake case, as in the specification: `contents`, `pull_requests`. */
  readonly category: string
  readonly level: "read" | "write"
}

/** How a list is split into pages: 30 items by default, at most 100. */
export type Paging =
  /** `page` and `per_page`: every page can be requested directly. */
  | "page"
  /** `before`/`after` or `cursor`: other pages can be reached only by links. */
  | "cursor"
  /** `since`: other pages can be reached only by links. */
  | "since"

/** Media types besides plain JSON, for example a diff or raw text. */
export type MediaType = "raw" | "text" | "html" | "full" | "diff" | "patch" | "sha" | "text-match" | "star"

/** The primary rate limit that counts the requests; `none` if no primary limit does. */
export type RateLimitResource = "core" | "search" | "code_search" | "graphql" | "none"

/** The effect of a call on the forge. `trigger` starts a process, such as a delivery, without changing a resource. */
export type Effect = "read" | "create" | "update" | "delete" | "trigger"

/**
 * The role that an account needs: one of GitHub's five roles on repositories, of which each includes the previous ones,
 * or `author`: `write`, or `read` for the author of the resource. Creating a resource of the account, such as an SSH
 * key, counts as `write`.
 */
export type Access = "read" | "author" | "triage" | "write" | "maintain" | "administer"

/** The operation annotation of an endpoint, with the defaults of the HTTP method. */
export interface Operation {
  /** Short imperative sentence without a full stop: the help of the command and the title of the agent tool. */
  readonly summary: string
  /** GitHub's id of the operation, for example `issues/list-for-repo`. Absent for an extension. */
  readonly operationId?: string
  /** Further words of people for the operation, separated by commas: `redeliver, send again`. */
  readonly words?: string
  /** Further sentences that help to choose between operations. */
  readonly description?: string
  /**
   * The word of the command after that of the group, in kebab case. By default the name of the operation. Empty if the
   * group has a hand-written command.
   */
  readonly command: string
  /** Name of the agent tool. Default: group and command in snake case. */
  readonly tool?: string
  /** Effect on the forge. Default by method: POST creates, PUT and PATCH update. */
  readonly effect: Effect
  /** Role that the account needs. Default: `read` for GET and `write` for other methods. */
  readonly access: Access
  /**
   * True if repeating a call with the same input changes nothing more. Default: true, except for `create` and
   * `trigger`.
   */
  readonly idempotent: boolean
  /** True if anonymous callers may call the operation on a public resource. */
  readonly public: boolean
  /**
   * Permission sets, of which a fine-grained token needs one; `[]` if none is needed. `"refused"`: the operation does
   * not accept fine-grained tokens.
   */
  readonly permission: ReadonlyArray<ReadonlyArray<Permission>> | "refused"
  /** True if only apps may call the operation, with the token of an installation or of a workflow. */
  readonly onlyApps?: boolean
  /** OAuth scopes, of which a classic or OAuth token needs one. */
  readonly scopes: ReadonlyArray<string>
  /** OAuth scopes for a private resource, of which a token needs one; `scopes` applies to public resources. */
  readonly privateScopes: ReadonlyArray<string>
  readonly paging?: Paging
  /** Items per page if the request has no `per_page`; 30 by default. */
  readonly perPage?: number
  /** Maximum number of items per page; 100 by default. */
  readonly maxPerPage?: number
  readonly resource: RateLimitResource
  /** Points of the secondary limit. Default: 1 for a read, 5 for a write. */
  readonly points?: number
  readonly mediaTypes: ReadonlyArray<MediaType>
  /** Minimum seconds between two requests of a polling client: the header `x-poll-interval`. */
  readonly pollInterval?: number
  /**
   * True if the last path parameter may contain slashes, raw or encoded; `"optional"` if the parameter may also be
   * missing. Words may follow the parameter: `/branches/:branch/rename`.
   */
  readonly rest: boolean | "optional"
  /** A second path of the operation, which URLs in responses use. */
  readonly alsoAt?: string
  /** Member of the body that a request may send alone: `["bug"]` stands for `{ "labels": ["bug"] }`. */
  readonly listBody?: string
  /** Member of the body that is the whole body, as plain text instead of JSON. */
  readonly textBody?: string
  /** Member of the body, in Base64, whose bytes are the whole body. */
  readonly bytesBody?: string
  /** True if a request with the media type `application/octet-stream` is redirected to a file by a 302. */
  readonly hasFile?: boolean
  /** True for a write that a forge may answer with 304, according to the forge's documentation. */
  readonly notModified?: boolean
  /** API versions that have the operation. Default: all. */
  readonly versions?: ReadonlyArray<string>
  /** True for a public preview, which may change. */
  readonly preview: boolean
  /**
   * True if the operation is an extension of the specification. Forges without the extension answer 404 or 501, and the
   * client fails with `Unsupported`.
   */
  readonly extension: boolean
  /** Sentence without a full stop for a 204 response, instead of one with the summary. */
  readonly noContent?: string
  /**
   * Sentences without a full stop for a response that answers a question: `yes` for a 204, `no` for a 404. `{name}` is
   * the value of an argument. Without `yes`, only a 404 answers the question.
   */
  readonly answers?: { readonly yes?: string; readonly no: string }
  /**
   * True if a later call can restore the previous state. Default: true, except for `delete`. With `except`, a call is
   * irreversible if one of these arguments has this value, or `"any"` value. The call that restores the state needs the arguments `with`.
   */
  readonly reversible:
    | boolean
    | {
        readonly except: Readonly<Record<string, string | boolean>>
        readonly with?: Readonly<Record<string, string | boolean>>
      }
  /** True for a deletion after which the `create` of the group, with the values read before, restores everything. */
  readonly restorable?: boolean
  /** True for a write that does not change the repository in the path, which an archived repository allows, too. */
  readonly allowsArchived?: boolean
  /** What a call makes available to other users: access, or data. Default: nothing. */
  readonly exposure?: Exposure.Exposure
}

type Defaulted = "command" | "effect" | "access" | "idempotent" | "reversible"
type Declaration = Omit<Operation, Defaulted> & Partial<Pick<Operation, Defaulted>>

/** Context key of the operation annotation. */
export class Annotation extends Context.Service<Annotation, Declaration>()(
  "@tongs/core/contract/Operation/Annotation"
) {}

/** Permission to read a repository's git data. */
export const contentsRead: Permission = { target: "repository", category: "contents", level: "read" }
/** Permission to change a repository's git data. */
export const contentsWrite: Permission = { target: "repository", category: "contents", level: "write" }
/** Permission that every token with access to the repository has. */
export const metadataRead: Permission = { target: "repository", category: "metadata", level: "read" }

/**
 * Creates the operation annotation of an endpoint: `HttpApiEndpoint.get(...).annotateMerge(Operation.annotations({
 * summary: "..." }))`.
 */
export const annotations = (declared: Partial<Operation> & Pick<Operation, "summary">): Context.Context<Annotation> =>
  Context.make(Annotation, {
    public: false,
    permission: [],
    scopes: [],
    privateScopes: [],
    resource: "core",
    mediaTypes: [],
    rest: false,
    preview: false,
    extension: false,
    ...declared
  })

/**
 * Returns the operation annotation of an endpoint, with the defaults of the HTTP method. Every endpoint of the contract
 * has one.
 */
export const of = (endpoint: HttpApiEndpoint.Top): Operation => {
  const declared = Option.getOrThrow(Context.getOption(endpoint.annotations, Annotation))
  const effect = declared.effect ?? effects[endpoint.method] ?? "update"
  return {
    command: toKebabCase(endpoint.identifier),
    effect,
    access: endpoint.method === "GET" ? "read" : "write",
    idempotent: effect !== "create" && effect !== "trigger",
    reversible: effect !== "delete",
    ...declared
  }
}

const effects: Readonly<Record<string, Effect>> = { GET: "read", POST: "create", DELETE: "delete" }

/** Converts a name to kebab case: `gitRefs` to `git-refs`, `tree_sha` to `tree-sha`. */
export const toKebabCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-")

/** Converts a name to snake case: `gitRefs` to `git_refs`, `list-for-run` to `list_for_run`. */
export const toSnakeCase = (name: string): string => toKebabCase(name).replaceAll("-", "_")

/**
 * Returns whether a later call can restore the state before a call with this input; without `input`, before any call.
 */
export const isReversible = (
  { reversible }: Pick<Operation, "reversible">,
  input?: Readonly<Record<string, unknown>>
): boolean => {
  if (typeof reversible === "boolean") return reversible
  return (
    input !== undefined &&
    !Object.entries(reversible.except).some(([name, value]) =>
      value === "any" ? input[name] !== undefined : input[name] === value
    )
  )
}

/** Returns the exposure of a call with this input; undefined if the call exposes nothing. */
export const exposureOf = (
  { exposure }: Pick<Operation, "exposure">,
  input: Readonly<Record<string, unknown>>
): Exposure.Exposure | undefined => (exposure !== undefined && Exposure.applies(exposure, input) ? exposure : undefined)

/**
 * Response header that a forge with extensions sends for the endpoints of extensions, also with a 404. A 404 without
 * this header comes from a forge that does not know the path.
 */
export const extensionHeader = "x-tongs-extension" // oxlint-disable-line tongs/constant-case -- public name

/** Access rules of an operation that reads git data. */
export const readsContents: Pick<Operation, "public" | "permission" | "privateScopes"> = {
  public: true,
  permission: [[contentsRead]],
  privateScopes: ["repo"]
}

/** Access rules of an operation that changes git data. */
export const writesContents: Pick<Operation, "permission" | "scopes" | "privateScopes"> = {
  permission: [[contentsWrite]],
  scopes: ["public_repo", "repo"],
  privateScopes: ["repo"]
}

/** Access rules of an operation that can change workflow files, which needs a further permission. */
export const writesFiles: Pick<Operation, "permission" | "scopes" | "privateScopes"> = {
  ...writesContents,
  permission: [[contentsWrite], [contentsWrite, { target: "repository", category: "workflows", level: "write" }]]
}

/**
 * Access rules of an extension that reads git data. Requests to the extension count in no rate limit window of the
 * specification.
 */
export const readsExtension: Pick<Operation, "public" | "permission" | "privateScopes" | "extension" | "resource"> = {
  ...readsContents,
  extension: true,
  resource: "none"
}
