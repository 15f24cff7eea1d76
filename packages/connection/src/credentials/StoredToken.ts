import * as Effect from "effect/Effect"
import type { Token } from "@tongs/core/client/Credential"
import * as TokenRefresher from "@tongs/core/client/TokenRefresher"
import type { Always } from "@tongs/core/contract/Failure"
import type { CredentialSlot, StoredTokenSet } from "./CredentialStore.ts"
import type { TokenSet } from "./TokenSet.ts"

/** How a stored credential is identified and renewed. */
export interface Options {
  /** Names the credential, whichever token it currently has: budgets and cached responses belong to it. */
  readonly identity: string
  /** The stored tokens, if they were already read. */
  readonly first?: TokenSet
  /** Gets new tokens and stores them (`CredentialSlot.renew`). */
  readonly make: (
    stored: StoredTokenSet | undefined,
    store: (tokens: TokenSet) => Effect.Effect<void>
  ) => Effect.Effect<TokenSet, Always>
}

/** A credential with stored tokens: uses those that another process stored before it gets new ones. */
export const make = (slot: CredentialSlot, { first, identity, make }: Options) => {
  let last: Token | undefined = first?.token
  const issue = Effect.suspend(() => slot.renew(last, make)).pipe(
    Effect.tap(({ token }) => Effect.sync(() => (last = token)))
  )
  return TokenRefresher.make({ identity, issue, ...(first === undefined ? {} : { initial: first }) })
}
