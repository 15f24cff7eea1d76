import { useRef } from "react"

/** Milliseconds after which the next letter starts a new prefix. */
const TIMEOUT = 700

/**
 * Collects typed letters. Calls `find` with the letters so far, and whether the letters start a new prefix. Returns
 * false for all other keys, and for the keys that focus the search box or show the help.
 */
export const useTypeAhead = (find: (prefix: string, isNew: boolean) => void): ((key: string) => boolean) => {
  const typed = useRef({ prefix: "", time: 0 })
  return (key) => {
    const { prefix, time } = typed.current
    const now = performance.now()
    const isNew = prefix === "" || now - time > TIMEOUT
    if ([...key].length !== 1 || key === "/" || key === "?" || (key === " " && isNew)) return false
    // The same letter again steps through the names with this first letter.
    const next = isNew || prefix === key ? key : prefix + key
    typed.current = { prefix: next, time: now }
    find(next, isNew || prefix === key)
    return true
  }
}
