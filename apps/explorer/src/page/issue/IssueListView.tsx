import { useRef } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as IssueApi from "../../IssueApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import * as ViewRequests from "../api/ViewRequests.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Link } from "../components/Link.tsx"
import { Notice } from "../components/Notice.tsx"
import { Skeleton } from "../components/Skeleton.tsx"
import { moveFocus } from "../hooks/moveFocus.ts"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { useNow } from "../hooks/useNow.ts"
import { navigate, useScrollRestoration } from "../hooks/useRoute.ts"
import { displayText } from "../model/displayText.ts"
import * as Route from "../model/Route.ts"
import { IssueCrumbs } from "./IssueCrumbs.tsx"
import { Account, LabelTag, Moment, StateMark } from "./IssueParts.tsx"
import "./issue.css"

/** The open or closed issues or pull requests of a repository, the newest first. */
export const IssueListView = ({ route }: { readonly route: Route.Issues | Route.Pulls }) => {
  const { _tag, owner, page = 1, repo, state = "open" } = route
  const noun = _tag === "Issues" ? "issues" : "pull requests"
  const answer = ExplorerClient.useRequest(ExplorerClient.issues, ViewRequests.issues(route))
  useScrollRestoration(Route.href(route), answer._tag === "Ready")
  const list = useRef<HTMLUListElement>(null)
  const step = (by: 1 | -1) => () => moveFocus(list.current, by)
  const openRepository = () => navigate({ _tag: "Tree", owner, repo, path: "" })
  useKeyboardShortcuts({ j: step(1), k: step(-1), ArrowDown: step(1), ArrowUp: step(-1), u: openRepository })
  const now = useNow(false)
  return (
    <div className="issues">
      <IssueCrumbs repository={route} list={_tag} current="list" />
      {answer._tag === "Loading" && <Skeleton rows={6} isSlow={answer.slow} activity={`Loading the ${noun}`} />}
      {answer._tag === "Failed" && <FailureNotice {...answer} />}
      {answer._tag === "Ready" && (
        <>
          <nav className="issue-tabs" aria-label="State">
            <Link to={{ _tag, owner, repo }} aria-current={state === "open" ? "page" : undefined}>
              {NumberFormat.format(answer.value.open)} open
            </Link>
            <Link to={{ _tag, owner, repo, state: "closed" }} aria-current={state === "closed" ? "page" : undefined}>
              {NumberFormat.format(answer.value.closed)} closed
            </Link>
          </nav>
          {answer.value.issues.length === 0 ? (
            <Notice title={page > 1 ? "No such page" : `No ${state} ${noun}`}>
              <p>
                {page > 1
                  ? `The list has ${NumberFormat.quantity(answer.value.pages, "page")}.`
                  : `This repository has no ${state} ${noun}.`}
              </p>
            </Notice>
          ) : (
            <ul ref={list} className="issue-list">
              {answer.value.issues.map((issue) => (
                <Row key={issue.number} issue={issue} now={now} />
              ))}
            </ul>
          )}
          <Pages route={route} pages={answer.value.pages} />
          {answer.value.limit !== null && page === answer.value.pages && (
            <p className="dim">
              The forge lists only the newest {NumberFormat.format(answer.value.limit)} of{" "}
              {NumberFormat.format(state === "open" ? answer.value.open : answer.value.closed)}.{" "}
              <code>tongs {_tag.toLowerCase()} list</code> lists all.
            </p>
          )}
        </>
      )}
    </div>
  )
}

const Row = ({ issue, now }: { readonly issue: IssueApi.ListedIssue; readonly now: number }) => {
  const {
    assignees,
    author,
    closedAt,
    comments,
    createdAt,
    labels,
    milestone,
    number,
    owner,
    pull,
    repo,
    title,
    type
  } = issue
  return (
    <li>
      <StateMark {...issue} />
      <div>
        <p>
          <Link to={{ _tag: pull === null ? "Issue" : "Pull", owner, repo, number }}>
            <bdi>{displayText(title)}</bdi>
          </Link>{" "}
          {labels.map((label) => (
            <LabelTag key={label.name} label={label} />
          ))}
        </p>
        <p className="metadata">
          <span>#{number}</span>
          <span>
            <Account login={author} /> opened <Moment at={createdAt} now={now} />
          </span>
          {closedAt !== null && (
            <span>
              {pull === "merged" ? "merged" : "closed"} <Moment at={closedAt} now={now} />
            </span>
          )}
          {type !== null && <bdi>{displayText(type)}</bdi>}
          {milestone !== null && <bdi>{displayText(milestone)}</bdi>}
          {assignees.length > 0 && (
            <span>
              assigned to{" "}
              {assignees.map((login, index) => (
                <span key={login}>
                  {index > 0 && ", "}
                  <Account login={login} />
                </span>
              ))}
            </span>
          )}
          {comments > 0 && <span>{NumberFormat.quantity(comments, "comment")}</span>}
        </p>
      </div>
    </li>
  )
}

const Pages = ({ pages, route }: { readonly route: Route.Issues | Route.Pulls; readonly pages: number }) => {
  const { _tag, owner, page = 1, repo, state } = route
  if (pages === 1) return null
  const to = (page: number): Route.Issues | Route.Pulls => ({
    _tag,
    owner,
    repo,
    ...(state === undefined ? {} : { state }),
    ...(page === 1 ? {} : { page })
  })
  return (
    <nav className="issue-pages" aria-label="Pages">
      {page > 1 && <Link to={to(Math.min(page - 1, pages))}>Newer</Link>}
      <span className="dim">
        Page {NumberFormat.format(page)} of {NumberFormat.format(pages)}
      </span>
      {page < pages && <Link to={to(page + 1)}>Older</Link>}
    </nav>
  )
}
