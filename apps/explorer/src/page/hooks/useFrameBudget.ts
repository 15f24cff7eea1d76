/** A budget for content that mounts in one frame, so that a fast scroll or a large page blocks no frame for long. */
import { useLayoutEffect, useState } from "react"

/** Cost that one frame may mount. A cell of a diff costs 1. */
const PER_FRAME = 48

let left = PER_FRAME
let frame: number | undefined
const waiting = new Map<() => void, number>()

/** True once content of this cost may render: at once, or in one of the next frames. */
export const useFrameBudget = (cost: number): boolean => {
  const [isReady, setIsReady] = useState(() => take(cost))
  useLayoutEffect(() => {
    if (isReady) return
    const resume = () => setIsReady(true)
    waiting.set(resume, cost)
    schedule()
    return () => {
      waiting.delete(resume)
    }
  }, [isReady, cost])
  return isReady
}

/** Takes a part of the frame's budget. The first part of a frame may exceed the budget. */
const take = (cost: number): boolean => {
  if (left < PER_FRAME && cost > left) return false
  left -= cost
  schedule()
  return true
}

const schedule = () => {
  frame ??= requestAnimationFrame(() => {
    frame = undefined
    left = PER_FRAME
    for (const [resume, cost] of waiting) {
      if (!take(cost)) break
      waiting.delete(resume)
      resume()
    }
    if (waiting.size > 0) schedule()
  })
}
