/** Copies text, and says for a moment whether it did. */
import { useEffect, useState } from "react"

/** Milliseconds that it says so. */
const SAID = 1_500

export const useCopied = (): { readonly copy: (text: string) => void; readonly said: string | undefined } => {
  const [said, setSaid] = useState<{ readonly text: string }>()
  useEffect(() => {
    if (said === undefined) return
    const timer = setTimeout(() => setSaid(undefined), SAID)
    return () => clearTimeout(timer)
  }, [said])
  return {
    copy: (text) =>
      void navigator.clipboard.writeText(text).then(
        () => setSaid({ text: "Copied" }),
        () => setSaid({ text: "Not allowed" })
      ),
    said: said?.text
  }
}
