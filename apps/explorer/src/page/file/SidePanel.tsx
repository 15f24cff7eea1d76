import type * as Route from "../model/Route.ts"
import { Icon } from "./Icon.tsx"

const titles: Readonly<Record<Route.SidePanel, string>> = { history: "History", symbols: "Symbols" }

/** The panel beside a file. Escape closes it. */
export const SidePanel = ({
  children,
  onClose,
  side
}: {
  readonly side: Route.SidePanel
  readonly onClose: () => void
  readonly children: React.ReactNode
}) => (
  <aside
    className="side-panel"
    aria-label={titles[side]}
    onKeyDown={(event) => {
      if (event.key !== "Escape") return
      event.preventDefault()
      onClose()
    }}
  >
    <header>
      <h2>{titles[side]}</h2>
      <button type="button" aria-label="Close" onClick={onClose}>
        <Icon name="close" />
      </button>
    </header>
    {children}
  </aside>
)
