import type { ReactNode } from "react"
import { Menu } from "@base-ui/react/menu"
import type { SavedSearch } from "@tongs/core/contract/groups/SavedSearches"
import { popupContainer } from "../components/popupContainer.ts"
import { useClipboard } from "../hooks/useClipboard.ts"
import { displayText } from "../model/displayText.ts"
import * as Permalinks from "../model/Permalinks.ts"
import * as Notifications from "./Notifications.ts"

/** The menu of a saved search. The button shows `children`. */
export const SavedSearchMenu = ({
  children = "…",
  className = "quiet saved-actions",
  onDelete,
  onFailure,
  onRename,
  search: { id, name, query }
}: {
  readonly search: SavedSearch
  readonly children?: ReactNode
  readonly className?: string
  /** Without this function, the menu cannot rename. */
  readonly onRename?: () => void
  readonly onDelete: () => void
  readonly onFailure: (message: string) => void
}) => {
  const { copy, status } = useClipboard()
  const isNotified = Notifications.useNotified().has(id)
  const notify = async () => {
    if (!(await Notifications.set(id, !isNotified))) onFailure("The browser does not allow notifications of this page.")
  }
  const items = [
    ...(onRename === undefined ? [] : [{ label: "Rename", act: onRename }]),
    { label: "Copy link", act: () => copy(Permalinks.absoluteUrl({ _tag: "Search", q: query })) },
    ...(Notifications.isSupported()
      ? [{ label: isNotified ? "Stop notifications" : "Notify me", act: () => void notify() }]
      : []),
    { label: "Delete", act: onDelete }
  ]
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={className} aria-label={`Actions for ${displayText(name)}`}>
        {status ?? children}
      </Menu.Trigger>
      <Menu.Portal container={popupContainer()}>
        <Menu.Positioner className="popup-positioner" sideOffset={6} align="end" collisionPadding={12}>
          <Menu.Popup className="popup menu">
            {items.map(({ act, label }) => (
              <Menu.Item key={label} className="item" onClick={act}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
