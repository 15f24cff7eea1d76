import { type ReactNode, useMemo } from "react"
import type * as WindowContent from "../../model/WindowContent.ts"
import type { Theme } from "../Theme.ts"
import { CardWindow } from "./CardWindow.tsx"
import { CommitWindow } from "./CommitWindow.tsx"
import { ConfirmationWindow } from "./ConfirmationWindow.tsx"
import { FormWindow } from "./FormWindow.tsx"
import { HelpWindow } from "./HelpWindow.tsx"
import { PaletteWindow } from "./PaletteWindow.tsx"
import { ResultsWindow } from "./ResultsWindow.tsx"
import { WindowContext, type WindowParts, type WindowSize } from "./WindowContext.ts"
import { WindowFrame } from "./WindowFrame.tsx"

export interface Props {
  readonly content: WindowContent.WindowContent
  readonly size: WindowSize
  readonly theme: Theme
  /** Milliseconds since the spinner appeared. */
  readonly waited: number
  readonly parts: WindowParts
}

/** The window with its frame. */
export const WindowView = ({ content, parts, size, theme, waited }: Props): ReactNode => {
  const value = useMemo(() => ({ ...size, theme, waited, parts }), [parts, size, theme, waited])
  return (
    <WindowContext value={value}>
      <WindowFrame title={content.title}>
        <Content key={content._tag} content={content} />
      </WindowFrame>
    </WindowContext>
  )
}

const Content = ({ content }: { readonly content: WindowContent.WindowContent }): ReactNode => {
  switch (content._tag) {
    case "Help":
      return <HelpWindow content={content} />
    case "Card":
      return <CardWindow content={content} />
    case "Palette":
      return <PaletteWindow content={content} />
    case "Form":
      return <FormWindow content={content} />
    case "FileCommit":
      return <CommitWindow content={content} />
    case "Confirmation":
      return <ConfirmationWindow content={content} />
    case "Results":
      return <ResultsWindow content={content} />
  }
}
