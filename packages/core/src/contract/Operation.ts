/**
 * The vocabulary in which the contract says, of each endpoint, what its method, path and schemas do not: who may call
 * it, how it pages, what it costs. Client, service, command line, agent tools and the OpenAPI document all read it here.
 */
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"

/** A fine-grained permission (spec part 1 §5.6). `write` includes `read`. */
export interface Permission {
  readonly target: "repository" | "organization" | "enterprise" | "user"
  /** As the documents spell it, in snake case: `contents`, `pull_requests`. */
  readonly category: string
  readonly level: "read" | "write"
}

/** How a list goes on (spec part 1 §1.4). */
export type Paging =
  /** `page` and `per_page`: any page can be asked for. */
  | "page"
  /** `before`/`after` or `cursor`: only the links lead on. */
  | "cursor"
  /** `since`: only the links lead on. */
  | "since"

/** Media types beyond plain JSON (spec part 1 §1.3). */
export type MediaType = "raw" | "text" | "html" | "full" | "diff" | "patch" | "sha" | "text-match"

/** What a call does to the forge. `trigger` starts something, such as a delivery, and changes no resource. */
export type Effect = "read" | "create" | "update" | "delete" | "trigger"

/**
 * The role that an account needs. `author`: `write`, or `read` for the author of the resource. Creating a resource of
 * the account itself, such as an SSH key, counts as `write`.
 */
export type Access = "read" | "author" | "write" | "administer"

export interface Operation {
  /** Short imperative sentence without a full stop: help of the command, title of the agent tool. */
  readonly summary: string
  /** Further sentences that help to choose between operations. */
  readonly description?: string
  /**
   * The word of the command after that of the group, in kebab case. By default the name of the operation. Empty if the
   * group has a hand-written command.
   */
  readonly command: string
  /** The name of the agent tool, if it is not group and command in snake case. */
  readonly tool?: string
  /** By default the method decides: POST creates, PUT and PATCH update. */
  readonly effect: Effect
  /** By default `read` for GET and `write` for other methods. */
  readonly access: Access
  /** True if repeating a call with the same input changes nothing more. By default every effect but create and trigger. */
  readonly idempotent: boolean
  /** Whether an anonymous caller may call it, where the resource is public (spec part 1 §5.1). */
  readonly public: boolean
  /**
   * What a fine-grained token needs: every permission of one of these sets. `[]`: none.
   * `"refused"`: such tokens are not accepted.
   */
  readonly permission: ReadonlyArray<ReadonlyArray<Permission>> | "refused"
  /** One of these scopes is what a classic or OAuth token needs for it (spec part 1 §5.5). */
  readonly scopes: ReadonlyArray<string>
  /** The same, where the resource is private; `scopes` holds for public ones. */
  readonly privateScopes: ReadonlyArray<string>
  readonly paging?: Paging
  /** Items a page where the request does not say; 30 unless told. */
  readonly perPage?: number
  /** The rate limit resource that counts it (spec part 1 §8.4). */
  readonly resource: "core" | "code_search" | "none"
  /** Points of the secondary limit, where they are not those of the method (spec part 1 §8.3). */
  readonly points?: number
  readonly mediaTypes: ReadonlyArray<MediaType>
  /** Seconds between two requests of a client that waits for changes: the header `x-poll-interval`. */
  readonly pollInterval?: number
  /** The last path parameter may hold slashes, raw or encoded; `"optional"`: it may also be left out. */
  readonly rest: boolean | "optional"
  /** Another path at which the service answers it: URLs in responses lead there. */
  readonly alsoAt?: string
  /** API versions that have it; absent: all. */
  readonly versions?: ReadonlyArray<string>
  /** In public preview: it may change. */
  readonly preview: boolean
  /**
   * Whether a later call can restore the previous state. By default every method but DELETE is reversible. With
   * `except`, a call is irreversible if one of these arguments has this value.
   */
  readonly reversible: boolean | { readonly except: Readonly<Record<string, string | boolean>> }
}

type Defaulted = "command" | "effect" | "access" | "idempotent" | "reversible"
type Declaration = Omit<Operation, Defaulted> & Partial<Pick<Operation, Defaulted>>

/** The annotation's key. */
export class Annotation extends Context.Service<Annotation, Declaration>()(
  "@tongs/core/contract/Operation/Annotation"
) {}

/** Reading a repository's git data. */
export const contentsRead: Permission = { target: "repository", category: "contents", level: "read" }
/** Changing a repository's git data. */
export const contentsWrite: Permission = { target: "repository", category: "contents", level: "write" }
/** What every token that reaches a repository has. */
export const metadataRead: Permission = { target: "repository", category: "metadata", level: "read" }

/** Describes an endpoint: `HttpApiEndpoint.get(...).annotateMerge(Operation.annotations({ summary: "..." }))`. */
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
    ...declared
  })

/** The description of an endpoint, with the defaults of its method. Every endpoint of the contract has one. */
export const of = (endpoint: HttpApiEndpoint.Top): Operation => {
  const declared = Option.getOrThrow(Context.getOption(endpoint.annotations, Annotation))
  const effect = declared.effect ?? effects[endpoint.method] ?? "update"
  return {
    command: kebab(endpoint.identifier),
    effect,
    access: endpoint.method === "GET" ? "read" : "write",
    idempotent: effect !== "create" && effect !== "trigger",
    reversible: effect !== "delete",
    ...declared
  }
}

const effects: Readonly<Record<string, Effect>> = { GET: "read", POST: "create", DELETE: "delete" }

/** A name in kebab case: `gitRefs` is `git-refs`, `tree_sha` is `tree-sha`. */
export const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-")

/** A name in snake case: `gitRefs` is `git_refs`, `list-for-run` is `list_for_run`. */
export const snake = (name: string): string => kebab(name).replaceAll("-", "_")

/** True if a later call can restore the state before a call with this input, or without `input`, before any call. */
export const isReversible = (
  { reversible }: Pick<Operation, "reversible">,
  input?: Readonly<Record<string, unknown>>
): boolean => {
  if (typeof reversible === "boolean") return reversible
  return input !== undefined && !Object.entries(reversible.except).some(([name, value]) => input[name] === value)
}

/** A repository operation that reads git data. */
export const readsContents: Pick<Operation, "public" | "permission" | "privateScopes"> = {
  public: true,
  permission: [[contentsRead]],
  privateScopes: ["repo"]
}

/** A repository operation that changes git data. */
export const writesContents: Pick<Operation, "permission" | "scopes" | "privateScopes"> = {
  permission: [[contentsWrite]],
  scopes: ["public_repo", "repo"],
  privateScopes: ["repo"]
}
