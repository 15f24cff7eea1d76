/** Defines the groups of the contract as members of a client. */
import type { MethodKind, Methods } from "./EndpointDescription.ts"

/**
 * Defines a member for each group, for example `gitRefs`. The first access to a group creates the methods by calling
 * `method`.
 */
export const defineGroups = <A extends object, Entry>(
  client: A,
  { entriesOf, groups }: Methods<Entry>,
  method: (entry: Entry, kind: MethodKind) => unknown
): A => {
  for (const group of groups) {
    const get = () => {
      const value = Object.fromEntries(entriesOf(group).map(([name, kind, entry]) => [name, method(entry, kind)]))
      Object.defineProperty(client, group, { value, enumerable: true })
      return value
    }
    Object.defineProperty(client, group, { get, enumerable: true, configurable: true })
  }
  return client
}
