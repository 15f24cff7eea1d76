/** What stands over a file: facts on the left, what one can do on the right. */
import type { ComponentProps, ReactNode } from "react"
import { useClipboard } from "../hooks/useClipboard.ts"
import { Icon, type IconName } from "./Icon.tsx"

export const Toolbar = ({
  between,
  children,
  facts
}: {
  readonly facts: ReactNode
  readonly between?: ReactNode
  readonly children?: ReactNode
}) => (
  <div className="toolbar">
    <div className="facts">{facts}</div>
    {between}
    <div className="tools" role="group" aria-label="File">
      {children}
    </div>
  </div>
)

/** A button with a sign, and its name where there is room. `keys` is the key that does the same. */
export const ToolbarButton = ({
  icon,
  keys,
  label,
  ...rest
}: Omit<ComponentProps<"button">, "aria-label" | "title" | "type"> & {
  readonly icon: IconName
  readonly label: string
  readonly keys?: string
}) => (
  <button
    type="button"
    className="tool"
    title={keys === undefined ? label : `${label} (${keys})`}
    aria-label={label}
    aria-keyshortcuts={keys}
    {...rest}
  >
    <Icon name={icon} />
    <span aria-hidden="true">{label}</span>
  </button>
)

/** A button that copies what `text` gives when it is asked, and says that it did. */
export const ToolbarCopyButton = ({
  icon,
  keys,
  label,
  text
}: {
  readonly icon: IconName
  readonly label: string
  readonly keys?: string
  readonly text: () => string
}) => {
  const { copy, said } = useClipboard()
  return (
    <>
      <ToolbarButton
        icon={icon}
        label={said ?? label}
        {...(keys === undefined ? {} : { keys })}
        onClick={() => copy(text())}
      />
      <span className="unseen" role="status">
        {said}
      </span>
    </>
  )
}
