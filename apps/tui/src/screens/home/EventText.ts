/** Describes events in a few words, for example `pushed to main`. */
import type { Event } from "@tongs/core/contract/Events"
import * as Presentation from "@tongs/core/contract/Presentation"
import { shortRef } from "../../content/Route.ts"

/** Describes an event without its actor and repository. */
export const of = ({ payload, type }: Event): string => {
  const field = (...path: ReadonlyArray<string>): string => {
    const value = Presentation.valueAt(payload, path)
    return typeof value === "string" || typeof value === "number" ? String(value) : ""
  }
  const branch = shortRef(field("ref").replace(/^refs\/(heads|tags)\//, ""))
  const number = field("number") || field("issue", "number") || field("pull_request", "number")
  const numbered = (noun: string) => `${noun}${number === "" ? "" : ` #${number}`}`
  const action = field("action") || "changed"
  switch (type) {
    case "PushEvent":
      return `pushed to ${branch}`
    case "CreateEvent":
      return `created ${[field("ref_type"), branch].filter(Boolean).join(" ")}`
    case "DeleteEvent":
      return `deleted ${[field("ref_type"), branch].filter(Boolean).join(" ")}`
    case "ForkEvent":
      return `forked to ${field("forkee", "full_name")}`
    case "CommitCommentEvent":
      return `commented on ${shortRef(field("comment", "commit_id")) || "a commit"}`
    case "IssuesEvent":
      return `${action} ${numbered("issue")}`
    case "IssueCommentEvent":
      return `commented on ${numbered("issue")}`
    case "PullRequestEvent":
      return `${action} ${numbered("pull request")}`
    case "PullRequestReviewEvent":
      return `reviewed ${numbered("pull request")}`
    case "PullRequestReviewCommentEvent":
      return `commented on ${numbered("pull request")}`
    case "MemberEvent":
      return `${action} ${field("member", "login")}`
    case "ReleaseEvent":
      return `${action} release ${field("release", "tag_name")}`.trimEnd()
    case "WatchEvent":
      return "starred it"
    case "PublicEvent":
      return "made it public"
    case "GollumEvent":
      return "edited the wiki"
    default:
      return type === null
        ? "did something"
        : type
            .replace(/Event$/, "")
            .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
            .toLowerCase()
  }
}
