/** The contract's groups as members of a client, as `forge.gitRefs`, each made when it is first asked for. */
import { type Entry, groups, ofGroup } from "../contract/Entry.ts"

/** Gives a client the groups: `method` makes the method of an endpoint. */
export const defineGroups = <A extends object>(client: A, method: (entry: Entry) => unknown): A => {
  for (const name of groups) {
    const get = () => {
      const value = Object.fromEntries(ofGroup(name).map((entry) => [entry.name, method(entry)]))
      Object.defineProperty(client, name, { value, enumerable: true })
      return value
    }
    Object.defineProperty(client, name, { get, enumerable: true, configurable: true })
  }
  return client
}
