/**
 * Defines the groups of the contract as members of a client. A method is created from the name alone on first access,
 * because a list of the methods would be the largest part of the client that grows with the contract.
 */

/** The names that methods can have: excludes the names that JavaScript reads from any object, such as `then`. */
const isMethodName = (name: string | symbol): name is string =>
  typeof name === "string" && /^[a-z]\w*$/i.test(name) && name !== "then" && name !== "toJSON" && !(name in {})

/** Defines a member for each group, for example `gitRefs`. Reading a method for the first time calls `method`. */
export const define = <A extends object>(
  client: A,
  groups: ReadonlyArray<string>,
  method: (group: string, name: string) => unknown
): A => {
  for (const group of groups) {
    const get = () => {
      const value: object = Object.create(
        new Proxy(Object.prototype, {
          get: (prototype, name) => {
            if (!isMethodName(name)) return Reflect.get(prototype, name) as unknown
            const made = method(group, name)
            Object.defineProperty(value, name, { value: made, enumerable: true, writable: true, configurable: true })
            return made
          }
        })
      )
      Object.defineProperty(client, group, { value, enumerable: true })
      return value
    }
    Object.defineProperty(client, group, { get, enumerable: true, configurable: true })
  }
  return client
}
