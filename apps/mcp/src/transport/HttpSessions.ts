/** Tracks the sessions of the HTTP server, to limit their number. */

/** Maximum number of sessions. Enough for many agents with several conversations each. */
export const MAX_SESSIONS = 200

/** The open sessions, by id. */
export interface HttpSessions {
  /** Records a request in flight, which can be the first of a new session. Marks the session as most recently used. */
  readonly beginRequest: (session: string) => void
  /** Records that the response to a request is complete. */
  readonly endRequest: (session: string) => void
  readonly has: (session: string) => boolean
  readonly remove: (session: string) => void
  /**
   * Returns the session to end if there are more than `MAX_SESSIONS`: the least recently used session without a request
   * in flight, or the least recently used session if all have requests in flight.
   */
  readonly excessSession: () => string | undefined
}

/** Creates an empty list of sessions. */
export const make = (): HttpSessions => {
  /** Number of requests in flight by session id. The most recently used session is last. */
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
