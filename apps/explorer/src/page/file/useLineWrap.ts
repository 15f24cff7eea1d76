/** Whether lines are wrapped: the reader's choice, for all files whose lines an editor can wrap in no time. */
import { useMemo, useState } from "react"
import type { Line } from "../model/TextLines.ts"

const KEY = "tongs.wrap"

/** UTF-16 units of a line. To wrap one of a million, a browser lays out all of it, which takes seconds. */
const MAX_LENGTH = 20_000

/** Nothing to toggle where a line is too long. */
export const useLineWrap = (lines: ReadonlyArray<Line>): readonly [boolean, (() => void) | undefined] => {
  const [wrap, setWrap] = useState(read)
  const toggle = () => {
    write(!wrap)
    setWrap(!wrap)
  }
  const canWrap = useMemo(() => lines.every(({ text }) => text.length <= MAX_LENGTH), [lines])
  return canWrap ? [wrap, toggle] : [false, undefined]
}

// A browser may refuse to keep anything: then the choice holds for the file alone.
const read = (): boolean => {
  try {
    return localStorage.getItem(KEY) === "yes"
  } catch {
    return false
  }
}

const write = (wrap: boolean): void => {
  try {
    localStorage.setItem(KEY, wrap ? "yes" : "no")
  } catch {
    // As above.
  }
}
