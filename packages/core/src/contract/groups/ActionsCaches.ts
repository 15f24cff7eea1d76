/** Caches of workflows. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { readsActions, writesActions } from "../ActionsAccess.ts"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { organizationPath, pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { Bytes, Timestamp } from "../Scalars.ts"

/** A cache. */
export const ActionsCache = Schema.Struct({
  id: Schema.optionalKey(Schema.Int),
  ref: Schema.optionalKey(Schema.String),
  key: Schema.optionalKey(Schema.String),
  version: Schema.optionalKey(Schema.String),
  last_accessed_at: Schema.optionalKey(Timestamp),
  created_at: Schema.optionalKey(Timestamp),
  size_in_bytes: Schema.optionalKey(Bytes)
}).annotate({
  identifier: "ActionsCache",
  ...Presentation.of({
    columns: { ID: "id", KEY: "key", REF: "ref", SIZE: "size_in_bytes", ACCESSED: "last_accessed_at" },
    title: "key",
    identity: ["id"],
    arguments: { cache_id: "id", "actionsCaches.key": "key", "actionsCaches.ref": "ref" }
  })
})
export type ActionsCache = typeof ActionsCache.Type

/** A page of caches. */
export const ActionsCacheList = Schema.Struct({
  total_count: Schema.Int,
  actions_caches: Schema.Array(ActionsCache)
}).annotate({ identifier: "ActionsCacheList" })

/** Number and size of the caches of a repository. */
export const ActionsCacheUsage = Schema.Struct({
  full_name: Schema.String,
  active_caches_size_in_bytes: Bytes,
  active_caches_count: Schema.Int
}).annotate({ identifier: "ActionsCacheUsage" })

/** Number and size of the caches of an organization. */
export const OrganizationCacheUsage = Schema.Struct({
  total_active_caches_count: Schema.Int,
  total_active_caches_size_in_bytes: Bytes
}).annotate({ identifier: "OrganizationCacheUsage" })

const ref = Schema.optionalKey(
  Schema.String.annotate({ description: "Only caches of this reference, for example `refs/heads/main`." })
)

/** Endpoints of caches. */
export class ActionsCaches extends Group.make("actionsCaches", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/actions/caches", {
    params: repositoryPath,
    query: {
      ref,
      key: Schema.optionalKey(Schema.String.annotate({ description: "Only caches whose key begins with this text." })),
      sort: Schema.optionalKey(
        Schema.Literals(["created_at", "last_accessed_at", "size_in_bytes"]).annotate({
          description: "Order; last_accessed_at by default."
        })
      ),
      direction: Schema.optionalKey(
        Schema.Literals(["asc", "desc"]).annotate({ description: "Direction of the order; desc by default." })
      ),
      ...pageQuery
    },
    success: Paged(ActionsCacheList),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/get-actions-cache-list",
      summary: "List workflow caches",
      ...readsActions,
      paging: "page"
    })
  ),
  HttpApiEndpoint.delete("deleteByKey", "/repos/:owner/:repo/actions/caches", {
    params: repositoryPath,
    query: { key: Schema.String.annotate({ description: "The complete key." }), ref },
    success: ActionsCacheList,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/delete-actions-cache-by-key",
      summary: "Delete the workflow caches with a key",
      ...writesActions
    })
  ),
  HttpApiEndpoint.delete("delete", "/repos/:owner/:repo/actions/caches/:cache_id", {
    params: { ...repositoryPath, cache_id: Schema.Int.annotate({ description: "Id of the cache." }) },
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/delete-actions-cache-by-id",
      summary: "Delete a workflow cache",
      ...writesActions
    })
  ),
  HttpApiEndpoint.get("getUsage", "/repos/:owner/:repo/actions/cache/usage", {
    params: repositoryPath,
    success: ActionsCacheUsage,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/get-actions-cache-usage",
      summary: "Get the size of the workflow caches of a repository",
      command: "usage",
      ...readsActions
    })
  ),
  HttpApiEndpoint.get("getUsageForOrg", "/orgs/:org/actions/cache/usage", {
    params: organizationPath,
    success: OrganizationCacheUsage,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/get-actions-cache-usage-for-org",
      summary: "Get the size of the workflow caches of an organization",
      command: "organization-usage",
      permission: [[{ target: "organization", category: "administration", level: "read" }]],
      scopes: ["read:org"],
      access: "administer"
    })
  )
]) {}
