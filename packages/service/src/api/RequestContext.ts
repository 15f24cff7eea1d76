/** What a handler gets to know of the request that it answers, beside its input. */
import type { Dialect } from "@tongs/core/contract/Dialect"
import type { Version } from "@tongs/core/contract/Versions"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { EnterpriseRow, OrganizationRow } from "../accounts/OrganizationRows.ts"
import type { Authenticated, Caller } from "../access/Caller.ts"
import type { PageRequest } from "../base/Paging.ts"
import type { Role } from "../access/Roles.ts"
import type { Urls } from "./Urls.ts"

export interface RequestContext {
  readonly caller: Caller
  readonly dialect: Dialect
  readonly version: Version
  readonly page: PageRequest
  /** The PARAM of the media type that was asked for, as `raw` or `text-match`; undefined for plain JSON. */
  readonly mediaType: string | undefined
  readonly urls: Urls
  /** Where the request came from, for limits that are counted by address. */
  readonly address: string
}

/** Of an operation that is not public: somebody has signed in. */
export interface SignedInContext extends RequestContext {
  readonly caller: Authenticated
}

/** Of an operation on a repository: it exists, and the caller may do this to it. */
export interface RepositoryContext extends RequestContext {
  readonly repository: ServedRepository
  readonly role: Role
}

/** Of an operation on an organization, likewise. */
export interface OrganizationContext extends RequestContext {
  readonly organization: OrganizationRow
  readonly role: Role
}

/** Of an operation on an enterprise, likewise. */
export interface EnterpriseContext extends RequestContext {
  readonly enterprise: EnterpriseRow
}
