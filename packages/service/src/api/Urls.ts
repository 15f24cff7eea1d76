/** Base URLs of the links in a response. The base URLs have the host and path prefix of the request. */
export interface Urls {
  /** Root of the API, without a trailing slash. */
  readonly api: string
  /** Root of links to web pages. */
  readonly html: string
}

/** Path prefix of the API on self-hosted forges. */
export const PREFIX = "/api/v3"

/** Path prefix for uploads on self-hosted forges. Some clients know it without reading `upload_url`. */
const UPLOADS_PREFIX = "/api/uploads"

/** Returns the prefix of a path of a request. */
export const prefixOf = (path: string): string | undefined =>
  [PREFIX, UPLOADS_PREFIX].find((prefix) => path === prefix || path.startsWith(`${prefix}/`))

/** The host of the API of a forge that gh reaches through a proxy as `github.localhost`. */
const localApi = /^http:\/\/api\.github\.localhost$/

/** Creates the base URLs for an origin. `prefixed` adds `/api/v3` to the base URL of the API. */
export const make = (origin: string, prefixed: boolean): Urls => ({
  api: prefixed ? origin + PREFIX : origin,
  html: localApi.test(origin) ? "http://github.localhost" : origin
})

/**
 * Origin of a request, from the absolute URL with the host of the Host header. An invalid host becomes `localhost`.
 * `forwardedProtocol` is `https` behind a proxy that terminates TLS.
 */
export const origin = (url: string, forwardedProtocol: string | undefined): string => {
  const [, protocol, host] = /^(https?):\/\/([\w.:[\]-]+)(?=[/?#]|$)/i.exec(url) ?? [undefined, "http", "localhost"]
  return `${forwardedProtocol === "https" ? "https" : protocol}://${host}`
}

/** Returns the origin of a request from the Host header. */
export const originOfHost = (host: string | undefined, forwardedProtocol: string | undefined): string =>
  origin(`http://${host ?? "localhost"}`, forwardedProtocol)

/** Percent-encodes a path, except its slashes. */
export const encodePath = (path: string): string => path.split("/").map(encodeURIComponent).join("/")
