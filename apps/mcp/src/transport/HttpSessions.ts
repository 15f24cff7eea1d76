/** Tracks the sessions of the HTTP server, in order to limit them. */

/** Maximum number of sessions. Enough for many agents with several conversations each. */
export const MAX_SESSIONS = 200

/** The open sessions, by id. */
export interface HttpSessions {
  /** Records a request in flight, which can be the first of a new session. Marks the session as most recently used. */
  readonly beginRequest: (session: string) => void
  /** Records that the response to a request is complete, at a time in milliseconds. */
  readonly endRequest: (session: string, now: number) => void
  readonly has: (session: string) => boolean
  readonly remove: (session: string) => void
  /**
   * Returns the session to end if there are more than `MAX_SESSIONS`: the least recently used session without a request
   * in flight, or the least recently used session if all have requests in flight.
   */
  readonly excessSession: () => string | undefined
  /** Returns the sessions without a request in flight whose last request ended before a time in milliseconds. */
  readonly idleSessions: (before: number) => ReadonlyArray<string>
}

interface Session {
  /** Number of requests in flight. */
  readonly count: number
  /** The end of the last request. */
  readonly ended: number
}

/** Creates an empty list of sessions. */
export const make = (): HttpSessions => {
  /** Sessions by id. The most recently used session is last. */
  const open = new Map<string, Session>()
  return {
    beginRequest: (session) => {
      const { count, ended } = open.get(session) ?? { count: 0, ended: 0 }
      open.delete(session)
      open.set(session, { count: count + 1, ended })
    },
    endRequest: (session, now) => {
      const found = open.get(session)
      if (found !== undefined) open.set(session, { count: found.count - 1, ended: now })
    },
    has: (session) => open.has(session),
    remove: (session) => void open.delete(session),
    excessSession: () => {
      if (open.size <= MAX_SESSIONS) return undefined
      const sessions = [...open]
      const [session] = sessions.find(([, { count }]) => count === 0) ?? sessions[0] ?? []
      return session
    },
    idleSessions: (before) =>
      [...open].flatMap(([session, { count, ended }]) => (count === 0 && ended < before ? [session] : []))
  }
}
