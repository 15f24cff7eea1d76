/** A clock for countdowns. */
import { useEffect, useState } from "react"

/** Epoch milliseconds, anew each second while `runs`. */
export const useNow = (runs: boolean): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!runs) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [runs])
  return now
}

/** How long it is from `now` to `then`, for people: `40 s`, `3 min 5 s`. */
export const formatRemaining = (then: number, now: number): string => {
  const seconds = Math.max(0, Math.ceil((then - now) / 1_000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
