import { lazy, Suspense, useMemo, useRef } from "react"
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
import { BasicExamples, Examples } from "./Examples.tsx"
import { IndexProgress } from "./IndexProgress.tsx"
import { languageHues } from "./LanguageBar.tsx"
import { RecentCommits } from "./RecentCommits.tsx"
import { RepositoryTable } from "./RepositoryTable.tsx"
import { RepositoryCard } from "./RepositoryCard.tsx"

/** Maximum number of repositories as cards. More repositories are a compact list. */
const MAX_CARDS = 8

// Loaded after the first paint.
const SavedSearchList = lazy(async () => ({ default: (await import("../saved/SavedSearchList.tsx")).SavedSearchList }))

/** The start page: examples, saved searches, repositories and recent commits. */
export const Home = ({ connection }: { readonly connection: ExplorerApi.Connection }) => {
  const { capabilities, here, notices } = connection
  const answer = ExplorerClient.useRequest(ExplorerClient.repositories, {})
  const index = useIndexStatus(capabilities.index)
  const list = useRef<HTMLElement>(null)
  const step = (by: 1 | -1) => () => moveFocus(list.current, by, "[data-card]")
  useKeyboardShortcuts({ j: step(1), k: step(-1), ArrowDown: step(1), ArrowUp: step(-1) })
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
            Press <kbd>?</kbd> for all shortcuts.
          </span>
        </p>
        {capabilities.index ? (
          <Examples repositories={repositories} index={index} />
        ) : (
          <BasicExamples repositories={repositories} />
        )}
        {capabilities.index ? (
          <Suspense>
            <SavedSearchList />
          </Suspense>
        ) : (
          <SavedSearches />
        )}
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
        <p>This account has no access to a repository. A search can still find public code.</p>
        <p>
          Start <code>tongs explore</code> in a git repository, or pass a folder of repositories with{" "}
          <code>--repos</code>.
        </p>
      </Notice>
    )
  }
  return (
    <>
      {repositories.length > MAX_CARDS ? (
        <RepositoryTable repositories={repositories} index={index} here={here} hues={hues} />
      ) : (
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
      )}
      {more && (
        <p className="dim">
          Not all are listed. Search any of them with <code>repo:owner/name</code>.
        </p>
      )}
    </>
  )
}

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

/** The repositories, first the one in which the explorer was started. */
const currentFirst = (repositories: ReadonlyArray<ExplorerApi.Repository>, here: ExplorerApi.RepositoryName | null) =>
  here === null ? repositories : repositories.toSorted((a, b) => Number(isSame(b, here)) - Number(isSame(a, here)))
