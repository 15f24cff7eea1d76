import { useEffect, useState } from "react"

/** Rows that render at once, and rows that each later step adds. */
const FIRST = 120
const STEP = 80

/** A count that grows to `total` in steps, so that a list of thousands of rows does not block the page. */
export const useGrowingCount = (total: number): number => {
  const [state, setState] = useState({ total, count: FIRST })
  const count = state.total === total ? state.count : FIRST
  useEffect(() => {
    if (count >= total) return
    const timer = setTimeout(() => setState({ total, count: count + STEP }))
    return () => clearTimeout(timer)
  }, [count, total])
  return count
}
