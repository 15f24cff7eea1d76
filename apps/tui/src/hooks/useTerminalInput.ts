import { useEffect } from "react"
import type { TerminalInput, UserEvent } from "../terminal/TerminalInput.ts"

/** Calls `handle` with each event of the terminal's input, in order. */
export const useTerminalInput = (input: TerminalInput, handle: (event: UserEvent) => void): void =>
  useEffect(() => input.listen(handle), [input, handle])
