/** A repository: what it is, what it is written in, how big, how old, and whether it can be searched. */
import type * as Explore from "@tongs/core/explore/Explore"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as Wire from "../../Wire.ts"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import { LanguageBar } from "./LanguageBar.tsx"

export const RepositoryCard = ({
  hues,
  indexed,
  isHere,
  now,
  repository
}: {
  readonly repository: Wire.Repository
  /** What the index has of it, where there is one. */
  readonly indexed: Explore.IndexedRepository | undefined
  /** The colours of languages. */
  readonly hues: ReadonlyMap<string, number>
  readonly isHere: boolean
  readonly now: number
}) => {
  const { archived, defaultBranch, description, language, owner, private: isPrivate, pushedAt, repo } = repository
  const languages = indexed?.languages ?? []
  const size = indexed === undefined || indexed.size === 0 ? repository.size : indexed.size
  const changed = indexed?.committedAt ?? pushedAt
  return (
    <li className="card">
      <h3>
        <Link to={{ _tag: "Tree", owner, repo, path: "" }} data-card="">
          <span className="dim">{displayText(owner)}/</span>
          {displayText(repo)}
        </Link>
        {isHere && <span className="tag accent">you are here</span>}
        {isPrivate && <span className="tag">private</span>}
        {archived && <span className="tag">archived</span>}
      </h3>
      {description !== null && description !== "" && <p>{displayText(description)}</p>}
      {languages.length > 0 && <LanguageBar languages={languages} hues={hues} />}
      <p className="facts">
        <span className="branch">{displayText(defaultBranch)}</span>
        {languages.length === 0 && language !== null && <span>{displayText(language)}</span>}
        {indexed !== undefined && indexed.files > 0 && <span>{NumberFormat.quantity(indexed.files, "file")}</span>}
        {size > 0 && <span>{NumberFormat.bytes(size)}</span>}
        {changed !== null && (
          <time dateTime={changed} title={changed}>
            {RelativeTime.format(Date.parse(changed), now)}
          </time>
        )}
      </p>
      {indexed !== undefined && <State indexed={indexed} />}
    </li>
  )
}

const State = ({ indexed }: { readonly indexed: Explore.IndexedRepository }) => {
  const { leftOut, owner, problem, progress, repo, state } = indexed
  return (
    <p className="state" data-state={state}>
      <span>
        {STATES[state]}
        {problem !== undefined && `: ${displayText(problem)}`}
      </span>
      {progress !== undefined && (
        <>
          <progress
            max={Math.max(1, progress.of)}
            value={progress.files}
            aria-label={`Index of ${displayText(repo)}`}
          />
          <span>
            {NumberFormat.format(progress.files)} of {NumberFormat.quantity(progress.of, "file")}
          </span>
        </>
      )}
      {leftOut > 0 && (
        <Link to={{ _tag: "LeftOut", owner, repo }} className="left-out">
          {NumberFormat.quantity(leftOut, "file")} left out
        </Link>
      )}
    </p>
  )
}

const STATES: Readonly<Record<Explore.IndexedRepository["state"], string>> = {
  waiting: "waits for the index",
  indexing: "being indexed",
  ready: "searchable",
  empty: "nothing to search yet",
  failed: "could not be indexed"
}
