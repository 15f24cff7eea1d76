/**
 * Tracks the ids of the requests in flight of a stdio client, because the MCP server ignores a request with an id in
 * use.
 */

/** The ids of the requests in flight. */
export interface OpenRequests {
  /** Records a received message. Returns false for a request whose id is in use. */
  readonly receive: (message: unknown) => boolean
  /** Records a sent message, which can be the response to a request. */
  readonly send: (message: unknown) => void
  /** Records that no further message is received. */
  readonly end: () => void
  /** Returns true after the end, once every request has its response. */
  readonly areAnswered: () => boolean
}

/** Creates an empty list of requests. */
export const make = (): OpenRequests => {
  const ids = new Set<unknown>()
  let hasEnded = false
  return {
    receive: (message) => {
      const { id, method, params } = members(message)
      // The server sends no response to a cancelled request.
      if (method === "notifications/cancelled") ids.delete(members(params)["requestId"])
      if (method === undefined || id === undefined) return true
      if (ids.has(id)) return false
      ids.add(id)
      return true
    },
    send: (message) => {
      const { id, method } = members(message)
      if (method === undefined) ids.delete(id)
    },
    end: () => {
      hasEnded = true
    },
    areAnswered: () => hasEnded && ids.size === 0
  }
}

const members = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {}
