import * as Effect from "effect/Effect"
import type { Token } from "@tongs/core/client/Credential"
import * as TokenRefresher from "@tongs/core/client/TokenRefresher"
import type { Always } from "@tongs/core/contract/Failure"
import type { TokenStorage, StoredTokenSet } from "./CredentialStore.ts"
import type { TokenSet } from "./TokenSet.ts"

/** Options of a credential with stored tokens. */
export interface Options {
  /**
   * Identifies the credential even after the token changes. Rate-limit budgets and cached responses belong to this
   * identity.
   */
  readonly identity: string
  /** The stored tokens, if already known to the caller. */
  readonly first?: TokenSet
  /** Gets and stores new tokens (`TokenStorage.renew`). */
  readonly make: (
    stored: StoredTokenSet | undefined,
    store: (tokens: TokenSet) => Effect.Effect<void>
  ) => Effect.Effect<TokenSet, Always>
}

/** Creates a credential with stored tokens. Before getting new tokens, uses tokens that another process stored. */
export const make = (slot: TokenStorage, { first, identity, make }: Options) => {
  let last: Token | undefined = first?.token
  const issue = Effect.suspend(() => slot.renew(last, make)).pipe(
    Effect.tap(({ token }) => Effect.sync(() => (last = token)))
  )
  return TokenRefresher.make({ identity, issue, ...(first === undefined ? {} : { initial: first }) })
}
