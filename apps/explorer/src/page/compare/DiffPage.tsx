import { type ReactNode, useRef, useState } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { Comparison } from "../../ComparisonApi.ts"
import { Notice } from "../components/Notice.tsx"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { navigate } from "../hooks/useRoute.ts"
import { displayText } from "../model/displayText.ts"
import type * as Route from "../model/Route.ts"
import { Link } from "../components/Link.tsx"
import { ChangedFiles } from "./ChangedFiles.tsx"
import type { Inset, Insets } from "./DiffItems.ts"
import { DiffList } from "./DiffList.tsx"
import { Counts } from "./FileHead.tsx"
import { useDiffLayout } from "./useDiffSettings.ts"
import { usePatches } from "./usePatches.ts"
import { useViewedFiles } from "./useViewedFiles.ts"
import "./compare.css"

/** The changed files of a comparison or commit: numbers, the list of files, and the diffs. */
export const DiffPage = ({
  comparison,
  empty,
  insets = none,
  renderInset,
  route
}: {
  readonly route: Route.ChangesView
  readonly comparison: Comparison
  /** Shown if no file differs. */
  readonly empty: ReactNode
  readonly insets?: Insets
  readonly renderInset?: (inset: Inset) => ReactNode
}) => {
  const { path } = route
  const [layout, toggleLayout] = useDiffLayout()
  const viewed = useViewedFiles(route)
  const patches = usePatches(comparison, { ...route, path, ignoreWhitespace: route.ignoreWhitespace })
  const [current, setCurrent] = useState(0)
  const [target, setTarget] = useState<{ readonly file: number }>()
  const [showsFiles, setShowsFiles] = useState(() => matchMedia("(width >= 60rem)").matches)
  const filter = useRef<HTMLInputElement>(null)
  const toggleWhitespace = () => {
    const { ignoreWhitespace, ...rest } = route
    navigate(ignoreWhitespace === true ? rest : { ...rest, ignoreWhitespace: true }, { replace: true })
  }
  useKeyboardShortcuts({
    s: toggleLayout,
    w: comparison.hasPages ? toggleWhitespace : undefined,
    t: () => {
      setShowsFiles(true)
      requestAnimationFrame(() => filter.current?.focus())
    }
  })
  const { files, totalFiles } = comparison
  const viewedCount = files.filter(viewed.isViewed).length
  const { path: _, file: __, line: ___, ...unrestricted } = route
  return (
    <>
      <div className="diff-summary">
        <p>
          <strong>{NumberFormat.quantity(totalFiles, "changed file")}</strong>{" "}
          <Counts additions={comparison.additions} deletions={comparison.deletions} />
          {path !== undefined && (
            <>
              {" in "}
              <code>{displayText(path)}</code> <Link to={unrestricted}>Show all files</Link>
            </>
          )}
        </p>
        <div className="tools" role="group" aria-label="Diff">
          {viewedCount > 0 && (
            <span className="dim">
              {viewedCount} of {NumberFormat.format(files.length)} viewed
            </span>
          )}
          <button
            type="button"
            className="tool"
            aria-pressed={showsFiles}
            title="List of changed files"
            onClick={() => setShowsFiles(!showsFiles)}
          >
            Files
          </button>
          {comparison.hasPages && (
            <button
              type="button"
              className="tool"
              aria-pressed={route.ignoreWhitespace === true}
              aria-keyshortcuts="w"
              title="Ignore changes of white space (w)"
              onClick={toggleWhitespace}
            >
              Ignore white space
            </button>
          )}
          {toggleLayout !== undefined && (
            <button
              type="button"
              className="tool"
              aria-pressed={layout === "split"}
              aria-keyshortcuts="s"
              title="Old and new version side by side (s)"
              onClick={toggleLayout}
            >
              Side by side
            </button>
          )}
        </div>
      </div>
      {files.length === 0 ? (
        empty
      ) : (
        <div className="diff-panes" data-files={showsFiles}>
          {showsFiles && (
            <ChangedFiles
              files={files}
              current={current}
              filter={filter}
              isViewed={viewed.isViewed}
              onSelect={(file) => setTarget({ file })}
            />
          )}
          <div className="diff-pane">
            <DiffList
              route={route}
              comparison={comparison}
              patches={patches}
              layout={layout}
              viewed={viewed}
              target={target}
              onVisible={setCurrent}
              insets={insets}
              renderInset={renderInset}
            />
            {files.length < totalFiles && (
              <Notice title="Not all files are listed">
                <p>
                  These are the first {NumberFormat.format(files.length)} of {NumberFormat.format(totalFiles)} files.{" "}
                  {comparison.hasPages ? "Compare a folder to see the others." : "The forge does not list the others."}
                </p>
              </Notice>
            )}
          </div>
        </div>
      )}
    </>
  )
}

const none: Insets = new Map()
