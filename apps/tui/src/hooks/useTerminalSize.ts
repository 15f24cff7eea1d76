import { useWindowSize } from "ink"
import { useLayoutEffect } from "react"

/** Calls `resize` with the size of the terminal, initially and after each change. */
export const useTerminalSize = (resize: (columns: number, rows: number) => void): void => {
  const { columns, rows } = useWindowSize()
  useLayoutEffect(() => resize(columns, rows), [resize, columns, rows])
}
