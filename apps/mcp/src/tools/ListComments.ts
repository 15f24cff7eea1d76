/** The tool `list_comments`: comments on commits or in reviews, each framed with the author. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Forge } from "@tongs/core/client/Forge"
import type { CommitComment } from "@tongs/core/contract/groups/CommitComments"
import type { ReviewComment } from "@tongs/core/contract/groups/ReviewComments"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import type { Item } from "../answer/Answer.ts"
import { normalizePath, repositoryOf } from "../call/Call.ts"
import * as Listing from "../lists/Listing.ts"
import * as Tool from "../call/Tool.ts"
import * as ToolInput from "../call/ToolInput.ts"
import { estimateTokens, tokenPrefix } from "../text/TokenEstimate.ts"
import * as Times from "../text/Times.ts"
import * as ListScan from "../lists/ListScan.ts"

export const make = (): Tool.Tool =>
  Tool.make({
    name: "list_comments",
    description: "List comments on commits, or review comments on pull requests.",
    uses: ["commitComments.listForRepo", "reviewComments.listForRepo"],
    isList: true,
    input: Schema.Struct({
      repo: ToolInput.repo,
      kind: Schema.Literals(["commit", "review"]),
      path: Schema.optionalKey(Schema.String),
      limit: ToolInput.limit(Listing.MAX_LIMIT)
    }),
    run: Effect.fnUntraced(function* ({ kind, limit, path: given, repo: name }, call) {
      const { commitComments, reviewComments } = yield* Forge
      const { owner, repo } = yield* repositoryOf(name, call)
      const path = normalizePath(given)
      const isWanted = (of: string | null) => path === "" || of === path || of?.startsWith(`${path}/`) === true
      const list =
        kind === "commit"
          ? ListScan.source(
              (options) => commitComments.listForRepo({ owner, repo }, options),
              (comment) => (isWanted(comment.path) ? show(comment, commitPlace(comment), call.now) : undefined)
            )
          : ListScan.source(
              (options) => reviewComments.listForRepo({ owner, repo, sort: "created", direction: "desc" }, options),
              (comment) => (isWanted(comment.path) ? show(comment, reviewPlace(comment), call.now) : undefined)
            )
      const wanted = limit ?? DEFAULT_LIMIT
      const perPage = path === "" ? wanted : Listing.MAX_LIMIT
      const about = { source: { repo: `${owner}/${repo}`, path }, noun: "comments" }
      const { items, next, scanned } = yield* ListScan.read(call, [list], { limit: wanted, perPage, ...about })
      return {
        ...about,
        items,
        next,
        isLarge: limit !== undefined,
        notes: [
          ...(items.length === 0 && scanned > 0 ? [`None of ${scanned} comments read so far is in this path.`] : []),
          ...(items.some(({ text }) => text.endsWith(CUT)) ? [wholeComment(kind, name)] : [])
        ]
      }
    })
  })

const DEFAULT_LIMIT = 30

/** Maximum tokens of the text of a comment. */
const MAX_TOKENS = 150

const CUT = "… (cut)"

const wholeComment = (kind: "commit" | "review", repo: string | undefined): string =>
  `A whole comment: run_operation with ${JSON.stringify({
    operation: `${kind}Comments.get`,
    arguments: { ...(repo === undefined ? {} : { repo }), comment_id: "ID" }
  }).replace('"ID"', "ID")}`

const show = (comment: CommitComment | ReviewComment, place: string, now: number): Item => {
  const { author_association: association, body = "", created_at: created, id, updated_at: updated, user } = comment
  const prefix = estimateTokens(body, MAX_TOKENS) > MAX_TOKENS ? tokenPrefix(body, MAX_TOKENS) : body
  const login = user?.login ?? "a deleted account"
  const text = prefix.length < body.length ? `${prefix}${CUT}` : prefix
  return {
    data: { id, place, created, updated, author: login, association, body: text },
    text,
    author: { login, association },
    heading: [`comment ${id}`, place, Times.short(created, now), updated === created ? "" : "edited"]
      .filter((part) => part !== "")
      .join(", ")
  }
}

const commitPlace = ({ commit_id: commit, line, path }: CommitComment): string =>
  `${path === null ? "" : `${path}${line === null ? "" : `:${line}`} at `}${AbbreviatedId.of(commit)}`

const reviewPlace = (comment: ReviewComment): string => {
  const { commit_id: commit, in_reply_to_id: parent, original_line: original, path, pull_request_url: url } = comment
  const line = comment.line ?? original
  const start = comment.start_line ?? undefined
  const lines = line === undefined || line === null ? "" : `:${start === undefined ? "" : `${start}-`}${line}`
  const isOutdated = (comment.line === undefined || comment.line === null) && comment.subject_type !== "file"
  const pull = /\/pulls\/(\d{1,15})$/.exec(url)?.[1]
  return [
    `${path}${lines} at ${AbbreviatedId.of(commit)}`,
    isOutdated ? "outdated" : "",
    pull === undefined ? "" : `pull request ${pull}`,
    parent === undefined ? "" : `reply to ${parent}`
  ]
    .filter((part) => part !== "")
    .join(", ")
}
