/**
 * What tokens that are governed by permissions hold of them, by name. One on organizations that is called as one on
 * repositories is told apart by a prefix, as GitHub has it: `administration` is a repository's, and
 * `organization_administration` an organization's. The others of organizations may have the prefix.
 */
import { entries } from "@tongs/core/contract/Catalog"
import type { Permission } from "@tongs/core/contract/Operation"

export type Permissions = Readonly<Record<string, "read" | "write">>

const ofRepositories: ReadonlySet<string> = new Set(
  entries
    .flatMap(({ operation }) => (operation.permission === "refused" ? [] : operation.permission.flat()))
    .flatMap(({ category, target }) => (target === "repository" ? [category] : []))
)

const prefixed = (category: string) => `organization_${category}`

/** What a permission is called in a token's. */
export const nameOf = ({ category, target }: Pick<Permission, "category" | "target">): string =>
  target === "organization" && ofRepositories.has(category) ? prefixed(category) : category

/** The level that is held of a permission, if any. */
export const grantedLevel = (permissions: Permissions, permission: Pick<Permission, "category" | "target">) =>
  permissions[nameOf(permission)] ??
  (permission.target === "organization" ? permissions[prefixed(permission.category)] : undefined)
