/** Issues, comments and events of a conversation, as the page shows them. */
import { type Issue, reactionContents, type ReactionRollup } from "@tongs/core/contract/groups/Issue"
import type { TimelineItem } from "@tongs/core/contract/groups/IssueEvents"
import type * as IssueApi from "../IssueApi.ts"

/** The members that identify an issue. */
export const linked = ({
  draft,
  number,
  pull_request: pull,
  repository_url: url,
  state,
  state_reason: stateReason = null,
  title
}: Pick<
  Issue,
  "draft" | "number" | "pull_request" | "repository_url" | "state" | "state_reason" | "title"
>): IssueApi.LinkedIssue => {
  const [repo = "", owner = ""] = url.split("/").reverse()
  const merged_at = pull?.merged_at ?? null
  return {
    owner,
    repo,
    number,
    title,
    state,
    stateReason,
    pull: pull === undefined ? null : pullState({ draft, merged_at, state })
  }
}

/** The state of a pull request in one word. */
export const pullState = ({
  draft,
  merged_at: mergedAt,
  state
}: {
  readonly draft?: boolean | undefined
  readonly merged_at: unknown
  readonly state: string
}): IssueApi.PullState => {
  if (mergedAt !== null) return "merged"
  return state === "open" ? (draft === true ? "draft" : "open") : "closed"
}

/** The members that an issue and a comment have in common. */
export const written = (one: Written) => ({
  source: one.body ?? "",
  html: one.body_html ?? "",
  author: one.user?.login ?? null,
  association: one.author_association ?? null,
  createdAt: one.created_at,
  reactions: reactionsOf(one.reactions)
})

interface Written extends Pick<Issue, "author_association" | "body" | "body_html" | "reactions" | "user"> {
  readonly created_at: string
}

/** The reactions that somebody has given. */
export const reactionsOf = (counts: ReactionRollup | undefined): ReadonlyArray<IssueApi.Reaction> =>
  reactionContents.map((content) => ({ content, count: counts?.[content] ?? 0 })).filter(({ count }) => count > 0)

/** A comment or an event. */
export const item = (one: TimelineItem): IssueApi.Comment | IssueApi.Event => {
  const { event = "", id, submitted_at: submittedAt = "", created_at: createdAt = submittedAt } = one
  const { actor = one.user, user = actor ?? null } = one
  if (event === "commented" && id !== undefined)
    return { kind: "comment", id, ...written({ ...one, created_at: createdAt, user }) }
  const { assignee, label, milestone, rename } = one
  const reason = one.state_reason ?? one.lock_reason
  const commit = commitOf(one)
  const issue = issueOf(one)
  const reviewer = one.requested_reviewer?.login ?? one.requested_team?.name
  const type = one.issue_type?.name
  const previousType = one.prev_issue_type?.name
  return {
    kind: "event",
    event,
    createdAt,
    ...(actor === undefined ? {} : { actor: actor?.login ?? null }),
    ...(label === undefined ? {} : { label: { name: label.name ?? "", color: label.color, description: null } }),
    ...(assignee === undefined ? {} : { assignee: assignee?.login ?? null }),
    ...(milestone === undefined ? {} : { milestone: milestone.title }),
    ...(rename === undefined ? {} : { rename }),
    ...(typeof reason === "string" ? { reason } : {}),
    ...(commit === undefined ? {} : { commit }),
    ...(issue === undefined ? {} : { issue }),
    ...(type === undefined ? {} : { type }),
    ...(previousType === undefined ? {} : { previousType }),
    ...(reviewer === undefined ? {} : { reviewer }),
    ...(event === "reviewed"
      ? { review: { state: one.state ?? "", source: one.body ?? "", html: one.body_html ?? "" } }
      : {})
  }
}

/** The commit of an event, which can be in another repository than the issue. */
const commitOf = ({ commit_id: id, commit_url: url, event, html_url: page }: TimelineItem) => {
  if (event === "committed") return committed(page ?? "")
  const [, owner, repo] = /\/repos\/([^/]+)\/([^/]+)\/commits\/[^/]+$/.exec(url ?? "") ?? []
  return typeof id === "string" && owner !== undefined && repo !== undefined ? { owner, repo, id } : undefined
}

/** The commit that was added to a pull request, which only the page of the commit names. */
const committed = (page: string): IssueApi.Event["commit"] => {
  const [, owner, repo, id] = /\/([^/]+)\/([^/]+)\/commit\/([0-9a-f]{40,64})$/.exec(page) ?? []
  return owner === undefined || repo === undefined || id === undefined ? undefined : { owner, repo, id }
}

/** The other issue of an event. Null for an issue that no longer exists, undefined for an event without one. */
const issueOf = (one: TimelineItem): IssueApi.LinkedIssue | null | undefined => {
  if (one.source?.issue !== undefined) return linked(one.source.issue)
  const related = [one.sub_issue, one.parent_issue, one.blocked_by, one.blocking].find((issue) => issue !== undefined)
  if (related === undefined || related === null) return related
  return linked({ ...related, repository_url: related.repository.url })
}
