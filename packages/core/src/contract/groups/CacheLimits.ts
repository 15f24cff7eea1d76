/** Limits of workflow caches. An organization cannot exceed the limits of the enterprise. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { badRequest, notFound } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { enterprisePath, organizationPath } from "../Parameters.ts"

/** Maximum age of a repository's caches, in days. */
export const CacheRetentionLimit = Schema.Struct({
  max_cache_retention_days: Schema.Int.annotate({ description: "Maximum age of a cache in days." })
}).annotate({
  identifier: "CacheRetentionLimit"
})
/** Maximum total size of a repository's caches, in gigabytes. */
export const CacheStorageLimit = Schema.Struct({
  max_cache_size_gb: Schema.Int.annotate({ description: "Maximum size of all caches of a repository in gigabytes." })
}).annotate({
  identifier: "CacheStorageLimit"
})

const enterprise = {
  permission: [[{ target: "enterprise", category: "enterprise_administration", level: "write" }]],
  scopes: ["admin:enterprise"],
  access: "administer"
} as const
const organization = (level: "read" | "write") =>
  ({
    permission: [[{ target: "organization", category: "administration", level }]],
    scopes: ["admin:organization", "admin:org"],
    access: "administer"
  }) as const

const error = [badRequest, notFound] as const
const success = HttpApiSchema.NoContent

/** Endpoints of cache limits. */
export class CacheLimits extends Group.make("cacheLimits", () => [
  HttpApiEndpoint.get("getRetentionForEnterprise", "/enterprises/:enterprise/actions/cache/retention-limit", {
    params: enterprisePath,
    success: CacheRetentionLimit,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/get-actions-cache-retention-limit-for-enterprise",
      summary: "Get the cache retention limit of an enterprise",
      command: "get-enterprise-retention",
      ...enterprise
    })
  ),
  HttpApiEndpoint.put("setRetentionForEnterprise", "/enterprises/:enterprise/actions/cache/retention-limit", {
    params: enterprisePath,
    payload: Schema.Struct(CacheRetentionLimit.fields),
    success,
    error
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/set-actions-cache-retention-limit-for-enterprise",
      summary: "Set the cache retention limit of an enterprise",
      command: "set-enterprise-retention",
      ...enterprise
    })
  ),
  HttpApiEndpoint.get("getStorageForEnterprise", "/enterprises/:enterprise/actions/cache/storage-limit", {
    params: enterprisePath,
    success: CacheStorageLimit,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/get-actions-cache-storage-limit-for-enterprise",
      summary: "Get the cache storage limit of an enterprise",
      command: "get-enterprise-storage",
      ...enterprise
    })
  ),
  HttpApiEndpoint.put("setStorageForEnterprise", "/enterprises/:enterprise/actions/cache/storage-limit", {
    params: enterprisePath,
    payload: Schema.Struct(CacheStorageLimit.fields),
    success,
    error
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/set-actions-cache-storage-limit-for-enterprise",
      summary: "Set the cache storage limit of an enterprise",
      command: "set-enterprise-storage",
      ...enterprise
    })
  ),
  HttpApiEndpoint.get("getRetentionForOrg", "/organizations/:org/actions/cache/retention-limit", {
    params: organizationPath,
    success: CacheRetentionLimit,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/get-actions-cache-retention-limit-for-organization",
      summary: "Get the cache retention limit of an organization",
      command: "get-organization-retention",
      ...organization("read")
    })
  ),
  HttpApiEndpoint.put("setRetentionForOrg", "/organizations/:org/actions/cache/retention-limit", {
    params: organizationPath,
    payload: Schema.Struct(CacheRetentionLimit.fields),
    success,
    error
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/set-actions-cache-retention-limit-for-organization",
      summary: "Set the cache retention limit of an organization",
      command: "set-organization-retention",
      ...organization("write")
    })
  ),
  HttpApiEndpoint.get("getStorageForOrg", "/organizations/:org/actions/cache/storage-limit", {
    params: organizationPath,
    success: CacheStorageLimit,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/get-actions-cache-storage-limit-for-organization",
      summary: "Get the cache storage limit of an organization",
      command: "get-organization-storage",
      ...organization("read")
    })
  ),
  HttpApiEndpoint.put("setStorageForOrg", "/organizations/:org/actions/cache/storage-limit", {
    params: organizationPath,
    payload: Schema.Struct(CacheStorageLimit.fields),
    success,
    error
  }).annotateMerge(
    Operation.annotations({
      operationId: "actions/set-actions-cache-storage-limit-for-organization",
      summary: "Set the cache storage limit of an organization",
      command: "set-organization-storage",
      ...organization("write")
    })
  )
]) {}
