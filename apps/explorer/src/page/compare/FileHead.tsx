import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { ChangedFile } from "../../ComparisonApi.ts"
import { Link } from "../components/Link.tsx"
import { useClipboard } from "../hooks/useClipboard.ts"
import { displayText } from "../model/displayText.ts"
import type * as Route from "../model/Route.ts"
import { Icon } from "../file/Icon.tsx"

const SUBMODULE = "160000"

/** The bar above the diff of a file: name, counts, and actions. */
export const FileHead = ({
  file,
  isClosed,
  isViewed,
  link,
  onToggle,
  onViewed,
  view
}: {
  readonly file: ChangedFile
  readonly isClosed: boolean
  readonly isViewed: boolean
  readonly onToggle: () => void
  readonly onViewed: (isViewed: boolean) => void
  /** The URL of this file, or of the selected line. */
  readonly link: () => string
  /** The file after the change, or a removed file before the change. */
  readonly view: Route.File
}) => {
  const { copy, status } = useClipboard()
  const { mode, path, previousMode, previousPath } = file
  const hasModes = mode !== null && previousMode !== null && mode !== previousMode
  return (
    <header className="diff-head" data-closed={isClosed}>
      <button
        type="button"
        className="tool"
        aria-expanded={!isClosed}
        aria-label={`${isClosed ? "Open" : "Close"} ${displayText(path)}`}
        onClick={onToggle}
      >
        <Icon name="down" />
      </button>
      <h2>
        {previousPath !== null && (
          <>
            <bdi className="dim">{displayText(previousPath)}</bdi>
            <span className="dim" aria-label="renamed to">
              {" → "}
            </span>
          </>
        )}
        <Link to={view} title="Open the file">
          <bdi>{displayText(path)}</bdi>
        </Link>
      </h2>
      <span className="diff-labels">
        {labels.has(file.status) && (
          <span className="diff-status" data-status={file.status}>
            {file.status}
          </span>
        )}
        {(mode ?? previousMode) === SUBMODULE && <span className="diff-status">submodule</span>}
        {hasModes && (
          <span className="diff-status" title="File mode">
            {previousMode} → {mode}
          </span>
        )}
        {file.additions + file.deletions > 0 && <Counts additions={file.additions} deletions={file.deletions} />}
      </span>
      <span className="diff-actions">
        <button
          type="button"
          className="tool"
          title="Copy a link to this file or its selected line (y)"
          onClick={() => copy(link())}
        >
          <Icon name="link" />
          <span role="status">{status ?? "Link"}</span>
        </button>
        <label className="diff-viewed" title="Mark as viewed (v)">
          <input type="checkbox" checked={isViewed} onChange={({ target }) => onViewed(target.checked)} />
          Viewed
        </label>
      </span>
    </header>
  )
}

const labels: ReadonlySet<string> = new Set(["added", "removed", "renamed", "copied"])

/** Numbers of added and removed lines. */
export const Counts = ({ additions, deletions }: { readonly additions: number; readonly deletions: number }) => (
  <span className="diff-counts">
    <span className="added">
      +{NumberFormat.format(additions)}
      <span className="visually-hidden"> lines added,</span>
    </span>{" "}
    <span className="removed">
      −{NumberFormat.format(deletions)}
      <span className="visually-hidden"> lines removed</span>
    </span>
  </span>
)
