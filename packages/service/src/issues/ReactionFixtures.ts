/** Reactions in fixtures: logins by content, `{ "+1": ["ada"] }`. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { reactionContents } from "@tongs/core/contract/groups/Issue"
import * as FixtureSection from "../api/FixtureSection.ts"

const logins = Schema.optionalKey(Schema.Array(Schema.String))

/** The member of a row with the reactions. */
export const member = Schema.optionalKey(Schema.Record(Schema.Literals(reactionContents), logins))

/** Returns the ids of the accounts by content. Fails for a login without an account, at a member of the row. */
export const idsOf = Effect.fnUntraced(function* (
  path: string,
  given: { readonly [content: string]: ReadonlyArray<string> | undefined } = {}
) {
  const found: Record<string, ReadonlyArray<number>> = {}
  for (const [content, names = []] of Object.entries(given)) {
    const users = yield* Effect.forEach(names, (login) => FixtureSection.user(`${path}.${content}`, login))
    found[content] = users.map(({ id }) => id)
  }
  return found
})
