import { useMemo, useRef } from "react"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Link } from "../components/Link.tsx"
import { moveFocus } from "../hooks/moveFocus.ts"
import { Notice } from "../components/Notice.tsx"
import { setSavedSearch, useSearchHistory } from "../hooks/useSearchHistory.ts"
import { displayText } from "../model/displayText.ts"
import { Skeleton } from "../components/Skeleton.tsx"
import { useIndexStatus } from "../api/useIndexStatus.ts"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { useNow } from "../hooks/useNow.ts"
import { useScrollRestoration } from "../hooks/useRoute.ts"
import { IndexProgress } from "./IndexProgress.tsx"
import { languageHues } from "./LanguageBar.tsx"
import { RecentCommits } from "./RecentCommits.tsx"
import { RepositoryCard } from "./RepositoryCard.tsx"

/** The start page: examples, saved searches, repositories and recent commits. */
export const Home = ({ connection }: { readonly connection: ExplorerApi.Connection }) => {
  const { capabilities, here, notices } = connection
  const answer = ExplorerClient.useRequest(ExplorerClient.repositories, {})
  const index = useIndexStatus(capabilities.index)
  const list = useRef<HTMLElement>(null)
  const step = (by: 1 | -1) => () => moveFocus(list.current, by, "[data-card]")
  useKeyboardShortcuts({ j: step(1), k: step(-1) })
  useScrollRestoration("home", answer._tag === "Ready")
  const repositories = answer._tag === "Ready" ? currentFirst(answer.value.repositories, here) : []
  return (
    <div className="home">
      {notices.map((notice) => (
        <p key={notice} className="banner">
          {displayText(notice)}
        </p>
      ))}
      <section className="intro">
        <h1>Search the code</h1>
        <p className="lead">
          {capabilities.index
            ? "Results appear as you type."
            : "Press Enter to search. Each search counts against the rate limit."}{" "}
          <span className="keyboard-hint">
            Press <kbd>/</kbd> to focus the search box, <kbd>?</kbd> for all shortcuts.
          </span>
        </p>
        <Examples here={here} hasIndex={capabilities.index} />
        <SavedSearches />
      </section>
      {index !== undefined && <IndexProgress repositories={index} />}
      <div className="columns">
        <section ref={list} aria-labelledby="repositories">
          <h2 id="repositories">Repositories</h2>
          {answer._tag === "Loading" && <Skeleton rows={3} isSlow={answer.slow} activity="Loading the repositories" />}
          {answer._tag === "Failed" && <FailureNotice {...answer} />}
          {answer._tag === "Ready" && (
            <RepositoryList repositories={repositories} more={answer.value.more} here={here} index={index} />
          )}
        </section>
        {repositories.length > 0 && <RecentCommits repositories={repositories} />}
      </div>
    </div>
  )
}

const RepositoryList = ({
  here,
  index,
  more,
  repositories
}: ExplorerApi.Repositories & {
  readonly here: ExplorerApi.RepositoryName | null
  readonly index: ReturnType<typeof useIndexStatus>
}) => {
  const now = useNow(false)
  const hues = useMemo(() => languageHues(index ?? []), [index])
  if (repositories.length === 0) {
    return (
      <Notice title="No repositories yet">
        <p>This account has access to none. Search can still find public code.</p>
        <p>
          Start <code>tongs explore</code> in a git repository, or pass a folder of repositories with{" "}
          <code>--repos</code>.
        </p>
      </Notice>
    )
  }
  return (
    <>
      <ul className="cards">
        {repositories.map((repository) => (
          <RepositoryCard
            key={`${repository.owner}/${repository.repo}`}
            repository={repository}
            indexed={index?.find((one) => isSame(one, repository))}
            hues={hues}
            isHere={here !== null && isSame(here, repository)}
            now={now}
          />
        ))}
      </ul>
      {more && (
        <p className="dim">
          Not all are listed. Search any of them with <code>repo:owner/name</code>.
        </p>
      )}
    </>
  )
}

const Examples = ({
  hasIndex,
  here
}: {
  readonly here: ExplorerApi.RepositoryName | null
  readonly hasIndex: boolean
}) => (
  <ul className="examples" aria-label="Examples">
    {(hasIndex ? INDEX_EXAMPLES : EXAMPLES).map(([q, meaning]) => (
      <li key={q}>
        <Link to={{ _tag: "Search", q }}>
          <code>{q}</code>
        </Link>
        <span>{meaning}</span>
      </li>
    ))}
    {here !== null && (
      <li>
        <Link to={{ _tag: "Search", q: `import repo:${here.owner}/${here.repo}` }}>
          <code>import repo:{displayText(`${here.owner}/${here.repo}`)}</code>
        </Link>
        <span>in one repository</span>
      </li>
    )}
  </ul>
)

const EXAMPLES: ReadonlyArray<readonly [q: string, meaning: string]> = [
  ["parse language:typescript", "a word, in one language"],
  ['"not found"', "an exact phrase"],
  ["error path:src NOT warning", "in a folder, without another word"],
  ["readme in:path", "in file names"]
]

const INDEX_EXAMPLES: ReadonlyArray<readonly [q: string, meaning: string]> = [
  ["symbol:parse", "definitions of a name"],
  ['"not found" language:typescript', "an exact phrase, in one language"],
  ["/retry(After|Later)/", "a regular expression"],
  ["error path:src -warning", "in a folder, without another word"]
]

const SavedSearches = () => {
  const { saved } = useSearchHistory()
  if (saved.length === 0) return null
  return (
    <>
      <h2>Saved searches</h2>
      <ul className="saved-searches">
        {saved.map((q) => (
          <li key={q}>
            <Link to={{ _tag: "Search", q }}>
              <span className="star" aria-hidden="true">
                ★
              </span>
              <code>{displayText(q)}</code>
            </Link>
            <button
              type="button"
              className="plain"
              aria-label={`Remove ${displayText(q)}`}
              onClick={() => setSavedSearch(q, false)}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

const isSame = (a: ExplorerApi.RepositoryName, b: ExplorerApi.RepositoryName): boolean =>
  a.owner === b.owner && a.repo === b.repo

/** The repositories with the one that the explorer was started in first. */
const currentFirst = (repositories: ReadonlyArray<ExplorerApi.Repository>, here: ExplorerApi.RepositoryName | null) =>
  here === null ? repositories : repositories.toSorted((a, b) => Number(isSame(b, here)) - Number(isSame(a, here)))
