/** Fixtures of projects. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { Field, ProjectRows } from "./ProjectRows.ts"

const { foldCase, identity } = FixtureSection

export const sections = () => [
  FixtureSection.make(
    "projects",
    Schema.Struct({
      owner: Schema.String,
      number: Schema.Int.check(Schema.isGreaterThan(0)),
      fields: Schema.optionalKey(Schema.Array(Field))
    }),
    ({ number, owner }) => [identity("number", foldCase(owner), number)],
    Effect.fnUntraced(function* ({ fields = [], number, owner }) {
      const account = yield* FixtureSection.user("owner", owner)
      yield* (yield* ProjectRows).ensure(account.id, number, fields)
    })
  )
]
