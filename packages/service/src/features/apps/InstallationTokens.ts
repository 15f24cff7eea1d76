/** Creates the tokens of installations, which are valid for an hour. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { InstallationRow } from "../../access/InstallationRows.ts"
import type { Role } from "../../access/Roles.ts"
import { TokenRows } from "../../access/TokenRows.ts"
import * as BotAccount from "../../accounts/BotAccount.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import * as RepositorySummaries from "../../api/RepositorySummaries.ts"
import type { Urls } from "../../api/Urls.ts"
import { timestamp } from "../../base/Time.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import * as TokenScope from "./TokenScope.ts"

/** Lifetime of a token, in milliseconds. */
const LIFETIME = 3_600_000

/** Returns the role of an installation on the repositories: only the permissions limit an installation. */
const roleOf = () => Effect.succeed<Role>("admin")

/** True if an installation includes a repository. */
export const includes = ({ account, repositories }: InstallationRow, { id, owner }: RepositoryRow) =>
  owner.id === account.id && repositories?.includes(id) !== false

/** Creates the function that creates a token with the permissions and repositories in a request body. */
export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const issued = yield* TokenRows
  const users = yield* UserRows

  return Effect.fnUntraced(function* (installation: InstallationRow, body: object, urls: Urls) {
    const reachable = (yield* registry.list).filter((row) => includes(installation, row))
    const { permissions, repositories } = yield* TokenScope.read(body, installation, reachable)
    const expiresAt = timestamp((yield* Clock.currentTimeMillis) + LIFETIME)
    const bot = yield* users.ensure(BotAccount.of(installation.app_slug))
    const token = yield* issued.add({
      kind: "installation",
      userId: bot.id,
      installationId: installation.id,
      expiresAt,
      ...(permissions === undefined ? {} : { permissions }),
      ...(repositories === undefined ? {} : { repositories: repositories.map(({ id }) => id) })
    })
    const summaries =
      repositories === undefined
        ? undefined
        : yield* RepositorySummaries.readSummaries(yield* registry.open(repositories), roleOf, urls)
    const described = summaries === undefined ? {} : { repositories: summaries.map(({ make }) => make()) }
    return {
      token: Redacted.value(token),
      expires_at: expiresAt,
      permissions: permissions ?? installation.permissions,
      repository_selection: repositories === undefined ? installation.selection : "selected",
      ...described
    }
  })
})
