/** Redirects from the paths of GitHub, which the forge's `html_url` have, to the views of the page. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as GitHubPaths from "../GitHubPaths.ts"
import * as RequestUrl from "./RequestUrl.ts"

/** Returns the redirect for a path of GitHub, undefined for any other path. The browser keeps the fragment. */
export const redirect = (address: URL): HttpServerResponse.HttpServerResponse | undefined => {
  const page = RequestUrl.isAsset(address) ? undefined : GitHubPaths.pageOf(address.pathname)
  // Relative, so that the page works under any URL prefix.
  const root = "../".repeat(address.pathname.split("/").length - 2)
  return page === undefined ? undefined : HttpServerResponse.redirect(`${root}${page}`)
}
