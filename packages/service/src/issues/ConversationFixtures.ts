/** Comments in the fixtures of issues and pull requests. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as FixtureSection from "../api/FixtureSection.ts"
import { FixtureTimestamp } from "../api/FixtureTimestamp.ts"
import { timestamp } from "../base/Time.ts"
import * as ReactionFixtures from "./ReactionFixtures.ts"

export const Comment = Schema.Struct({
  user: Schema.String,
  body: Schema.String,
  created_at: Schema.optionalKey(FixtureTimestamp),
  reactions: ReactionFixtures.member
})

/** Returns the comments to import. Those without a time have `createdAt`. */
export const rowsOf = Effect.fnUntraced(function* (given: ReadonlyArray<typeof Comment.Type>, createdAt: string) {
  return yield* Effect.forEach(
    given,
    Effect.fnUntraced(function* ({ body, created_at = createdAt, reactions, user }, index) {
      const path = `comments[${index}]`
      const author = yield* FixtureSection.user(`${path}.user`, user)
      return {
        author,
        body,
        createdAt: timestamp(Date.parse(created_at)),
        reactions: yield* ReactionFixtures.idsOf(`${path}.reactions`, reactions)
      }
    })
  )
})
