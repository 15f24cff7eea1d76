/** Fixtures of billed usage. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { FixtureDay } from "../../api/FixtureTimestamp.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { Usage, UsageRows } from "./UsageRows.ts"

/** Reports name a repository with the owner, which a row may omit. */
const ofOwner = (owner: string, { repositoryName }: Usage) =>
  repositoryName === undefined || repositoryName.includes("/") ? {} : { repositoryName: `${owner}/${repositoryName}` }

export const sections = () => [
  FixtureSection.make(
    "billing_usage",
    Schema.Struct({ organization: Schema.String, ...Usage.fields, date: FixtureDay }),
    FixtureSection.wholeRow,
    Effect.fnUntraced(function* ({ organization, ...usage }) {
      const { id, login } = yield* FixtureSection.organization("organization", organization)
      yield* (yield* UsageRows).add(id, { ...usage, ...ofOwner(login, usage) })
    })
  )
]
