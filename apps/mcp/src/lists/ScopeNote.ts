/** Says that a list may be incomplete because the token lacks a scope: forges then leave out private items. */
import type { Client } from "@tongs/core/client/Client"
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import * as OAuthScopes from "@tongs/core/contract/OAuthScopes"

/** Returns the note for the list of an operation, if any. Call after reading the list. */
export const of = (entry: CatalogEntry, { grantedScopes }: Pick<Client, "grantedScopes">): ReadonlyArray<string> => {
  const scopes = OAuthScopes.hiddenBehind(entry, grantedScopes())
  return scopes.length === 0
    ? []
    : [`May be incomplete: the token lacks the scope ${scopes.join(" or ")}, so private items are left out.`]
}
