/** The request context that a handler receives besides the decoded input. */
import type { Dialect } from "@tongs/core/contract/Dialect"
import type { Version } from "@tongs/core/contract/Versions"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { EnterpriseRow, OrganizationRow } from "../accounts/OrganizationRows.ts"
import type { Authenticated, Caller } from "../access/Caller.ts"
import type { PageRequest } from "../base/Paging.ts"
import type { Role } from "../access/Roles.ts"
import type { Urls } from "./Urls.ts"

/** Context of every operation. */
export interface RequestContext {
  readonly caller: Caller
  readonly dialect: Dialect
  readonly version: Version
  readonly page: PageRequest
  /** Parameter of the requested media type, for example `raw` or `text-match`. Undefined for plain JSON. */
  readonly mediaType: string | undefined
  readonly urls: Urls
  /** IP address of the client, for the rate limits of anonymous requests. */
  readonly address: string
}

/** Context of an operation that needs a signed-in user. */
export interface SignedInContext extends RequestContext {
  readonly caller: Authenticated
}

/** Context of an operation on a repository. The repository exists and the caller has permission. */
export interface RepositoryContext extends RequestContext {
  readonly repository: ServedRepository
  readonly role: Role
}

/** Context of an operation on an organization. The organization exists and the caller has permission. */
export interface OrganizationContext extends RequestContext {
  readonly organization: OrganizationRow
  readonly role: Role
}

/** Context of an operation on an enterprise. The enterprise exists and the caller has permission. */
export interface EnterpriseContext extends RequestContext {
  readonly enterprise: EnterpriseRow
}
