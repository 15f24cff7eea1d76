/** Fixtures of autolinks. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { AutolinkRows } from "../../issues/AutolinkRows.ts"
import * as AutolinkInput from "./AutolinkInput.ts"

const { foldCase, identity } = FixtureSection

/** Section `autolinks`. A prefix that the repository has already stays as it is. */
export const sections = () => [
  FixtureSection.make(
    "autolinks",
    Schema.Struct({
      repository: Schema.String,
      key_prefix: Schema.String,
      url_template: Schema.String,
      is_alphanumeric: Schema.optionalKey(Schema.Boolean)
    }),
    ({ key_prefix, repository }) => [identity("key_prefix", foldCase(repository), foldCase(key_prefix))],
    Effect.fnUntraced(function* ({ is_alphanumeric = true, key_prefix, repository, url_template }) {
      const { id } = yield* FixtureSection.repository("repository", repository)
      const [problem] = AutolinkInput.problems(key_prefix, url_template)
      if (problem !== undefined) return yield* FixtureSection.failAt(problem.field, problem.message)
      const row = { repository_id: id, key_prefix, url_template, is_alphanumeric: is_alphanumeric ? 1 : 0 }
      yield* (yield* AutolinkRows).add(row)
    })
  )
]
