import { useClipboard } from "../hooks/useClipboard.ts"

/** A button that copies `text` and announces the outcome. */
export const CopyButton = ({ label, text }: { readonly text: string; readonly label: string }) => {
  const { copy, status } = useClipboard()
  return (
    <button type="button" className="quiet" onClick={() => copy(text)} aria-live="polite">
      {status ?? label}
    </button>
  )
}
