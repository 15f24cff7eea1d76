import { useMemo, useState } from "react"
import type { Line } from "../model/TextLines.ts"

const STORAGE_KEY = "tongs.wrap"

/** UTF-16 units above which a line is too long to wrap: a browser takes seconds to lay out a million. */
const MAX_LENGTH = 20_000

/**
 * Whether to wrap lines, stored in the browser, and a function that changes the choice: undefined if a line is too
 * long.
 */
export const useLineWrap = (lines: ReadonlyArray<Line>): readonly [boolean, (() => void) | undefined] => {
  const [wrap, setWrap] = useState(read)
  const toggle = () => {
    write(!wrap)
    setWrap(!wrap)
  }
  const canWrap = useMemo(() => lines.every(({ text }) => text.length <= MAX_LENGTH), [lines])
  return canWrap ? [wrap, toggle] : [false, undefined]
}

// A browser may deny storage. The choice then applies only to the open file.
const read = (): boolean => {
  try {
    return localStorage.getItem(STORAGE_KEY) === "yes"
  } catch {
    return false
  }
}

const write = (wrap: boolean): void => {
  try {
    localStorage.setItem(STORAGE_KEY, wrap ? "yes" : "no")
  } catch {
    // A browser may deny storage.
  }
}
