import { useEffect, useState } from "react"

/** The time in epoch milliseconds, updated each second while `isRunning`. */
export const useNow = (isRunning: boolean): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}

/** The time from `now` to `then`, both in epoch milliseconds, as text: `40 s`, `3 min 5 s`, `2 h 10 min`. */
export const formatRemaining = (then: number, now: number): string => {
  const seconds = Math.max(0, Math.ceil((then - now) / 1_000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
