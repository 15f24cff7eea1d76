/** Links of texts to the forge's own pages. */
import * as GitHubPaths from "../../GitHubPaths.ts"
import * as Route from "../model/Route.ts"

/** The view of a URL: null for a page that does not exist, undefined for a page to open in the browser. */
export type ViewOf = (url: string) => Route.Route | null | undefined

/** Finds the views of the URLs on the host of `page`. An embedded forge has no pages of its own. */
export const make =
  (page: string, isEmbedded: boolean): ViewOf =>
  (text) => {
    const url = new URL(text)
    if (url.host !== URL.parse(page)?.host) return undefined
    // A remote forge has other pages with two names, such as `/settings/profile`.
    const isLong = /^(?:\/[^/]+){3}/.test(url.pathname)
    const view = isLong || isEmbedded ? GitHubPaths.pageOf(url.pathname) : undefined
    if (view === undefined) return isEmbedded ? null : undefined
    return Route.parse(new URL(view + url.hash, location.href))
  }
