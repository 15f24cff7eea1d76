/** A credential whose tokens outlive the run: each is looked for where it is kept before another is made. */
import * as Effect from "effect/Effect"
import type { Token } from "@tongs/core/client/Credentials"
import * as TokenRefresher from "@tongs/core/client/TokenRefresher"
import type { Always } from "@tongs/core/contract/Failure"
import type { CredentialSlot, StoredTokenSet } from "./CredentialStore.ts"
import type { TokenSet } from "./TokenSet.ts"

export interface Options {
  readonly identity: string
  /** What is known to be kept. */
  readonly first?: TokenSet
  /** Makes another, and keeps it (`Slot.renew`). */
  readonly make: (
    stored: StoredTokenSet | undefined,
    keep: (secret: TokenSet) => Effect.Effect<void>
  ) => Effect.Effect<TokenSet, Always>
}

export const make = (slot: CredentialSlot, { first, identity, make }: Options) => {
  let last: Token | undefined = first?.token
  const issue = Effect.suspend(() => slot.renew(last, make)).pipe(
    Effect.tap(({ token }) => Effect.sync(() => (last = token)))
  )
  return TokenRefresher.make({ identity, issue, ...(first === undefined ? {} : { initial: first }) })
}
