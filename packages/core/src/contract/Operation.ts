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

export interface Operation {
  /** What it does, in a few words: the help of the command, the description of the tool. */
  readonly summary: string
  /** More, for whoever must choose among operations. */
  readonly description?: string
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
  /** Whether the account must administer the repository, organization or enterprise, and not just reach it. */
  readonly administers: boolean
  /** Whether who wrote the thing may do it as well, though they may only read what it belongs to. */
  readonly authored: boolean
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
  readonly reversible?: boolean | { readonly except: Readonly<Record<string, string | boolean>> }
}

/** The annotation's key. */
export class Annotation extends Context.Service<Annotation, Operation>()("@tongs/core/contract/Operation/Annotation") {}

/** Reading a repository's git data. */
export const contentsRead: Permission = { target: "repository", category: "contents", level: "read" }
/** Changing a repository's git data. */
export const contentsWrite: Permission = { target: "repository", category: "contents", level: "write" }
/** What every token that reaches a repository has. */
export const metadataRead: Permission = { target: "repository", category: "metadata", level: "read" }

type Described = Partial<Operation> & Pick<Operation, "summary">

/** Describes an endpoint: `HttpApiEndpoint.get(...).annotateMerge(Operation.annotations({ summary: "..." }))`. */
export const annotations = (described: Described): Context.Context<Annotation> =>
  Context.make(Annotation, {
    public: false,
    permission: [],
    scopes: [],
    privateScopes: [],
    administers: false,
    authored: false,
    resource: "core",
    mediaTypes: [],
    rest: false,
    preview: false,
    ...described
  })

/** The description of an endpoint. Every endpoint of the contract has one (the contract's own test says so). */
export const of = (endpoint: HttpApiEndpoint.Top): Operation =>
  Option.getOrThrow(Context.getOption(endpoint.annotations, Annotation))

/** Whether a later call can undo a call with this input; without an input, whether that holds for every input. */
export const isReversible = (endpoint: HttpApiEndpoint.Top, input?: Readonly<Record<string, unknown>>): boolean => {
  const { reversible = endpoint.method !== "DELETE" } = of(endpoint)
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
