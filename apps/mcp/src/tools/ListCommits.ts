/** The tool `list_commits`: commits, one line each. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Forge } from "@tongs/core/client/Forge"
import type { CommitSummary } from "@tongs/core/contract/Commits"
import type { Item } from "../answer/Answer.ts"
import { type Call, repositoryOf } from "../call/Call.ts"
import * as Listing from "../call/Listing.ts"
import * as Tool from "../call/Tool.ts"
import * as ToolInput from "../call/ToolInput.ts"
import * as Times from "../text/Times.ts"

/** Creates the tool. */
export const make = (): Tool.Tool =>
  Tool.make({
    name: "list_commits",
    description: "List commits, newest first. author is a login or e-mail address, since and until are ISO times.",
    uses: ["commits.list"],
    isList: true,
    input: Schema.Struct({
      repo: ToolInput.repo,
      ref: ToolInput.ref,
      path: Schema.optionalKey(Schema.String),
      author: Schema.optionalKey(Schema.String),
      since: Schema.optionalKey(Schema.String),
      until: Schema.optionalKey(Schema.String),
      limit: ToolInput.limit(Listing.MAX_LIMIT)
    }),
    run: Effect.fnUntraced(function* ({ limit, ref, repo, ...filters }, call) {
      const forge = yield* Forge
      const { owner, repo: name } = yield* repositoryOf(repo, call)
      const list = (options: Parameters<typeof forge.commits.list>[1]) =>
        forge.commits.list({ owner, repo: name, ...(ref === undefined ? {} : { sha: ref }), ...filters }, options)
      const page = yield* Listing.read(call, limit, list, (commit) => show(commit, call))
      return { source: { repo: `${owner}/${name}`, ref, path: filters.path }, noun: "commits", ...page }
    })
  })

const show = ({ author, commit, sha }: CommitSummary, { now }: Call): Item => {
  const [subject = ""] = commit.message.split("\n")
  const who = author?.login ?? commit.author?.name ?? "unknown"
  const date = commit.author?.date
  return {
    data: { sha, date, author: who, subject },
    text: [sha.slice(0, 9), Times.short(date, now), who, subject].filter((part) => part !== "").join(" ")
  }
}
