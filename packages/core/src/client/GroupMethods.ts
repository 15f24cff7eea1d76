/** Defines the groups of the contract as members of a client. */
import { type CatalogEntry, groups, entriesOfGroup } from "../contract/CatalogEntry.ts"

/** Defines a member for each group, for example `gitRefs`. On first access, creates its methods by calling `method`. */
export const defineGroups = <A extends object>(client: A, method: (entry: CatalogEntry) => unknown): A => {
  for (const name of groups) {
    const get = () => {
      const value = Object.fromEntries(entriesOfGroup(name).map((entry) => [entry.name, method(entry)]))
      Object.defineProperty(client, name, { value, enumerable: true })
      return value
    }
    Object.defineProperty(client, name, { get, enumerable: true, configurable: true })
  }
  return client
}
