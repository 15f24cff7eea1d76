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

type State = Pick<IssueApi.LinkedIssue, "state" | "stateReason">

const reasons: ReadonlyMap<string | null, string> = new Map([
  ["completed", " as completed"],
  ["not_planned", " as not planned"],
  ["duplicate", " as duplicate"]
])

/** The reason of a closed issue as the end of a sentence: ` as completed`. */
export const reasonText = (reason: string | null): string => reasons.get(reason) ?? ""

export const StateTag = ({ state, stateReason }: State) => (
  <span className="issue-state" data-state={kindOf({ state, stateReason })}>
    {state === "open" ? "Open" : `Closed${reasonText(stateReason)}`}
  </span>
)

/** The state of an issue in a list as a mark. */
export const StateMark = ({ state, stateReason }: State) => {
  const text = state === "open" ? "Open" : `Closed${reasonText(stateReason)}`
  return (
    <svg
      className="issue-mark"
      viewBox="0 0 16 16"
      role="img"
      aria-label={text}
      data-state={kindOf({ state, stateReason })}
    >
      <title>{text}</title>
      <circle cx="8" cy="8" r="6" />
      <path d={state === "open" ? "M8 8h.01" : stateReason === "not_planned" ? "M4.5 8h7" : "M5 8.2 7.2 10.4 11 6"} />
    </svg>
  )
}

const kindOf = ({ state, stateReason }: State): string =>
  state === "open" ? "open" : stateReason === "not_planned" || stateReason === "duplicate" ? "dropped" : "closed"

/** A link to another issue, with the repository if that is another one. */
export const IssueLink = ({
  from,
  issue: { number, owner, repo, title, ...state }
}: {
  readonly issue: IssueApi.LinkedIssue
  readonly from: RepositoryName
}) => (
  <Link className="issue-link" to={{ _tag: "Issue", owner, repo, number }}>
    <StateMark {...state} />
    <span>
      {displayText(title)}{" "}
      <span className="dim">
        {owner === from.owner && repo === from.repo ? "" : displayText(`${owner}/${repo}`)}#{number}
      </span>
    </span>
  </Link>
)
