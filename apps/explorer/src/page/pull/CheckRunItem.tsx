import { useState } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { RepositoryName } from "../../ExplorerApi.ts"
import type * as PullRequestApi from "../../PullRequestApi.ts"
import type { ViewOf } from "../issue/ForgeLinks.ts"
import { formatRemaining } from "../hooks/useNow.ts"
import { Moment } from "../issue/IssueParts.tsx"
import { MarkdownView } from "../markdown/MarkdownView.tsx"
import * as CheckResults from "../model/CheckResults.ts"
import { displayText } from "../model/displayText.ts"
import { AnnotationList } from "./AnnotationList.tsx"
import { CheckMark } from "./CheckMark.tsx"
import { DetailsLink } from "./DetailsLink.tsx"

/** A check run, with its report in a disclosure that is open for a failed run. */
export const CheckRunItem = ({
  commit,
  now,
  repository,
  run,
  viewOf
}: {
  readonly run: PullRequestApi.CheckRun
  readonly repository: RepositoryName
  readonly commit: string
  readonly now: number
  readonly viewOf: ViewOf
}) => {
  const { annotations, completedAt, conclusion, name, startedAt, status, summary, text, title, url } = run
  const result = CheckResults.ofRun(run)
  const [isOpen, setIsOpen] = useState(result === "failed")
  const texts = [summary, text].filter((text) => text !== null && text.trim() !== "")
  const hasReport = texts.length > 0 || annotations > 0
  const end = completedAt ?? startedAt
  const heading = title === null || title === "" ? undefined : <bdi>{displayText(title)}</bdi>
  return (
    <li>
      <div className="check-line">
        <CheckMark result={result} />
        <span className="check-name">
          <bdi>{displayText(name)}</bdi>
        </span>
        <span className="dim">
          {displayText(CheckResults.words(conclusion ?? status))}
          {completedAt !== null && startedAt !== null && (
            <> after {formatRemaining(Date.parse(completedAt), Date.parse(startedAt))}</>
          )}
          {end !== null && (
            <>
              {completedAt === null ? ", started " : ", "}
              <Moment at={end} now={now} />
            </>
          )}
        </span>
        <DetailsLink url={url} about={name} viewOf={viewOf} />
      </div>
      {!hasReport && heading !== undefined && <p className="check-title">{heading}</p>}
      {hasReport && (
        <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
          <summary>
            {heading ?? "Report"}
            {annotations > 0 && <span className="dim"> {NumberFormat.quantity(annotations, "annotation")}</span>}
          </summary>
          {isOpen && (
            <div className="check-report">
              {texts.map((text, index) => (
                <MarkdownView key={index} file={{ ...repository, path: "", ref: commit, commit }} text={text ?? ""} />
              ))}
              {annotations > 0 && <AnnotationList run={run.id} commit={commit} repository={repository} />}
            </div>
          )}
        </details>
      )}
    </li>
  )
}
