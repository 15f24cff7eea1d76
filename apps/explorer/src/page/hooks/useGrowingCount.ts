import { useEffect, useState } from "react"

/**
 * A count that grows to `total` by `step`, so that a list of many rows never blocks the page for more than `step` rows.
 */
export const useGrowingCount = (total: number, step: number): number => {
  const [count, setCount] = useState(step)
  useEffect(() => {
    if (count >= total) return
    const timer = setTimeout(() => setCount(count + step))
    return () => clearTimeout(timer)
  }, [count, step, total])
  return Math.min(count, total)
}
