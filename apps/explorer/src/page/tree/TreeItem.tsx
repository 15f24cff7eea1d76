import type { MouseEvent } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { displayText } from "../model/displayText.ts"
import type * as TreeRows from "../model/TreeRows.ts"
import { Icon, type IconName } from "../file/Icon.tsx"

/** A row of the file tree: a link to a file or folder, or a note about a folder. */
export const TreeItem = ({
  height,
  href,
  id,
  isActive,
  isCurrent,
  onClick,
  row,
  top
}: {
  readonly row: TreeRows.TreeRow
  readonly id: string
  readonly href: string | undefined
  /** True for the row that keys act on. */
  readonly isActive: boolean
  /** True for the file or folder of the view. */
  readonly isCurrent: boolean
  /** In pixels. */
  readonly top: number
  readonly height: number
  readonly onClick: (event: MouseEvent) => void
}) => {
  const style = { height, transform: `translateY(${top}px)`, paddingLeft: `${0.25 + (row.level - 1) * 0.75}rem` }
  if (row._tag === "Note") {
    return (
      <div
        id={id}
        role="treeitem"
        className="tree-row tree-note"
        aria-level={row.level}
        style={style}
        onClick={onClick}
      >
        {row.state === "cut" ? NumberFormat.quantity(row.hidden, "more entry", "more entries") : notes[row.state]}
      </div>
    )
  }
  const { entry, isExpanded, level, position, size } = row
  return (
    <a
      id={id}
      role="treeitem"
      className="tree-row"
      href={href}
      tabIndex={-1}
      title={displayText(entry.name)}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={size}
      aria-expanded={isExpanded}
      aria-selected={isCurrent}
      aria-current={isCurrent ? "page" : undefined}
      data-active={isActive ? "" : undefined}
      data-kind={entry.kind}
      style={style}
      onClick={onClick}
    >
      <span className="tree-arrow">{isExpanded !== undefined && <Icon name={isExpanded ? "down" : "right"} />}</span>
      <Icon name={icons[entry.kind]} />
      <span className="tree-name">{displayText(entry.name)}</span>
    </a>
  )
}

const notes: Readonly<Record<Exclude<TreeRows.NoteRow["state"], "cut">, string>> = {
  loading: "Loading…",
  failed: "Not loaded. Click to try again.",
  empty: "Empty"
}

const icons: Readonly<Record<TreeRows.EntryRow["entry"]["kind"], IconName>> = {
  dir: "folder",
  file: "file",
  symlink: "symlink",
  submodule: "submodule"
}
