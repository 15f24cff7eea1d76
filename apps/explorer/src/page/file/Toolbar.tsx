import { type ComponentProps, createContext, type ReactNode, use } from "react"
import { useClipboard } from "../hooks/useClipboard.ts"
import { Icon, type IconName } from "./Icon.tsx"

/** Provides the content that toolbars inside show at the start. */
export const ToolbarStart = createContext<ReactNode>(null)

/** The bar above a file: information at the start, buttons at the end. */
export const Toolbar = ({
  center,
  children,
  info
}: {
  readonly info: ReactNode
  readonly center?: ReactNode
  readonly children?: ReactNode
}) => (
  <div className="toolbar">
    {use(ToolbarStart)}
    <div className="metadata">{info}</div>
    {center}
    <div className="tools" role="group" aria-label="File">
      {children}
    </div>
  </div>
)

/** A button with an icon, and a label on wide screens. `shortcut` is the key, in the form of `aria-keyshortcuts`. */
export const ToolbarButton = ({
  icon,
  shortcut,
  label,
  ...rest
}: Omit<ComponentProps<"button">, "aria-label" | "title" | "type"> & {
  readonly icon: IconName
  readonly label: string
  readonly shortcut?: string
}) => (
  <button
    type="button"
    className="tool"
    title={shortcut === undefined ? label : `${label} (${shortcut})`}
    aria-label={label}
    aria-keyshortcuts={shortcut}
    {...rest}
  >
    <Icon name={icon} />
    <span aria-hidden="true">{label}</span>
  </button>
)

/** A button that copies the result of `text` and announces the outcome. */
export const ToolbarCopyButton = ({
  icon,
  label,
  text
}: {
  readonly icon: IconName
  readonly label: string
  readonly text: () => string
}) => {
  const { copy, status } = useClipboard()
  return (
    <>
      <ToolbarButton icon={icon} label={status ?? label} onClick={() => copy(text())} />
      <span className="visually-hidden" role="status">
        {status}
      </span>
    </>
  )
}
