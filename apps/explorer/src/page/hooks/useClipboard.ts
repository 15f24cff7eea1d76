/** Copies text, and says for a moment whether it did. */
import { useEffect, useState } from "react"

/** Milliseconds that it says so. */
const SAID = 1_500

export const useClipboard = (): { readonly copy: (text: string) => void; readonly said: string | undefined } => {
  const [said, setSaid] = useState<{ readonly text: string }>()
  useEffect(() => {
    if (said === undefined) return
    const timer = setTimeout(() => setSaid(undefined), SAID)
    return () => clearTimeout(timer)
  }, [said])
  return {
    copy: (text) =>
      void write(text).then(
        () => setSaid({ text: "Copied" }),
        () => setSaid({ text: "Not allowed" })
      ),
    said: said?.text
  }
}

/** Over plain HTTP from another machine a browser has no clipboard at all. */
const write = async (text: string): Promise<void> => navigator.clipboard.writeText(text)
