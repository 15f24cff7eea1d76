/** The tool `list_repositories`: repositories of the caller, a user or an organization. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Forge } from "@tongs/core/client/Forge"
import type { MinimalRepository } from "@tongs/core/contract/groups/Repository"
import type { Item } from "../answer/Answer.ts"
import * as Listing from "../lists/Listing.ts"
import * as ScopeNote from "../lists/ScopeNote.ts"
import * as Tool from "../call/Tool.ts"
import * as ToolInput from "../call/ToolInput.ts"
import * as Times from "../text/Times.ts"
import * as Truncation from "../text/Truncation.ts"

export const make = (): Tool.Tool =>
  Tool.make({
    name: "list_repositories",
    description: "List the repositories that you can reach, or those of a user or organization.",
    uses: [
      "repositories.listForAuthenticatedUser",
      "repositories.listForOrg",
      "repositories.listForUser",
      "users.getByUsername"
    ],
    isList: true,
    input: Schema.Struct({ owner: Schema.optionalKey(Schema.String), limit: ToolInput.limit(Listing.MAX_LIMIT) }),
    run: Effect.fnUntraced(function* ({ limit, owner }, call) {
      const forge = yield* Forge
      const { repositories, users } = forge
      // Names do not change the order while an agent reads the list, as times would.
      const order = { sort: "full_name", direction: "asc" } as const // literal types
      const show = (repository: MinimalRepository) => showRepository(repository, call.now)
      if (owner === undefined) {
        const page = yield* Listing.read(
          call,
          limit,
          (options) => repositories.listForAuthenticatedUser(order, options),
          show
        )
        const entry = Tool.entryOf("repositories.listForAuthenticatedUser")
        const notes = [...(page.notes ?? []), ...ScopeNote.of(entry, forge)]
        return { source: {}, noun: "repositories", ...page, notes }
      }
      const { login, type } = yield* users.getByUsername({ username: owner }, { deadline: call.deadline })
      const isOrganization = type === "Organization"
      const page = yield* Listing.read(
        call,
        limit,
        (options) =>
          isOrganization
            ? repositories.listForOrg({ org: login, ...order }, options)
            : repositories.listForUser({ username: login, ...order }, options),
        show
      )
      return {
        source: { owner: login },
        noun: "repositories",
        ...page,
        notes: [
          ...(page.notes ?? []),
          ...(isOrganization
            ? ScopeNote.of(Tool.entryOf("repositories.listForOrg"), forge)
            : ["Only public repositories of the user. Without owner: all that you can reach."])
        ]
      }
    })
  })

/** Maximum number of characters of a description. */
const MAX_DESCRIPTION = 120

const showRepository = (repository: MinimalRepository, now: number): Item => {
  const { archived, default_branch: branch, full_name: name, private: isPrivate, updated_at: updated } = repository
  const visibility = repository.visibility ?? (isPrivate ? "private" : "public")
  const description = (repository.description ?? "").replaceAll(/\s+/g, " ").trim()
  const short = Truncation.shorten(description, MAX_DESCRIPTION)
  const parts = [branch, visibility, archived === true ? "archived" : "", repository.fork ? "fork" : ""]
  return {
    data: { name, default_branch: branch, visibility, archived, fork: repository.fork, updated, description },
    text: `${name} ${parts.filter((part) => part !== undefined && part !== "").join(" ")}, updated ${Times.short(updated, now)}${short === "" ? "" : `: ${short}`}`
  }
}
