/** Requests of the first view, sent before the scripts that need the responses have run. */
import type * as Route from "../model/Route.ts"
import * as Endpoints from "./Endpoints.ts"
import * as ViewRequests from "./ViewRequests.ts"

interface EarlyRequest {
  readonly answer: Promise<Response>
  readonly controller: AbortController
}

const requests = new Map<string, EarlyRequest>()

/** Milliseconds after which an unused request is cancelled, for example because the user has opened another view. */
const LIFETIME = 10_000

/** Sends the requests that a view always needs. A request that costs more on some forges is left to the view. */
export const start = (route: Route.Route): void => {
  // An unread response would occupy a connection of the browser.
  setTimeout(cancel, LIFETIME)
  addEventListener("popstate", cancel, { once: true })
  send(Endpoints.connection, {})
  switch (route._tag) {
    case "Home":
      return send(Endpoints.repositories, {})
    case "File":
    case "History":
      return send(Endpoints.file, ViewRequests.path(route))
    case "Tree":
      return send(Endpoints.tree, ViewRequests.path(route))
    case "Commit":
      return send(Endpoints.commit, ViewRequests.commit(route))
    case "Compare":
      return send(Endpoints.comparison, ViewRequests.comparison(route))
    case "Issue":
      send(Endpoints.issue, ViewRequests.issue(route))
      return send(Endpoints.timeline, { ...ViewRequests.issue(route), page: 1 })
    case "Pull":
      send(Endpoints.pull, ViewRequests.issue(route))
      if (route.tab === "commits") send(Endpoints.pullCommits, ViewRequests.issue(route))
      if (route.tab === undefined) send(Endpoints.timeline, { ...ViewRequests.issue(route), page: 1 })
      return
    case "Issues":
    case "Pulls":
      return send(Endpoints.issues, ViewRequests.issues(route))
    case "Release":
      return send(Endpoints.release, ViewRequests.release(route))
    case "Releases":
      return send(Endpoints.releases, ViewRequests.releases(route))
    case "Run":
      return send(Endpoints.run, ViewRequests.run(route))
    case "Runs":
      return send(Endpoints.runs, ViewRequests.runs(route))
    case "NewResults":
    case "Search":
    case "UnindexedFiles":
      return
  }
}

/**
 * Takes the response of an early request, which `signal` cancels. Undefined without such a request, or after the first
 * call.
 */
export const take = (url: string, signal: AbortSignal): Promise<Response> | undefined => {
  const request = requests.get(url)
  requests.delete(url)
  signal.addEventListener("abort", () => request?.controller.abort(), { once: true })
  return request?.answer
}

const cancel = (): void => {
  for (const { controller } of requests.values()) controller.abort()
  requests.clear()
}

const send = ({ path }: Endpoints.Endpoint<unknown>, parameters: Endpoints.Parameters | undefined): void => {
  if (parameters === undefined) return
  const url = Endpoints.url(path, parameters)
  const controller = new AbortController()
  const answer = fetch(url, { headers: { accept: "application/json" }, signal: controller.signal })
  // The view reports a failure when the view takes the response.
  answer.catch(() => {})
  requests.set(url, { answer, controller })
}
