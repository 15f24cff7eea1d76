/** A button that copies, and says that it did. */
import { useCopied } from "./useCopied.ts"

export const Copy = ({ label, text }: { readonly text: string; readonly label: string }) => {
  const { copy, said } = useCopied()
  return (
    <button type="button" className="quiet" onClick={() => copy(text)} aria-live="polite">
      {said ?? label}
    </button>
  )
}
