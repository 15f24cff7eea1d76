/** The URL of a request, parsed once for access checks and routing. */
import type * as HttpServerRequest from "effect/http/HttpServerRequest"

/** Undefined for a request target that is not a path of this server, for example `//[` or an absolute URL. */
export const parse = ({ url }: HttpServerRequest.HttpServerRequest): URL | undefined =>
  (url.startsWith("/") ? URL.parse(`http://explorer${url}`) : null) ?? undefined

/** True for the API, which scripts call and users do not open. */
export const isApi = ({ pathname }: URL): boolean => pathname.startsWith("/api/")

/** True for the saved searches, the only part of the API that is not read-only. */
export const isSavedSearch = ({ pathname }: URL): boolean =>
  /^\/api\/tongs\/user\/saved-searches(?:\/|$)/.test(pathname)

/** True for a file of the built page, which is public. */
export const isAsset = ({ pathname }: URL): boolean => pathname.startsWith("/assets/")
