import { toggleTree, useIsNarrow, useTreePanel } from "../hooks/useTreePanel.ts"
import { Icon } from "./Icon.tsx"

/** A button that shows and hides the file tree. */
export const TreeToggle = () => {
  const { isDrawerOpen, isVisible } = useTreePanel()
  const isNarrow = useIsNarrow()
  const isOpen = isNarrow ? isDrawerOpen : isVisible
  const label = isOpen ? "Hide the file tree" : "Show the file tree"
  return (
    <button
      type="button"
      className="tool tree-toggle"
      title={`${label} (f)`}
      aria-label={label}
      aria-keyshortcuts="f"
      aria-expanded={isOpen}
      onClick={toggleTree}
    >
      <Icon name="panel" />
    </button>
  )
}
