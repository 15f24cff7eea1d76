/** A button that copies, and says that it did. */
import { useClipboard } from "../hooks/useClipboard.ts"

export const CopyButton = ({ label, text }: { readonly text: string; readonly label: string }) => {
  const { copy, said } = useClipboard()
  return (
    <button type="button" className="quiet" onClick={() => copy(text)} aria-live="polite">
      {said ?? label}
    </button>
  )
}
