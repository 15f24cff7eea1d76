/**
 * The names of the groups, which the client has from the start, and the kinds of the methods whose names do not show
 * the kind. The build evaluates this module and puts the value into the package (`rolldown.config.ts`).
 */
import * as CatalogEndpoint from "@tongs/core/client/CatalogEndpoint"
import type { MethodKind } from "@tongs/core/client/EndpointDescription"
import { kindByName } from "./MethodKinds.ts"

/**
 * The groups, separated by spaces, and the exceptions of `kindByName`: by the name of a method, or for one group, for
 * example `search.code`.
 */
export interface GroupNames {
  readonly groups: string
  readonly kinds: Readonly<Record<string, MethodKind>>
}

const { entriesOf, groups } = CatalogEndpoint.methods

const methods = groups.flatMap((group) => entriesOf(group).map(([name, kind]) => ({ group, name, kind })))

const exceptions = methods.flatMap(({ group, kind, name }) => {
  if (kind === kindByName(name)) return []
  const isOfAll = methods.every((other) => other.name !== name || other.kind === kind)
  return [[isOfAll ? name : `${group}.${name}`, kind] as const] // a pair
})

export const value: GroupNames = { groups: groups.join(" "), kinds: Object.fromEntries(exceptions) }
