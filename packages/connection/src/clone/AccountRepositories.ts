/** Lists the repositories of an organization or user, with the fewest requests. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Forge } from "@tongs/core/client/Forge"
import type { MinimalRepository } from "@tongs/core/contract/groups/Repository"
import { badSettings } from "../base/ConnectionError.ts"
import { type Choice, choose, isLogin, type Selection } from "./CloneTarget.ts"

/** Maximum number of repositories that are listed, against a server that sends pages without end. */
const MAX_REPOSITORIES = 20_000

/** The order by creation does not change while the pages are read. */
const order = { sort: "created", direction: "asc" } as const

const options = { perPage: 100, limit: MAX_REPOSITORIES, priority: "background" } as const

/**
 * Returns the account, the ids of its repositories, and the decision about each. Fails with `BadSettings` for a missing
 * account.
 */
export const list = Effect.fn("AccountRepositories.list")(function* (
  remote: { readonly forge: Forge["Service"]; readonly baseUrl: string },
  selection: Selection
) {
  const { baseUrl, forge } = remote
  if (!isLogin(selection.owner)) return yield* noAccount(selection.owner, baseUrl)
  const account = yield* forge.users
    .getByUsername({ username: selection.owner }, { priority: "background" })
    .pipe(Effect.catchTag("NotFound", () => noAccount(selection.owner, baseUrl)))
  const isUser = account.type !== "Organization"
  const listed = yield* Stream.runCollect(
    Stream.take(
      isUser ? yield* ofUser(forge, selection.owner) : ofOrganization(forge, selection.owner),
      MAX_REPOSITORIES
    )
  )
  const byId = new Map<number, MinimalRepository>(listed.map((repository) => [repository.id, repository]))
  const decided = [...byId.values()].map((repository) => ({
    name: repository.name,
    ...choose(repository, selection, baseUrl)
  }))
  return {
    account: { login: account.login.toLowerCase() === selection.owner.toLowerCase() ? account.login : selection.owner },
    ids: new Set(byId.keys()),
    choices: decided satisfies ReadonlyArray<Choice & { readonly name: string }>,
    isTruncated: listed.length >= MAX_REPOSITORIES
  }
})

const ofOrganization = (forge: Forge["Service"], org: string) =>
  forge.repositories.listForOrg({ org, ...order }, options).items

/** Lists the repositories of a user. Only the authenticated user's own list includes private repositories. */
const ofUser = Effect.fnUntraced(function* (forge: Forge["Service"], username: string) {
  const me = yield* Effect.option(forge.users.getAuthenticated({}, { priority: "background" }))
  return me._tag === "Some" && me.value.login.toLowerCase() === username.toLowerCase()
    ? forge.repositories.listForAuthenticatedUser({ affiliation: "owner", ...order }, options).items
    : forge.repositories.listForUser({ username, ...order }, options).items
})

const noAccount = (owner: string, baseUrl: string) =>
  Effect.fail(
    badSettings(
      `No organization or user ${JSON.stringify(owner)} on ${new URL(baseUrl).host}`,
      "Check the name, and the token's access to it"
    )
  )
