import type { ChangedFile, Comparison } from "../../ComparisonApi.ts"
import type { RepositoryName } from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import * as Permalinks from "../model/Permalinks.ts"
import type * as Route from "../model/Route.ts"
import type { Note } from "./DiffItems.ts"

export const FileNote = ({
  file,
  note,
  onLoad,
  onRetry,
  view
}: {
  readonly file: ChangedFile
  readonly note: Note
  readonly view: Route.File
  readonly onLoad: () => void
  readonly onRetry: () => void
}) => (
  <div className="diff-message">
    {note === "loading" ? (
      <p role="status">Loading the diff…</p>
    ) : note === "failed" ? (
      <p role="alert">
        Loading the diff failed.{" "}
        <button type="button" className="quiet" onClick={onRetry}>
          Try again
        </button>
      </p>
    ) : note === "large" ? (
      <p>
        Large diffs are not shown by default.{" "}
        <button type="button" className="quiet" onClick={onLoad} aria-label={`Load diff of ${displayText(file.path)}`}>
          Load diff
        </button>
      </p>
    ) : note === "withheld" ? (
      <p>
        The forge does not send a diff of this size. <Link to={view}>Open the file</Link>
      </p>
    ) : (
      <p>{note.text}</p>
    )}
  </div>
)

/** An image before and after the change. */
export const ImageDiff = ({
  comparison: { from, head },
  file: { path, previousPath, status },
  repository
}: {
  readonly repository: RepositoryName
  readonly comparison: Comparison
  readonly file: ChangedFile
}) => (
  <div className="diff-images">
    {status !== "added" && from !== null && (
      <Image repository={repository} path={previousPath ?? path} commit={from} label="Before" />
    )}
    {status !== "removed" && <Image repository={repository} path={path} commit={head} label="After" />}
  </div>
)

const Image = ({
  commit,
  label,
  path,
  repository: { owner, repo }
}: {
  readonly repository: RepositoryName
  readonly path: string
  readonly commit: string
  readonly label: string
}) => {
  const answer = ExplorerClient.useRequest(ExplorerClient.file, { owner, repo, path, ref: commit })
  const content = answer._tag === "Ready" ? answer.value.content : undefined
  return (
    <figure data-side={label === "Before" ? "left" : "right"}>
      <figcaption>{label}</figcaption>
      {content?.kind === "image" ? (
        <img
          src={Permalinks.rawUrl({ owner, repo, path, commit, ref: commit })}
          alt={`${displayText(path)}, ${label.toLowerCase()}`}
        />
      ) : (
        <p role="status">
          {answer._tag === "Loading"
            ? "Loading…"
            : answer._tag === "Failed"
              ? displayText(answer.failure.message)
              : "Too large to show."}
        </p>
      )}
    </figure>
  )
}
