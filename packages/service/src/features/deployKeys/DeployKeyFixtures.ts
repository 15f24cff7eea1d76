/** Fixtures of deploy keys. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import * as SshKey from "../../verification/SshKey.ts"
import { DeployKeyRows } from "./DeployKeyRows.ts"

/** Section `deploy_keys`. */
export const sections = () => [
  FixtureSection.make(
    "deploy_keys",
    Schema.Struct({
      repository: Schema.String,
      user: Schema.String,
      title: Schema.optionalKey(Schema.String),
      key: Schema.String,
      read_only: Schema.optionalKey(Schema.Boolean),
      created_at: Schema.optionalKey(FixtureTimestamp)
    }),
    ({ key }) => [FixtureSection.identity("key", Result.getOrUndefined(SshKey.parse(key))?.fingerprint)],
    Effect.fnUntraced(function* ({ created_at: createdAt, key, read_only: readOnly = false, repository, title, user }) {
      const { id: repositoryId } = yield* FixtureSection.repository("repository", repository)
      const { id: userId } = yield* FixtureSection.user("user", user)
      const parsed = SshKey.parse(key)
      if (Result.isFailure(parsed)) return yield* FixtureSection.failAt("key", parsed.failure)
      const rows = yield* DeployKeyRows
      const existing = yield* rows.byFingerprint(parsed.success.fingerprint)
      if (existing?.repository_id === repositoryId) return
      yield* rows
        .add({ repositoryId, userId, title: title ?? parsed.success.comment, key: parsed.success, readOnly, createdAt })
        .pipe(Effect.catch(() => FixtureSection.failAt("key", "already in use")))
    })
  )
]
