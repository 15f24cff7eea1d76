/** The tool `list_commits`: commits, one line each, or the number of commits of each author. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Forge } from "@tongs/core/client/Forge"
import type { Answer } from "../answer/Answer.ts"
import { normalizePath, repositoryOf } from "../call/Call.ts"
import * as Listing from "../lists/Listing.ts"
import * as Tool from "../call/Tool.ts"
import * as ToolInput from "../call/ToolInput.ts"
import * as TimeArgument from "../call/TimeArgument.ts"
import * as CommitCounts from "../commits/CommitCounts.ts"
import * as CommitLines from "../commits/CommitLines.ts"
import * as RelativeRevision from "../commits/RelativeRevision.ts"

export const make = (): Tool.Tool =>
  Tool.make({
    name: "list_commits",
    description: "List commits, newest first. counts: instead the number of commits of each author.",
    uses: ["commits.list"],
    isList: true,
    input: Schema.Struct({
      repo: ToolInput.repo,
      ref: ToolInput.ref,
      path: Schema.optionalKey(Schema.String),
      author: Schema.optionalKey(Schema.String.annotate({ description: "Login or e-mail." })),
      since: Schema.optionalKey(Schema.String.annotate({ description: "2026-01-31, 7d or 2 weeks." })),
      until: Schema.optionalKey(Schema.String),
      counts: Schema.optionalKey(Schema.Boolean),
      limit: ToolInput.limit(CommitCounts.MAX_COUNTED)
    }),
    run: Effect.fnUntraced(function* ({ author, counts = false, limit, ref, repo, ...given }, call) {
      const forge = yield* Forge
      const { owner, repo: name } = yield* repositoryOf(repo, call)
      const path = normalizePath(given.path)
      const since = given.since === undefined ? undefined : yield* TimeArgument.parse("since", given.since, call.now)
      const until = given.until === undefined ? undefined : yield* TimeArgument.parse("until", given.until, call.now)
      const filters = {
        ...(ref === undefined ? {} : { sha: ref }),
        ...(path === "" ? {} : { path }),
        ...(author === undefined ? {} : { author }),
        ...(since === undefined ? {} : { since }),
        ...(until === undefined ? {} : { until })
      }
      const list = (options: Parameters<typeof forge.commits.list>[1]) =>
        forge.commits.list({ owner, repo: name, ...filters }, options)
      const source = { repo: `${owner}/${name}`, ref, path, author, since, until }
      const read = counts
        ? CommitCounts.read(call, limit ?? CommitCounts.MAX_COUNTED, list, source)
        : Listing.readWith(
            call,
            limit === undefined ? undefined : Math.min(limit, Listing.MAX_LIMIT),
            list,
            (commits) => CommitLines.items(commits, call.now)
          ).pipe(Effect.map((page): Answer => ({ source, noun: "commits", ...page })))
      return yield* read.pipe(
        Effect.map((answer) => withNotes(answer, filters)),
        Effect.catchTag("Conflict", () =>
          Effect.succeed<Answer>({ source, items: [], noun: "commits", notes: ["The repository has no commits."] })
        ),
        Effect.mapError(RelativeRevision.explain(ref === undefined ? [] : [ref]))
      )
    })
  })

/** Adds notes on the filters to an answer without items. */
const withNotes = (answer: Answer, filters: { readonly author?: string; readonly path?: string }): Answer =>
  answer.items.length > 0
    ? answer
    : {
        ...answer,
        notes: [
          ...(filters.author === undefined
            ? []
            : ["author is a login or an e-mail address, not a name; counts lists the authors."]),
          ...(filters.path === undefined
            ? []
            : ["No commit of this history changes the path. Commits before a rename are at the former path."])
        ]
      }
