/** What went wrong and what to do next. Where time heals it, it counts down and tries again. */
import { type ReactNode, useEffect, useEffectEvent, useState } from "react"
import type { Failure } from "../../Wire.ts"
import { Notice } from "./Notice.tsx"
import { displayText } from "../model/displayText.ts"
import { formatRemaining, useNow } from "../hooks/useNow.ts"

export const FailureNotice = ({
  children,
  failure,
  retry
}: {
  readonly failure: Failure
  readonly retry: () => void
  /** Ways on from here. */
  readonly children?: ReactNode
}) => {
  const { title, advice, again } = texts[failure.kind] ?? unknown
  return (
    <Notice title={title}>
      <div role="alert">
        <p>{displayText(failure.message)}</p>
        {advice !== undefined && <p className="dim">{advice}</p>}
      </div>
      {children}
      {failure.until !== undefined && <Countdown until={failure.until} retry={retry} />}
      {failure.until === undefined && again && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
      {(failure.kind === "Offline" || failure.kind === "LinkNeeded") && <Knocking kind={failure.kind} retry={retry} />}
    </Notice>
  )
}

const Countdown = ({ retry, until: then }: { readonly until: number; readonly retry: () => void }) => {
  const now = useNow(true)
  // A time that is already over is no reason to ask again at once, and again.
  const [start] = useState(now)
  const isOver = now >= Math.max(then, start + 1_000)
  const again = useEffectEvent(retry)
  useEffect(() => {
    if (isOver) again()
  }, [isOver])
  return (
    <p className="countdown" aria-live="off">
      Again in <strong>{formatRemaining(then, now)}</strong>
    </p>
  )
}

/** Milliseconds between two requests to an explorer that gives this page no answers. */
const PERIOD = 3_000

/**
 * Tries again as soon as the explorer runs again, and as soon as another tab of this browser opened its link: the page is
 * as it was before.
 */
const Knocking = ({ kind, retry }: { readonly kind: "Offline" | "LinkNeeded"; readonly retry: () => void }) => {
  const again = useEffectEvent(retry)
  useEffect(() => {
    const end = new AbortController()
    const timer = setInterval(() => {
      fetch("api/connection", { signal: end.signal }).then(
        ({ ok, status }) => (ok || (kind === "Offline" && status === 401)) && again(),
        () => {}
      )
    }, PERIOD)
    return () => {
      clearInterval(timer)
      end.abort()
    }
  }, [kind])
  return null
}

interface Text {
  readonly title: string
  readonly advice?: string
  /** Whether the same again could go better. */
  readonly again: boolean
}

const unknown: Text = { title: "That did not work", again: true }

const texts: Readonly<Record<string, Text>> = {
  Offline: {
    title: "The explorer is not running",
    advice: "Start it again with `tongs explore`: this page goes on by itself.",
    again: true
  },
  LinkNeeded: {
    title: "The explorer has started again",
    advice: "Its previous link no longer holds. With the new link open in another tab, this page goes on by itself.",
    again: true
  },
  Unreachable: {
    title: "The forge does not answer",
    advice: "The explorer runs, but what it is connected to cannot be reached.",
    again: true
  },
  RateLimited: {
    title: "The budget is used up",
    advice: "It goes on by itself as soon as the forge allows it.",
    again: true
  },
  BadCredentials: { title: "Not signed in", advice: "Then start `tongs explore` again.", again: true },
  Forbidden: { title: "Not allowed", again: false },
  NotFound: { title: "Not there", advice: "It may have moved, or be on another branch, or be private.", again: false },
  ValidationFailed: { title: "The forge does not take this query", again: false },
  Conflict: { title: "Nothing here yet", advice: "An empty repository has no files.", again: true },
  ServiceFailed: {
    title: "The forge failed",
    advice: "This is not your fault. It may be over in a moment.",
    again: true
  }
}
