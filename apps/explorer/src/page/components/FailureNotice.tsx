import { type ReactNode, useEffect, useEffectEvent, useState } from "react"
import type { Failure } from "../../ExplorerApi.ts"
import { formatRemaining, useNow } from "../hooks/useNow.ts"
import { displayText } from "../model/displayText.ts"
import { Notice } from "./Notice.tsx"

/**
 * Shows a failed request and the remedy. Retries automatically when a rate limit resets or the explorer responds again.
 */
export const FailureNotice = ({
  children,
  failure,
  retry
}: {
  readonly failure: Failure
  readonly retry: () => void
  /** Links to alternatives. */
  readonly children?: ReactNode
}) => {
  const { advice, canRetry, title } = texts[failure.kind] ?? unknown
  const message = failure.message.replace(request, "").replace(advicePattern, "")
  return (
    <Notice title={title}>
      <div role="alert">
        {!isTitle(message, title) && <p>{displayText(message)}</p>}
        {advice !== undefined && <p className="dim">{advice}</p>}
      </div>
      {children}
      {failure.until !== undefined && <RetryCountdown until={failure.until} retry={retry} />}
      {failure.until === undefined && canRetry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
      {(failure.kind === "Offline" || failure.kind === "LinkNeeded") && (
        <ReconnectPoll kind={failure.kind} retry={retry} />
      )}
    </Notice>
  )
}

const isTitle = (message: string, title: string) => message.replace(/\.$/, "").toLowerCase() === title.toLowerCase()

/** The failed request, with which messages of the client begin. */
const request = /^[A-Z]+ \/\S+: /

/** The advice of the client, which the page replaces. */
const advicePattern = / Check the name\. A private resource is only found with a credential that may see it\.$/

const RetryCountdown = ({ retry, until }: { readonly until: number; readonly retry: () => void }) => {
  const now = useNow(true)
  // A time in the past must not retry in a loop: wait at least a second.
  const [start] = useState(now)
  const isOver = now >= Math.max(until, start + 1_000)
  const onOver = useEffectEvent(retry)
  useEffect(() => {
    if (isOver) onOver()
  }, [isOver])
  return (
    <p className="countdown" aria-live="off">
      Retrying in <strong>{formatRemaining(until, now)}</strong>
    </p>
  )
}

/** Milliseconds between two polls. */
const POLL_INTERVAL = 3_000

/** Retries once the explorer runs again, or once another tab of this browser has opened the explorer's new link. */
const ReconnectPoll = ({ kind, retry }: { readonly kind: "Offline" | "LinkNeeded"; readonly retry: () => void }) => {
  const onConnected = useEffectEvent(retry)
  useEffect(() => {
    const controller = new AbortController()
    const timer = setInterval(() => {
      fetch("api/connection", { signal: controller.signal }).then(
        ({ ok, status }) => (ok || (kind === "Offline" && status === 401)) && onConnected(),
        () => {}
      )
    }, POLL_INTERVAL)
    return () => {
      clearInterval(timer)
      controller.abort()
    }
  }, [kind])
  return null
}

interface Text {
  readonly title: string
  readonly advice?: string
  /** Whether the same request can succeed later. */
  readonly canRetry: boolean
}

const unknown: Text = { title: "Something went wrong", canRetry: true }

const texts: Readonly<Record<string, Text>> = {
  Offline: {
    title: "The explorer is not running",
    advice: "Start it again with `tongs explore`. This page reconnects by itself.",
    canRetry: true
  },
  LinkNeeded: {
    title: "The explorer was restarted",
    advice:
      "Its previous link is no longer valid. Open the new link in another tab; this page then reconnects by itself.",
    canRetry: true
  },
  Unreachable: {
    title: "The forge does not respond",
    advice: "The explorer is running, but cannot reach the forge.",
    canRetry: true
  },
  RateLimited: {
    title: "Rate limit exceeded",
    advice: "This page retries by itself when the limit resets.",
    canRetry: true
  },
  BadCredentials: {
    title: "Not signed in",
    advice: "Sign in, then start `tongs explore` again.",
    canRetry: true
  },
  Forbidden: { title: "Access denied", canRetry: false },
  NotFound: {
    title: "Not found",
    advice: "It may have moved, be on another branch, or be private.",
    canRetry: false
  },
  Gone: { title: "No longer here", canRetry: false },
  ValidationFailed: { title: "The forge rejected this query", canRetry: false },
  Conflict: { title: "Empty repository", advice: "It has no files yet.", canRetry: true },
  ServiceFailed: { title: "The forge failed", advice: "Try again in a moment.", canRetry: true }
}
