import { useMemo } from "react"
import type { RepositoryName } from "../../ExplorerApi.ts"
import { nodesOf } from "../markdown/MarkdownNodes.tsx"
import { sanitize } from "../markdown/Sanitizer.ts"
import { displayText } from "../model/displayText.ts"
import type { ViewOf } from "./ForgeLinks.ts"

/** Maximum UTF-16 units of HTML in one text. More would block the page. */
const MAX_HTML = 600_000

/** A Markdown text of the forge, whose HTML is checked like that of a document. */
export const IssueText = ({
  empty,
  html,
  repository: { owner, repo },
  source,
  viewOf
}: {
  readonly html: string
  readonly source: string
  /** The sentence in place of an empty text. */
  readonly empty: string
  /** Relative links and images are those of the default branch. */
  readonly repository: RepositoryName
  readonly viewOf: ViewOf
}) => {
  const isTooLong = html.length > MAX_HTML
  const nodes = useMemo(
    () =>
      isTooLong ? undefined : nodesOf(sanitize(html), { owner, repo, path: "", ref: "HEAD", commit: "HEAD", viewOf }),
    [html, isTooLong, owner, repo, viewOf]
  )
  if (html.trim() === "") return <p className="dim">{empty}</p>
  if (isTooLong)
    return (
      <pre className="plain-text" tabIndex={0}>
        {source.split("\n").map(displayText).join("\n")}
      </pre>
    )
  return <div className="markdown">{nodes}</div>
}
