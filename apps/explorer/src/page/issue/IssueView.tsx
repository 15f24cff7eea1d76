import { useEffect, useMemo } from "react"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import type * as IssueApi from "../../IssueApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import * as ViewRequests from "../api/ViewRequests.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Link } from "../components/Link.tsx"
import { Skeleton } from "../components/Skeleton.tsx"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { useNow } from "../hooks/useNow.ts"
import { navigate } from "../hooks/useRoute.ts"
import { displayText } from "../model/displayText.ts"
import type * as Route from "../model/Route.ts"
import { ConversationList } from "./ConversationList.tsx"
import * as ForgeLinks from "./ForgeLinks.ts"
import { IssueCrumbs } from "./IssueCrumbs.tsx"
import { IssueFacts } from "./IssueFacts.tsx"
import { Account, LockTag, Moment, StateTag } from "./IssueParts.tsx"
import { useConversation } from "./useConversation.ts"
import { WrittenText } from "./WrittenText.tsx"
import "./issue.css"

/** An issue: description, details, comments and events. */
export const IssueView = ({
  connection,
  route
}: {
  readonly route: Route.Issue
  readonly connection: ExplorerApi.Connection
}) => {
  const { number, owner, repo } = route
  const answer = ExplorerClient.useRequest(ExplorerClient.issue, ViewRequests.issue(route))
  const conversation = useConversation(route, answer._tag === "Ready")
  useKeyboardShortcuts({ u: () => navigate({ _tag: "Issues", owner, repo }) })
  const isPull = answer._tag === "Ready" && answer.value.pull !== null
  useEffect(() => {
    if (isPull) navigate({ ...route, _tag: "Pull" }, { replace: true })
    // The route of the same issue changes only its comment.
  }, [isPull])
  const now = useNow(false)
  const isEmbedded = connection.kind === "embedded"
  const url = answer._tag === "Ready" ? answer.value.url : ""
  const viewOf = useMemo(() => ForgeLinks.make(url, isEmbedded), [isEmbedded, url])
  return (
    <div className="issue">
      <IssueCrumbs repository={route} list="Issues" current={answer._tag === "Ready" ? undefined : number} />
      {answer._tag === "Loading" && <Skeleton rows={4} isSlow={answer.slow} activity="Loading the issue" />}
      {answer._tag === "Failed" && (
        <FailureNotice {...answer}>
          <p className="alternatives">
            <Link to={{ _tag: "Issues", owner, repo }}>Open the list of issues</Link>
          </p>
        </FailureNotice>
      )}
      {answer._tag === "Ready" && (
        <>
          <h1 className="issue-title">
            <bdi>{displayText(answer.value.title)}</bdi> <span className="dim">#{answer.value.number}</span>
          </h1>
          <Status issue={answer.value} now={now} />
          <div className="issue-columns">
            <IssueFacts issue={answer.value} from={route} />
            <div className="issue-main">
              <WrittenText
                written={answer.value}
                verb="opened this"
                empty="No description provided."
                to={{ _tag: "Issue", owner, repo, number }}
                repository={route}
                now={now}
                viewOf={viewOf}
              />
              <ConversationList conversation={conversation} route={route} now={now} viewOf={viewOf} />
            </div>
          </div>
        </>
      )}
    </div>
  )
}

const Status = ({ issue, now }: { readonly issue: IssueApi.Issue; readonly now: number }) => {
  const { closedAt, closedBy, state } = issue
  return (
    <div className="issue-status">
      <StateTag {...issue} />
      <LockTag {...issue} />
      {state !== "open" && closedAt !== null && (
        <span className="dim">
          <Account login={closedBy} /> closed this <Moment at={closedAt} now={now} />
        </span>
      )}
    </div>
  )
}
