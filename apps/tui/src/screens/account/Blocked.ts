/** Whether the signed-in user blocks an account. */
import * as Effect from "effect/Effect"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { Notice } from "../../content/Content.ts"
import * as Source from "../../content/Source.ts"
import { type Screen, text } from "../Screen.ts"

const notice = (username: string, isBlocked: boolean): Notice => ({
  _tag: "Notice",
  id: username,
  title: isBlocked ? `You block ${username}` : `You do not block ${username}`,
  hint: isBlocked ? "D unblocks the account" : "c blocks the account"
})

/** The screen of `blocks.checkBlocked`. The forge responds with 404 for an account that is not blocked. */
export const screen: Screen = {
  id: "blocks.checkBlocked",
  label: "blocked?",
  get entry() {
    return entriesOfGroup("blocks").find(({ name }) => name === "checkBlocked")
  },
  required: ["username"],
  title: () => "blocked?",
  open: (environment, values) => {
    const username = text(values, "username")
    return Source.fromEffect(
      environment,
      (forge, { staleFor: _staleFor, ...options }) =>
        forge.blocks.checkBlocked({ username }, options).pipe(
          Effect.as(true),
          Effect.catchTag("NotFound", () => Effect.succeed(false))
        ),
      (isBlocked) => notice(username, isBlocked),
      () => 0
    )
  }
}
