import type { ReactNode } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { RepositoryName } from "../../ExplorerApi.ts"
import type * as IssueApi from "../../IssueApi.ts"
import { displayText } from "../model/displayText.ts"
import { Account, IssueLink, LabelTag } from "./IssueParts.tsx"

/** The labels, accounts and other issues of an issue or pull request. Leaves out what it does not have. */
export const IssueFacts = ({
  from,
  issue,
  reviewers = []
}: {
  readonly issue: IssueApi.Issue
  readonly from: RepositoryName
  /** The accounts and teams that were asked for a review. */
  readonly reviewers?: ReadonlyArray<string>
}) => {
  const { assignees, blockedBy, blocking, completedSubIssues, labels, milestone, parent, subIssues, type } = issue
  const facts: ReadonlyArray<readonly [title: string, content: ReactNode]> = [
    ["Reviewers", reviewers.length > 0 && reviewers.map((name) => <Account key={name} login={name} />)],
    ["Assignees", assignees.length > 0 && assignees.map((login) => <Account key={login} login={login} />)],
    ["Labels", labels.length > 0 && labels.map((label) => <LabelTag key={label.name} label={label} />)],
    ["Type", type !== null && <bdi>{displayText(type)}</bdi>],
    ["Milestone", milestone !== null && <bdi>{displayText(milestone)}</bdi>],
    ["Parent issue", parent !== null && <IssueLink issue={parent} from={from} />],
    [
      "Sub-issues",
      subIssues.total > 0 && (
        <RelatedList
          related={subIssues}
          from={from}
          note={`${NumberFormat.format(completedSubIssues)} of ${NumberFormat.format(subIssues.total)} closed`}
        />
      )
    ],
    ["Blocked by", blockedBy.total > 0 && <RelatedList related={blockedBy} from={from} />],
    ["Blocks", blocking.total > 0 && <RelatedList related={blocking} from={from} />]
  ]
  const present = facts.filter(([, content]) => content !== false)
  return (
    present.length > 0 && (
      <aside className="issue-facts" aria-label="Details">
        <dl>
          {present.map(([title, content]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{content}</dd>
            </div>
          ))}
        </dl>
      </aside>
    )
  )
}

const RelatedList = ({
  from,
  note,
  related: { issues, total }
}: {
  readonly related: IssueApi.Related
  readonly from: RepositoryName
  readonly note?: string
}) => {
  const rest = total - issues.length
  return (
    <>
      {note !== undefined && <p className="dim">{note}</p>}
      <ul>
        {issues.map((issue) => (
          <li key={`${issue.owner}/${issue.repo}#${issue.number}`}>
            <IssueLink issue={issue} from={from} />
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="dim">{NumberFormat.format(rest)} more are not listed here.</p>}
    </>
  )
}
