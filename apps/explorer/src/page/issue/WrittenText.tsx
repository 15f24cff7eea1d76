import type { RepositoryName } from "../../ExplorerApi.ts"
import type * as IssueApi from "../../IssueApi.ts"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import type * as Route from "../model/Route.ts"
import type { ViewOf } from "./ForgeLinks.ts"
import { Account, Moment } from "./IssueParts.tsx"
import { IssueText } from "./IssueText.tsx"
import { Reactions } from "./Reactions.tsx"

/** A text with its author, date and reactions: the description of an issue, or a comment. */
export const WrittenText = ({
  empty,
  now,
  repository,
  to,
  verb,
  viewOf,
  written: { association, author, createdAt, html, reactions, source }
}: {
  readonly written: Pick<IssueApi.Comment, "association" | "author" | "createdAt" | "html" | "reactions" | "source">
  readonly verb: string
  readonly empty: string
  /** The link of the date. */
  readonly to: Route.Issue | Route.Pull
  readonly repository: RepositoryName
  readonly now: number
  readonly viewOf: ViewOf
}) => (
  <article className="written">
    <header>
      <span>
        <Account login={author} /> {verb}{" "}
        <Link to={to} className="dim">
          <Moment at={createdAt} now={now} />
        </Link>
      </span>
      {association !== null && association !== "NONE" && <span className="tag">{nameOf(association)}</span>}
    </header>
    <div className="written-text">
      <IssueText html={html} source={source} empty={empty} repository={repository} viewOf={viewOf} />
      <Reactions reactions={reactions} />
    </div>
  </article>
)

/** An association in words: `FIRST_TIMER` is `first timer`. */
const nameOf = (association: string): string => displayText(association.toLowerCase().replaceAll("_", " "))
