/**
 * The names and routes of all operations. The build of `tongs` evaluates this module and puts the value into the
 * program, which then creates only the endpoints of the running command.
 */
import type { HttpMethod } from "effect/http/HttpMethod"
import { entriesOfGroup, groups } from "./CatalogEntry.ts"
import type { Operation } from "./Operation.ts"

/** The name of an operation in the group, with the command and the route. */
export interface IndexedOperation extends Pick<Operation, "alsoAt" | "command"> {
  readonly name: string
  readonly method: HttpMethod
  readonly path: string
  /** See `Operation.rest`; absent for false. */
  readonly rest?: true | "optional"
}

/** The operations of each group, in the order of the contract. */
export const value: Readonly<Record<string, ReadonlyArray<IndexedOperation>>> = Object.fromEntries(
  groups.map((group) => [
    group,
    entriesOfGroup(group).map(({ endpoint: { method, path }, name, operation: { alsoAt, command, rest } }) => ({
      name,
      command,
      method,
      path,
      ...(rest === false ? {} : { rest }),
      ...(alsoAt === undefined ? {} : { alsoAt })
    }))
  ])
)
