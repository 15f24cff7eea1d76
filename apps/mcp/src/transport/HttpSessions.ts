/** The live sessions of the HTTP server, so that their number has a bound. */

/** Sessions at a time: many agents with several conversations each. */
export const MAX_SESSIONS = 200

export interface HttpSessions {
  /** Counts a request of a session, the session's first included, and makes it the most recently used. */
  readonly beginRequest: (session: string) => void
  /** The counterpart of `begin`: the request's response is complete. */
  readonly endRequest: (session: string) => void
  readonly has: (session: string) => boolean
  readonly remove: (session: string) => void
  /**
   * The session to end if there are too many: of those without a request in flight the least recently used, or the
   * least recently used of all if every session is busy.
   */
  readonly excessSession: () => string | undefined
}

export const make = (): HttpSessions => {
  /** Requests in flight by session; the most recently used session is last. */
  const inFlight = new Map<string, number>()
  return {
    beginRequest: (session) => {
      const count = inFlight.get(session) ?? 0
      inFlight.delete(session)
      inFlight.set(session, count + 1)
    },
    endRequest: (session) => {
      const count = inFlight.get(session)
      if (count !== undefined) inFlight.set(session, count - 1)
    },
    has: (session) => inFlight.has(session),
    remove: (session) => void inFlight.delete(session),
    excessSession: () => {
      if (inFlight.size <= MAX_SESSIONS) return undefined
      const sessions = [...inFlight]
      const [session] = sessions.find(([, count]) => count === 0) ?? sessions[0] ?? []
      return session
    }
  }
}
