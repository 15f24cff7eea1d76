/** What a request asks for: one reading of it, for who decides whether to answer and for who answers. */
import type * as HttpServerRequest from "effect/http/HttpServerRequest"

/** Undefined for what is no path of this server, as `//[` or another server's URL. */
export const of = ({ url }: HttpServerRequest.HttpServerRequest): URL | undefined =>
  (url.startsWith("/") ? URL.parse(`http://explorer${url}`) : null) ?? undefined

/** Whether it is for the page's script, and not for a person to open. */
export const isApi = ({ pathname }: URL): boolean => pathname.startsWith("/api/")

/** Whether it names a file of the built page that every visitor may have. */
export const isAsset = ({ pathname }: URL): boolean => pathname.startsWith("/assets/")
