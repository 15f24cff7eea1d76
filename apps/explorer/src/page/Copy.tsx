/** A button that copies, and says that it did. */
import { useEffect, useState } from "react"

/** Milliseconds that it says so. */
const SAID = 1_500

export const Copy = ({ label, text }: { readonly text: string; readonly label: string }) => {
  const [said, setSaid] = useState<string>()
  useEffect(() => {
    if (said === undefined) return
    const timer = setTimeout(() => setSaid(undefined), SAID)
    return () => clearTimeout(timer)
  }, [said])
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setSaid("Copied"),
      () => setSaid("Not allowed")
    )
  return (
    <button type="button" className="quiet" onClick={copy} aria-live="polite">
      {said ?? label}
    </button>
  )
}
