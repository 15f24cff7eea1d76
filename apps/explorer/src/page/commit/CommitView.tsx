import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import type { CommitDetails } from "../../ComparisonApi.ts"
import type { RepositoryName } from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import * as ViewRequests from "../api/ViewRequests.ts"
import { CopyButton } from "../components/CopyButton.tsx"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Link } from "../components/Link.tsx"
import { Notice } from "../components/Notice.tsx"
import { Skeleton } from "../components/Skeleton.tsx"
import { DiffCrumbs } from "../compare/DiffCrumbs.tsx"
import { DiffPage } from "../compare/DiffPage.tsx"
import { useDeferredAnswer } from "../api/useDeferredAnswer.ts"
import { useNow } from "../hooks/useNow.ts"
import { displayText } from "../model/displayText.ts"
import type * as Route from "../model/Route.ts"
import { IssueLink } from "../issue/IssueParts.tsx"
import "../issue/issue.css"

/** A commit: message, author, parents and changes. */
export const CommitView = ({ route }: { readonly route: Route.Commit }) => {
  const { ignoreWhitespace, owner, path, ref, repo } = route
  const answer = useDeferredAnswer(ExplorerClient.useRequest(ExplorerClient.commit, ViewRequests.commit(route)))
  return (
    <div className="compare">
      <DiffCrumbs route={route} title={`Commit ${displayText(AbbreviatedId.of(ref))}`} />
      {answer._tag === "Loading" && <Skeleton rows={10} isSlow={answer.slow} activity="Loading the commit" />}
      {answer._tag === "Failed" && (
        <FailureNotice {...answer}>
          <p className="alternatives">
            <Link to={{ _tag: "Tree", owner, repo, path: "" }}>Open the repository</Link>
          </p>
        </FailureNotice>
      )}
      {answer._tag === "Ready" && (
        <>
          <Details commit={answer.value} route={route} />
          <DiffPage
            key={`${answer.value.sha} ${path} ${ignoreWhitespace}`}
            route={route}
            comparison={answer.value.comparison}
            empty={
              <Notice title="No changes">
                <p>
                  {answer.value.parents.length > 1
                    ? "This merge has the same files as its first parent."
                    : "This commit changes no files here."}
                </p>
              </Notice>
            }
          />
        </>
      )}
    </div>
  )
}

const Details = ({
  commit: { author, committer, message, parents, sha },
  route: { owner, repo }
}: {
  readonly commit: CommitDetails
  readonly route: Route.Commit
}) => {
  const now = useNow(false)
  const end = message.indexOf("\n")
  const subject = end === -1 ? message : message.slice(0, end)
  const body = end === -1 ? "" : message.slice(end).trim()
  const hasOtherCommitter = committer !== null && author !== null && committer.name !== author.name
  return (
    <section className="commit-details" aria-label="Commit">
      <h2>{displayText(subject)}</h2>
      {body !== "" && <pre className="message">{body.split("\n").map(displayText).join("\n")}</pre>}
      <p className="dim">
        {author !== null && (
          <>
            <bdi>{displayText(author.name)}</bdi>
            {author.date !== null && (
              <>
                {", "}
                <time dateTime={author.date} title={author.date}>
                  {RelativeTime.format(Date.parse(author.date), now)}
                </time>
              </>
            )}
          </>
        )}
        {hasOtherCommitter && (
          <>
            {" · committed by "}
            <bdi>{displayText(committer.name)}</bdi>
          </>
        )}
      </p>
      <p className="dim commit-links">
        <span>
          Commit <code>{AbbreviatedId.of(sha)}</code> <CopyButton text={sha} label="Copy id" />
        </span>
        <span>
          {parents.length === 0
            ? "First commit"
            : parents.length === 1
              ? "Parent "
              : "Parents (compared with the first) "}
          {parents.map((parent, index) => (
            <span key={parent}>
              {index > 0 && ", "}
              <Link to={{ _tag: "Commit", owner, repo, ref: parent }}>
                <code>{AbbreviatedId.of(parent)}</code>
              </Link>
            </span>
          ))}
        </span>
        <Link to={{ _tag: "Tree", owner, repo, path: "", ref: sha }}>Files at this commit</Link>
      </p>
      <PullRequests commit={sha} repository={{ owner, repo }} />
    </section>
  )
}

/** The pull requests of a commit. Nothing until they are loaded, and for a forge without them. */
const PullRequests = ({ commit, repository }: { readonly commit: string; readonly repository: RepositoryName }) => {
  const { owner, repo } = repository
  const answer = ExplorerClient.useRequest(ExplorerClient.commitPulls, { owner, repo, ref: commit })
  if (answer._tag !== "Ready" || answer.value.length === 0) return null
  return (
    <p className="commit-links">
      <span className="dim">{answer.value.length === 1 ? "Pull request" : "Pull requests"}</span>
      {answer.value.map((pull) => (
        <IssueLink key={pull.number} issue={pull} from={repository} />
      ))}
    </p>
  )
}
