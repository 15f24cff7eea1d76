/** The request context that a handler receives besides the decoded input. */
import type { Dialect } from "@tongs/core/contract/Dialect"
import type { Version } from "@tongs/core/contract/Versions"
import type { Authenticated, Caller } from "../access/Caller.ts"
import type { PageRequest } from "../base/Paging.ts"
import type { KindOf, NeedsSignIn, RequestTarget, TargetKind, TargetOf } from "./RequestTarget.ts"
import type { JsonSource } from "./RequestInput.ts"
import type { Urls } from "./Urls.ts"

/** Context of every operation. */
export interface RequestContext {
  readonly caller: Caller
  readonly dialect: Dialect
  readonly version: Version
  readonly page: PageRequest
  /** Parameter of the requested media type, for example `raw` or `text-match`; `octet-stream` for a file. Undefined for plain JSON. */
  readonly mediaType: string | undefined
  readonly urls: Urls
  /** IP address of the client, for the rate limits of anonymous requests. */
  readonly address: string
  /** Headers and body of the request, for operations whose body is a file. */
  readonly body: Pick<JsonSource, "headers" | "stream">
}

interface SignedIn {
  readonly caller: Authenticated
}

/** Context of an operation on a kind of target. The target exists and the caller has permission. */
type TargetContext<K extends TargetKind> = RequestContext & TargetOf<K>

/** Context of an operation on a repository. */
export type RepositoryContext = TargetContext<"repository">

/** Context of an operation on a repository that needs a signed-in caller. */
export type SignedInRepositoryContext = RepositoryContext & SignedIn

/** Context of an operation on an organization. */
export type OrganizationContext = TargetContext<"organization">

/** Context of an operation on an organization that needs a signed-in caller. */
export type SignedInOrganizationContext = OrganizationContext & SignedIn

/** Context of any operation, before the handler narrows the context. */
export type AnyContext = RequestContext & RequestTarget

/** Context of an endpoint, by method and path. */
export type ContextOf<Method, Path> = TargetContext<KindOf<Path>> &
  (NeedsSignIn<Method, Path> extends true ? SignedIn : object)
