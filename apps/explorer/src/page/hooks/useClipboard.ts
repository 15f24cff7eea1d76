import { useEffect, useState } from "react"

/** Milliseconds that the status is shown. */
const STATUS_DURATION = 1_500

/** Copies text. `status` is "Copied" or "Not allowed" shortly afterwards. */
export const useClipboard = (): { readonly copy: (text: string) => void; readonly status: string | undefined } => {
  const [status, setStatus] = useState<{ readonly text: string }>()
  useEffect(() => {
    if (status === undefined) return
    const timer = setTimeout(() => setStatus(undefined), STATUS_DURATION)
    return () => clearTimeout(timer)
  }, [status])
  return {
    copy: (text) =>
      void write(text).then(
        () => setStatus({ text: "Copied" }),
        () => setStatus({ text: "Not allowed" })
      ),
    status: status?.text
  }
}

/**
 * Async: the function rejects if `navigator.clipboard` is undefined, which is the case over plain HTTP from another
 * machine.
 */
const write = async (text: string): Promise<void> => navigator.clipboard.writeText(text)
