/** Small parts of issues: labels, accounts, times, states and links. */
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import type * as IssueApi from "../../IssueApi.ts"
import type { RepositoryName } from "../../ExplorerApi.ts"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import * as LabelColor from "../model/LabelColor.ts"

export const LabelTag = ({ label: { color, description, name } }: { readonly label: IssueApi.Label }) => (
  <span
    className="label"
    style={LabelColor.of(color)}
    title={description === null || description === "" ? undefined : displayText(description)}
  >
    {displayText(name)}
  </span>
)

/** The login of an account, `ghost` for a deleted one. */
export const Account = ({ login }: { readonly login: string | null }) =>
  login === null ? (
    <span className="account" title="The account was deleted.">
      ghost
    </span>
  ) : (
    <bdi className="account">{displayText(login)}</bdi>
  )

export const Moment = ({ at, now }: { readonly at: string; readonly now: number }) => (
  <time dateTime={at} title={at}>
    {RelativeTime.format(Date.parse(at), now)}
  </time>
)

type State = Pick<IssueApi.LinkedIssue, "pull" | "state" | "stateReason">

const reasons: ReadonlyMap<string | null, string> = new Map([
  ["completed", " as completed"],
  ["not_planned", " as not planned"],
  ["duplicate", " as duplicate"]
])

/** The reason of a closed issue as the end of a sentence: ` as completed`. */
export const reasonText = (reason: string | null): string => reasons.get(reason) ?? ""

export const StateTag = (state: State) => (
  <span className="issue-state" data-state={kindOf(state)}>
    {textOf(state)}
  </span>
)

/** The state of an issue or pull request in a list as a mark. */
export const StateMark = (state: State) => {
  const text = `${textOf(state)}${state.pull === null ? "" : " pull request"}`
  return (
    <svg
      className="issue-mark"
      viewBox="0 0 16 16"
      role="img"
      aria-label={text}
      data-state={kindOf(state)}
      data-pull={state.pull ?? undefined}
    >
      <title>{text}</title>
      {state.pull === null ? (
        <>
          <circle cx="8" cy="8" r="6" />
          <path d={state.state === "open" ? "M8 8h.01" : state.stateReason === "not_planned" ? "M4.5 8h7" : CHECK} />
        </>
      ) : (
        <>
          <circle cx="4" cy="3.5" r="1.6" />
          <circle cx="4" cy="12.5" r="1.6" />
          <circle cx="12" cy={state.pull === "merged" ? 8 : 12.5} r="1.6" />
          <path d={pullShapes[state.pull]} />
        </>
      )}
    </svg>
  )
}

const CHECK = "M5 8.2 7.2 10.4 11 6"

const pullShapes: Readonly<Record<IssueApi.PullState, string>> = {
  open: "M4 5.1v5.8M12 10.9V6.5c0-1.8-.9-3-2.7-3H8M10 1.5l-2 2 2 2",
  draft: "M4 5.1v5.8M12 9.5V8M12 5.5V4",
  merged: "M4 5.1v5.8M4.4 5C5 7 6.8 8 10.4 8",
  closed: "M4 5.1v5.8M12 10.9V7.5M10.2 2l3.4 3.4M13.6 2l-3.4 3.4"
}

const textOf = ({ pull, state, stateReason }: State): string => {
  if (pull !== null) return pullTexts[pull]
  return state === "open" ? "Open" : `Closed${reasonText(stateReason)}`
}

const pullTexts: Readonly<Record<IssueApi.PullState, string>> = {
  open: "Open",
  draft: "Draft",
  merged: "Merged",
  closed: "Closed"
}

/** The name of the color. */
const kindOf = ({ pull, state, stateReason }: State): string => {
  if (pull !== null) return pullKinds[pull]
  return state === "open" ? "open" : stateReason === "not_planned" || stateReason === "duplicate" ? "dropped" : "closed"
}

const pullKinds: Readonly<Record<IssueApi.PullState, string>> = {
  open: "open",
  draft: "dropped",
  merged: "closed",
  closed: "rejected"
}

export const LockTag = ({ locked, lockReason }: Pick<IssueApi.Issue, "locked" | "lockReason">) =>
  locked && <span className="tag">{lockReason === null ? "locked" : `locked as ${displayText(lockReason)}`}</span>

/** A link to another issue or pull request, with the repository if that is another one. */
export const IssueLink = ({
  from,
  issue: { number, owner, repo, title, ...state }
}: {
  readonly issue: IssueApi.LinkedIssue
  readonly from: RepositoryName
}) => (
  <Link className="issue-link" to={{ _tag: state.pull === null ? "Issue" : "Pull", owner, repo, number }}>
    <StateMark {...state} />
    <span>
      {displayText(title)}{" "}
      <span className="dim">
        {owner === from.owner && repo === from.repo ? "" : displayText(`${owner}/${repo}`)}#{number}
      </span>
    </span>
  </Link>
)
