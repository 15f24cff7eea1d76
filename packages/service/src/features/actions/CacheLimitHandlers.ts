import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CacheLimits } from "@tongs/core/contract/groups/CacheLimits"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { EnterpriseRow, OrganizationRow } from "../../accounts/OrganizationRows.ts"
import { SettingRows, type SettingSubject } from "../../accounts/SettingRows.ts"

/** Maximum limits, and defaults for enterprises and organizations without a limit, in days and gigabytes. */
const ceilings = { cacheRetention: 365, cacheStorage: 10_000 }
const defaults = { cacheRetention: 7, cacheStorage: 10 }
type Limit = keyof typeof ceilings

const fields = { cacheRetention: "max_cache_retention_days", cacheStorage: "max_cache_size_gb" } as const

export const make = Effect.gen(function* () {
  const settings = yield* SettingRows
  const enterprise = ({ id }: EnterpriseRow): SettingSubject => ({ kind: "enterprise", id })
  const organization = ({ id }: OrganizationRow): SettingSubject => ({ kind: "organization", id })

  /** The limit of an enterprise or organization, or the default. */
  const own = (subject: SettingSubject, limit: Limit) =>
    Effect.map(settings.get(subject, limit, Schema.Int), (set) => set ?? defaults[limit])

  /**
   * Upper bound of an organization's limit: the enterprise's limit, or the fixed ceiling for an organization without an
   * enterprise.
   */
  const above = ({ enterprise_id }: OrganizationRow, limit: Limit) =>
    enterprise_id === null ? Effect.succeed(ceilings[limit]) : own({ kind: "enterprise", id: enterprise_id }, limit)

  /** Effective limit of an organization. The enterprise may have lowered the enterprise limit afterwards. */
  const effective = Effect.fnUntraced(function* (row: OrganizationRow, limit: Limit) {
    return Math.min(yield* own(organization(row), limit), yield* above(row, limit))
  })

  const set = Effect.fnUntraced(function* (subject: SettingSubject, limit: Limit, value: number, ceiling: number) {
    if (value < 1 || value > ceiling) {
      const field = fields[limit]
      const message = `${field} must be between 1 and ${ceiling}`
      return yield* ApiError.invalid(message, [{ resource: "cacheLimits", field, code: "invalid", message }], 400)
    }
    yield* settings.set(subject, limit, value)
  })

  const ofEnterprise = (row: EnterpriseRow, limit: Limit) => own(enterprise(row), limit)

  return group(CacheLimits)({
    *getRetentionForEnterprise(_, context) {
      return { max_cache_retention_days: yield* ofEnterprise(context.enterprise, "cacheRetention") }
    },
    *setRetentionForEnterprise({ max_cache_retention_days: value }, context) {
      yield* set(enterprise(context.enterprise), "cacheRetention", value, ceilings.cacheRetention)
    },
    *getStorageForEnterprise(_, context) {
      return { max_cache_size_gb: yield* ofEnterprise(context.enterprise, "cacheStorage") }
    },
    *setStorageForEnterprise({ max_cache_size_gb: value }, context) {
      yield* set(enterprise(context.enterprise), "cacheStorage", value, ceilings.cacheStorage)
    },
    *getRetentionForOrg(_, context) {
      return { max_cache_retention_days: yield* effective(context.organization, "cacheRetention") }
    },
    *setRetentionForOrg({ max_cache_retention_days: value }, context) {
      const row = context.organization
      yield* set(organization(row), "cacheRetention", value, yield* above(row, "cacheRetention"))
    },
    *getStorageForOrg(_, context) {
      return { max_cache_size_gb: yield* effective(context.organization, "cacheStorage") }
    },
    *setStorageForOrg({ max_cache_size_gb: value }, context) {
      const row = context.organization
      yield* set(organization(row), "cacheStorage", value, yield* above(row, "cacheStorage"))
    }
  })
})
