import { Fragment, useEffect, useRef } from "react"
import type { ChangedFile, CommitHit, TextRange } from "@tongs/core/contract/groups/CodeSearch"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import { CopyButton } from "../components/CopyButton.tsx"
import { HighlightedText } from "../components/HighlightedText.tsx"
import { Link } from "../components/Link.tsx"
import { moveFocus } from "../hooks/moveFocus.ts"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { displayText } from "../model/displayText.ts"
import * as TextSegments from "../syntax/TextSegments.ts"
import * as MessageExcerpt from "./MessageExcerpt.ts"
import { LoadMoreButton } from "./LoadMoreButton.tsx"
import type { SearchState } from "./useSearch.ts"

/** The commits of a search with `type:commit` or `type:diff`, newest first. */
export const CommitList = ({
  commits,
  search
}: {
  readonly commits: ReadonlyArray<CommitHit>
  readonly search: SearchState
}) => {
  const list = useRef<HTMLOListElement>(null)
  // The number of commits before the last click on the button, whose place the next commit takes.
  const before = useRef<number>(undefined)
  useEffect(() => {
    if (before.current === undefined || commits.length <= before.current) return
    const link = list.current?.querySelectorAll<HTMLElement>("[data-commit]")[before.current]
    before.current = undefined
    link?.focus({ preventScroll: true })
  }, [commits.length])
  const last = commits.at(-1)
  return (
    <>
      <Keys />
      <ol ref={list} className="commit-results">
        {commits.map((commit) => (
          <li key={`${commit.owner}/${commit.repo} ${commit.sha}`} className="result commit">
            <Head commit={commit} />
            {commit.files.map((file) => (
              <Changes key={file.path} commit={commit} file={file} />
            ))}
          </li>
        ))}
      </ol>
      {search.loadMore === undefined &&
        !search.isStale &&
        search.results?.cursor !== undefined &&
        last !== undefined && (
          <p className="result-note dim">
            The list ends here. Add <code>before:{last.committer.date}</code> to the query to search older commits.
          </p>
        )}
      <LoadOlderButton search={search} onLoad={() => (before.current = commits.length)} />
    </>
  )
}

/** The button that continues a search of commits. */
export const LoadOlderButton = (props: { readonly search: SearchState; readonly onLoad?: () => void }) => (
  <LoadMoreButton {...props} label="Search older commits" activity="Searching older commits…" />
)

/** The keys of a list of commits. */
const Keys = () => {
  const step = (by: 1 | -1) => () => moveFocus(document.querySelector(".commit-results"), by, "[data-commit]")
  useKeyboardShortcuts({ j: step(1), k: step(-1), ArrowDown: step(1), ArrowUp: step(-1) })
  return null
}

const Head = ({ commit }: { readonly commit: CommitHit }) => {
  const { author, in_message: matches, message, owner, repo, sha } = commit
  const end = message.indexOf("\n")
  const subject = end === -1 ? message : message.slice(0, end)
  const bodyStart = message.length - message.slice(subject.length).trimStart().length
  const body = message.slice(bodyStart).trimEnd()
  const bodyMatches = TextSegments.clip(matches, bodyStart, message.length)
  return (
    <header>
      <h2>
        <Link to={{ _tag: "Commit", owner, repo, ref: sha }} state={{ isFromResults: true }} data-commit="">
          <HighlightedText text={subject} matches={TextSegments.clip(matches, 0, subject.length)} />
        </Link>
      </h2>
      <p className="dim">
        <code>{AbbreviatedId.of(sha)}</code> by {displayText(author.name)} on{" "}
        <time dateTime={author.date}>{author.date.slice(0, 10)}</time> in {displayText(`${owner}/${repo}`)}
      </p>
      <CopyButton text={sha} label="Copy id" />
      {bodyMatches.length > 0 && <Body text={body} matches={bodyMatches} />}
    </header>
  )
}

/** The lines of a message with matches, and the surrounding lines. */
const Body = ({ matches, text }: { readonly text: string; readonly matches: ReadonlyArray<TextRange> }) => {
  const { hidden, isCut, lines } = MessageExcerpt.make(text, matches)
  return (
    <>
      <pre className="message">
        {lines.map(({ isAfterGap, matches, number, text }, index) => (
          <Fragment key={number}>
            {index > 0 && "\n"}
            {isAfterGap && <span className="dim">{"…\n"}</span>}
            <HighlightedText text={text} matches={matches} />
          </Fragment>
        ))}
        {isCut && <span className="dim">{"\n…"}</span>}
      </pre>
      {hidden > 0 && (
        <p className="dim">
          {NumberFormat.quantity(hidden, "more matching line")}. Open the commit to see all of them.
        </p>
      )}
    </>
  )
}

const Changes = ({ commit, file }: { readonly commit: CommitHit; readonly file: ChangedFile }) => (
  <section>
    <h3>
      <Link to={{ _tag: "File", owner: commit.owner, repo: commit.repo, path: file.path, ref: commit.sha }}>
        {displayText(file.path)}
      </Link>
    </h3>
    {file.lines.length > 0 && (
      <div className="snippet">
        {file.lines.map(({ change, matches, number, text }) => (
          <div key={`${change} ${number}`} className="line" data-change={change}>
            <span className="number" data-line={number}>
              <span className="visually-hidden">{change === "added" ? "Added line" : "Removed line"}</span>
            </span>
            <code>
              <span className="sign" aria-hidden="true">
                {change === "added" ? "+ " : "− "}
              </span>
              <HighlightedText text={text} matches={matches} />
            </code>
          </div>
        ))}
      </div>
    )}
  </section>
)
