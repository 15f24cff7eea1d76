/**
 * The names of the methods by group. A list has the suffix `*`, a stream of events `~`. The build evaluates this module
 * and puts its value into the package (`rolldown.config.ts`).
 */
import * as CatalogEndpoint from "@tongs/core/client/CatalogEndpoint"

const suffixes = { call: "", list: "*", stream: "~" } as const // the types of the suffixes

export const value: Readonly<Record<string, string>> = Object.fromEntries(
  CatalogEndpoint.methods.groups.map((group) => [
    group,
    CatalogEndpoint.methods
      .entriesOf(group)
      .map(([name, kind]) => `${name}${suffixes[kind]}`)
      .join(" ")
  ])
)
