/**
 * The methods of each group, with the kind of each. The build evaluates this module and puts the value into the
 * package.
 */
import * as CatalogEndpoint from "../CatalogEndpoint.ts"
import type { MethodKind } from "../EndpointDescription.ts"

export const value: Readonly<Record<string, Readonly<Record<string, MethodKind>>>> = Object.fromEntries(
  CatalogEndpoint.methods.groups.map((group) => [
    group,
    Object.fromEntries(CatalogEndpoint.methods.entriesOf(group).map(([name, kind]) => [name, kind]))
  ])
)
