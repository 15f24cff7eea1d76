import type { IndexedRepository } from "@tongs/core/contract/groups/CodeIndex"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import { LanguageBar } from "./LanguageBar.tsx"

/** A repository with languages, size, latest commit and index status. */
export const RepositoryCard = ({
  hues,
  indexed,
  isHere,
  now,
  repository
}: {
  readonly repository: ExplorerApi.Repository
  /** The state of the index, if the forge has one. */
  readonly indexed: IndexedRepository | undefined
  /** The colour index of each language. */
  readonly hues: ReadonlyMap<string, number>
  /** Whether the explorer was started in this repository. */
  readonly isHere: boolean
  readonly now: number
}) => {
  const { archived, defaultBranch, description, language, owner, private: isPrivate, pushedAt, repo } = repository
  const languages = indexed?.languages ?? []
  const size = indexed === undefined || indexed.size === 0 ? repository.size : indexed.size
  const changed = indexed?.committed_at ?? pushedAt
  return (
    <li className="card">
      <h3>
        <Link to={{ _tag: "Tree", owner, repo, path: "" }} data-card="">
          <span className="dim">{displayText(owner)}/</span>
          {displayText(repo)}
        </Link>
        {isHere && <span className="tag accent">current repository</span>}
        {isPrivate && <span className="tag">private</span>}
        {archived && <span className="tag">archived</span>}
      </h3>
      {description !== null && description !== "" && <p>{displayText(description)}</p>}
      {languages.length > 0 && <LanguageBar languages={languages} hues={hues} />}
      <p className="metadata">
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
      {indexed !== undefined && <IndexState indexed={indexed} />}
    </li>
  )
}

const IndexState = ({ indexed }: { readonly indexed: IndexedRepository }) => {
  const { left_out: leftOut, owner, problem, progress, repo, state } = indexed
  return (
    <p className="index-state" data-state={state}>
      <span>
        {states[state]}
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
        <Link to={{ _tag: "UnindexedFiles", owner, repo }} className="unindexed-link">
          {NumberFormat.quantity(leftOut, "file")} not indexed
        </Link>
      )}
    </p>
  )
}

const states: Readonly<Record<IndexedRepository["state"], string>> = {
  waiting: "queued for indexing",
  indexing: "indexing",
  ready: "indexed",
  empty: "empty",
  failed: "indexing failed"
}
