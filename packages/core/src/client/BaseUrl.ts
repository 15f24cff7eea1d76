/** The base URL of an API, to which paths are appended. */

/** Returns why a text is not a base URL, as the end of a sentence; undefined for a valid text. */
export const invalidReason = (text: string): string | undefined => {
  if (!URL.canParse(text)) return "is not the URL of a forge"
  const { hash, password, protocol, search, username } = new URL(text)
  if (protocol !== "https:" && protocol !== "http:") return "is not the URL of a forge"
  if (username !== "" || password !== "") return "contains a credential, which must be passed separately"
  return search === "" && hash === "" ? undefined : "has a query or a fragment"
}

/**
 * Returns the URL without trailing slashes. For an invalid URL throws a `TypeError` whose message omits the URL,
 * because a URL may contain a secret.
 */
export const parse = (text: string): string => {
  const reason = invalidReason(text)
  if (reason !== undefined) throw new TypeError(`baseUrl ${reason}: pass one such as https://forge.example/api/v3`)
  const { origin, pathname } = new URL(text)
  return origin + pathname.replace(/\/+$/, "")
}
