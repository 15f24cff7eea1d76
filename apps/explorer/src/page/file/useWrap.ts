/** Whether long lines are wrapped: the reader's choice, for all files. */
import { useState } from "react"

const KEY = "tongs.wrap"

export const useWrap = (): readonly [boolean, () => void] => {
  const [wrap, setWrap] = useState(() => localStorage.getItem(KEY) === "yes")
  const toggle = () => {
    localStorage.setItem(KEY, wrap ? "no" : "yes")
    setWrap(!wrap)
  }
  return [wrap, toggle]
}
