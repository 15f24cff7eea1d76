/** Priority of a request. `background` leaves a tenth of each limit to requests of higher priority. */
export type Priority = "interactive" | "normal" | "background"

/** The properties of a request that decide whether the budget has room. Requests of one class wait in one lane. */
export interface RequestClass {
  /** The rate limit resource that counts the request, for example `core`; `none` for an unmetered request. */
  readonly resource: string
  /**
   * Route, for example `GET /repos/:owner/:repo`. The secondary limit counts points by route, and failures name the
   * route.
   */
  readonly endpoint: string
  readonly method: string
  /** Points of the secondary limit, if not the default of the HTTP method. */
  readonly points?: number
  readonly priority: Priority
}
