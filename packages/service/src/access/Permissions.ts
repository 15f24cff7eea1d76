/**
 * The permissions of a token by name. As on GitHub, a prefix distinguishes permissions on organizations from permissions
 * on repositories: `organization_administration`, `administration`. The prefix is optional if the name is unique.
 */
import { allEntries } from "@tongs/core/contract/CatalogEntry"
import type { Permission } from "@tongs/core/contract/Operation"

export type Permissions = Readonly<Record<string, "read" | "write">>

let ofRepositories: ReadonlySet<string> | undefined

const isOfRepositories = (category: string): boolean => {
  ofRepositories ??= new Set(
    allEntries()
      .flatMap(({ operation }) => (operation.permission === "refused" ? [] : operation.permission.flat()))
      .flatMap(({ category, target }) => (target === "repository" ? [category] : []))
  )
  return ofRepositories.has(category)
}

const prefixed = (category: string) => `organization_${category}`

/** Returns the name of a permission in a token. */
export const nameOf = ({ category, target }: Pick<Permission, "category" | "target">): string =>
  target === "organization" && isOfRepositories(category) ? prefixed(category) : category

/** Returns the granted level of a permission (`read` or `write`), if any. */
export const grantedLevel = (permissions: Permissions, permission: Pick<Permission, "category" | "target">) =>
  permissions[nameOf(permission)] ??
  (permission.target === "organization" ? permissions[prefixed(permission.category)] : undefined)
