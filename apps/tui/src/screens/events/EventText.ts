/** Describes events in a few words, for example `pushed 2 commits to main`. */
import type { Event } from "@tongs/core/contract/groups/Events"
import * as Presentation from "@tongs/core/contract/Presentation"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"

/** Returns a member of the payload as text; empty for a missing member. */
export const field = ({ payload }: Event, ...path: ReadonlyArray<string>): string => {
  const value = Presentation.valueAt(payload, path)
  return typeof value === "string" || typeof value === "number" ? String(value) : ""
}

/** Returns a member of the payload that is a list of objects; empty for a missing member. */
export const list = ({ payload }: Event, ...path: ReadonlyArray<string>) => {
  const value = Presentation.valueAt(payload, path)
  return Array.isArray(value) ? value.filter(Presentation.isRow) : []
}

/** Returns the branch or tag of an event without `refs/heads/` and `refs/tags/`. */
export const refOf = (event: Event): string => field(event, "ref").replace(/^refs\/(heads|tags)\//, "")

const reviewStates: Readonly<Record<string, string>> = {
  approved: "approved",
  changes_requested: "requested changes to",
  commented: "commented on",
  dismissed: "dismissed a review of"
}

/** Describes an event without its actor and repository. */
export const of = (event: Event): string => {
  const { payload, type } = event
  const get = (...path: ReadonlyArray<string>) => field(event, ...path)
  const ref = AbbreviatedId.of(refOf(event))
  const number = get("number") || get("issue", "number") || get("pull_request", "number") || get("discussion", "number")
  const numbered = (noun: string) => `${noun}${number === "" ? "" : ` #${number}`}`
  const action = (get("action") || "changed").replaceAll("_", " ")
  /** A comment is created, unless the payload names another action. */
  const commented = (target: string) =>
    action === "created" || get("action") === "" ? `commented on ${target}` : `${action} a comment on ${target}`
  switch (type) {
    case "PushEvent": {
      const commits = Number(get("size") || list(event, "commits").length)
      return `pushed ${commits > 0 ? `${NumberFormat.quantity(commits, "commit")} ` : ""}to ${ref}`
    }
    case "CreateEvent":
      return get("ref_type") === "repository" ? "created the repository" : `created ${get("ref_type")} ${ref}`.trimEnd()
    case "DeleteEvent":
      return `deleted ${[get("ref_type"), ref].filter(Boolean).join(" ")}`
    case "ForkEvent":
      return `forked to ${get("forkee", "full_name")}`
    case "CommitCommentEvent": {
      const commit = AbbreviatedId.of(get("comment", "commit_id"))
      return commented(commit === "" ? "a commit" : `commit ${commit}`)
    }
    case "IssuesEvent":
      return `${action} ${numbered("issue")}`
    case "IssueCommentEvent":
      return commented(numbered("issue"))
    case "PullRequestEvent": {
      const isMerged = action === "closed" && Presentation.valueAt(payload, ["pull_request", "merged"]) === true
      return `${isMerged ? "merged" : action} ${numbered("pull request")}`
    }
    case "PullRequestReviewEvent":
      return `${reviewStates[get("review", "state").toLowerCase()] ?? "reviewed"} ${numbered("pull request")}`
    case "PullRequestReviewCommentEvent":
      return commented(`a line of ${numbered("pull request")}`)
    case "DiscussionEvent":
      return `${action} ${numbered("discussion")}`
    case "MemberEvent":
      return `${action} ${get("member", "login")} as a collaborator`
    case "ReleaseEvent":
      return `${action} release ${get("release", "tag_name")}`.trimEnd()
    case "SponsorshipEvent":
      return `${action} a sponsorship`
    case "WatchEvent":
      return "starred it"
    case "PublicEvent":
      return "made it public"
    case "GollumEvent": {
      const [page] = list(event, "pages")
      const { action = "edited", title } = page ?? {}
      const pages = list(event, "pages").length
      if (pages > 1) return `changed ${pages} pages of the wiki`
      return typeof title === "string" && typeof action === "string"
        ? `${action} wiki page ${title}`
        : "edited the wiki"
    }
    default:
      return type === null
        ? "did something"
        : type
            .replace(/Event$/, "")
            .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
            .toLowerCase()
  }
}

/** Returns the subject of an event: a commit message, a title or a comment; empty without a subject. */
export const subjectOf = (event: Event): string => {
  const get = (...path: ReadonlyArray<string>) => field(event, ...path)
  const message = list(event, "commits").at(-1)?.["message"]
  return (
    get("comment", "body") ||
    get("review", "body") ||
    get("issue", "title") ||
    get("pull_request", "title") ||
    get("discussion", "title") ||
    get("release", "name") ||
    (typeof message === "string" ? message : "") ||
    (event.type === "CreateEvent" ? get("description") : "")
  )
}
