import type { ReactNode } from "react"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import type { RepositoryName } from "../../ExplorerApi.ts"
import type * as IssueApi from "../../IssueApi.ts"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import { Account, IssueLink, LabelTag, reasonText } from "./IssueParts.tsx"

/** The predicate of the sentence that describes an event. Its subject is the account. */
export const EventText = ({
  event,
  from
}: {
  readonly event: IssueApi.Event
  readonly from: RepositoryName
}): ReactNode => {
  const {
    actor = null,
    assignee = null,
    commit,
    label,
    milestone = "",
    previousType = "",
    reason,
    rename,
    review,
    reviewer,
    type = ""
  } = event
  const issue =
    event.issue === undefined || event.issue === null ? "another issue" : <IssueLink issue={event.issue} from={from} />
  const isSelf = actor !== null && assignee === actor
  switch (event.event) {
    case "assigned":
      return isSelf ? "self-assigned this" : <>assigned {<Account login={assignee} />}</>
    case "unassigned":
      return isSelf ? "removed their own assignment" : <>unassigned {<Account login={assignee} />}</>
    case "labeled":
      return label !== undefined && <>added the label {<LabelTag label={label} />}</>
    case "unlabeled":
      return label !== undefined && <>removed the label {<LabelTag label={label} />}</>
    case "milestoned":
      return `added this to the milestone ${displayText(milestone)}`
    case "demilestoned":
      return `removed this from the milestone ${displayText(milestone)}`
    case "renamed":
      return (
        <>
          changed the title from <del>{displayText(rename?.from ?? "")}</del> to{" "}
          <ins>{displayText(rename?.to ?? "")}</ins>
        </>
      )
    case "closed":
      return (
        <>
          closed this{reasonText(reason ?? null)}
          {commit !== undefined && (
            <>
              {" in commit "}
              <CommitLink commit={commit} />
            </>
          )}
        </>
      )
    case "merged":
      return commit === undefined ? "merged this" : <>merged this as commit {<CommitLink commit={commit} />}</>
    case "committed":
      return commit === undefined ? "A commit was added" : <>Commit {<CommitLink commit={commit} />} was added</>
    case "locked":
      return `locked the conversation${reason === undefined ? "" : ` as ${displayText(reason)}`}`
    case "referenced":
      return commit === undefined ? (
        "referred to this"
      ) : (
        <>referred to this in commit {<CommitLink commit={commit} />}</>
      )
    case "cross-referenced":
      return <>mentioned this in {issue}</>
    case "sub_issue_added":
      return <>added the sub-issue {issue}</>
    case "sub_issue_removed":
      return <>removed the sub-issue {issue}</>
    case "parent_issue_added":
      return <>made this a sub-issue of {issue}</>
    case "parent_issue_removed":
      return <>removed this from the sub-issues of {issue}</>
    case "blocked_by_added":
      return <>marked this as blocked by {issue}</>
    case "blocked_by_removed":
      return <>marked this as no longer blocked by {issue}</>
    case "blocking_added":
      return <>marked this as blocking {issue}</>
    case "blocking_removed":
      return <>marked this as no longer blocking {issue}</>
    case "review_requested":
      return reviewer === undefined ? "requested a review" : <>requested a review from {<Account login={reviewer} />}</>
    case "review_request_removed":
      return reviewer === undefined ? (
        "removed a request for a review"
      ) : (
        <>removed the request for a review from {<Account login={reviewer} />}</>
      )
    case "reviewed":
      return verdicts.get(review?.state ?? "") ?? "reviewed this"
    case "issue_type_added":
      return `set the type to ${displayText(type)}`
    case "issue_type_changed":
      return `changed the type from ${displayText(previousType)} to ${displayText(type)}`
    case "issue_type_removed":
      return `removed the type ${displayText(previousType)}`
    default:
      return sentences.get(event.event) ?? `recorded the event “${displayText(event.event)}”`
  }
}

/** The predicates of reviews by their states. */
const verdicts: ReadonlyMap<string, string> = new Map([
  ["approved", "approved this"],
  ["changes_requested", "requested changes"],
  ["dismissed", "reviewed this; the review was dismissed"]
])

/** The predicates of events without details. */
const sentences: ReadonlyMap<string, string> = new Map([
  ["auto_merge_disabled", "turned off the automatic merge"],
  ["auto_merge_enabled", "turned on the automatic merge"],
  ["automatic_base_change_succeeded", "changed the base branch, because the previous one was deleted"],
  ["base_ref_changed", "changed the base branch"],
  ["base_ref_force_pushed", "force-pushed the base branch"],
  ["convert_to_draft", "marked this as a draft"],
  ["head_ref_deleted", "deleted the branch"],
  ["head_ref_force_pushed", "force-pushed the branch"],
  ["head_ref_restored", "restored the branch"],
  ["marked_as_duplicate", "marked this as a duplicate"],
  ["mentioned", "was mentioned"],
  ["pinned", "pinned this"],
  ["ready_for_review", "marked this as ready for review"],
  ["reopened", "reopened this"],
  ["review_dismissed", "dismissed a review"],
  ["subscribed", "subscribed to this"],
  ["transferred", "transferred this from another repository"],
  ["unlocked", "unlocked the conversation"],
  ["unpinned", "unpinned this"]
])

const CommitLink = ({ commit: { id, owner, repo } }: { readonly commit: NonNullable<IssueApi.Event["commit"]> }) => (
  <Link to={{ _tag: "Commit", owner, repo, ref: id }}>
    <code>{AbbreviatedId.of(id)}</code>
  </Link>
)
