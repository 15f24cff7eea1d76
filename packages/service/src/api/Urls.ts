/** Where things are, seen from a request: links lead back through the name and the prefix by which the caller came. */
export interface Urls {
  /** The root of the API, without a slash at its end. */
  readonly api: string
  /** The root of what a person would look at. */
  readonly html: string
}

/** The prefix under which a self-hosted forge has its API (spec part 1 §1). */
export const prefix = "/api/v3"

export const make = (origin: string, prefixed: boolean): Urls => ({
  api: prefixed ? origin + prefix : origin,
  html: origin
})

/**
 * The origin by which a request came: that of its absolute URL, which holds the Host header. What is no host name is
 * not repeated. A proxy that takes the TLS off says so.
 */
export const origin = (url: string, forwardedProtocol: string | undefined): string => {
  const [, protocol, host] = /^(https?):\/\/([\w.:[\]-]+)(?=[/?#]|$)/i.exec(url) ?? [undefined, "http", "localhost"]
  return `${forwardedProtocol === "https" ? "https" : protocol}://${host}`
}

/** The origin of a request that came to a socket, by its Host header. */
export const originOfHost = (host: string | undefined, forwardedProtocol: string | undefined): string =>
  origin(`http://${host ?? "localhost"}`, forwardedProtocol)

/** A path with its parts encoded, slashes kept. */
export const encodePath = (path: string): string => path.split("/").map(encodeURIComponent).join("/")
