/** A credential whose tokens outlive the run: each is looked for where it is kept before another is made. */
import * as Effect from "effect/Effect"
import type { Token } from "@tongs/core/client/Credentials"
import * as Renewal from "@tongs/core/client/Renewal"
import type { Always } from "@tongs/core/contract/Failure"
import type { Slot, Stored } from "../Credentials.ts"
import type { Secret } from "./Secret.ts"

export interface Options {
  readonly identity: string
  /** What is known to be kept. */
  readonly first?: Secret
  /** Makes another, and keeps it (`Slot.renew`). */
  readonly make: (
    stored: Stored | undefined,
    keep: (secret: Secret) => Effect.Effect<void>
  ) => Effect.Effect<Secret, Always>
}

export const credential = (slot: Slot, { first, identity, make }: Options) => {
  let last: Token | undefined = first?.token
  const issue = Effect.suspend(() => slot.renew(last, make)).pipe(
    Effect.tap(({ token }) => Effect.sync(() => (last = token)))
  )
  return Renewal.make({ identity, issue, ...(first === undefined ? {} : { first }) })
}
