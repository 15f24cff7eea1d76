/** URLs of webhooks. The password is a secret; without a password, the user name is: `https://token@example.org/`. */

/** Placeholder for a secret. Sending the placeholder back keeps the current secret. */
export const MASKED_SECRET = "********"

/** The parts of a URL around the user name and password. */
const pattern = /^(https?:[\\/]*)([^\\/?#]*)@(.*)$/is

/** Replaces the secret of a URL by a placeholder. */
export const mask = (url: string): string => {
  const [, scheme = "", login, rest = ""] = pattern.exec(url.trim()) ?? []
  if (login === undefined) return url
  const colon = login.indexOf(":")
  const masked =
    colon === -1 || colon === login.length - 1 ? MASKED_SECRET : `${login.slice(0, colon)}:${MASKED_SECRET}`
  return `${scheme}${masked}@${rest}`
}

/**
 * Returns a URL of a request with the secret of the current URL instead of the placeholder. Undefined if the current
 * URL has another host or user, which must not receive the secret.
 */
export const unmask = (url: string, current: string | undefined): string | undefined => {
  if (!hasPlaceholder(url)) return url
  const [given, known] = [URL.parse(mask(url)), URL.parse(mask(current ?? ""))]
  if (known === null || given?.origin !== known.origin) return undefined
  if (given.username !== known.username || given.password !== known.password) return undefined
  const [, scheme = "", , rest = ""] = pattern.exec(url) ?? []
  return `${scheme}${pattern.exec(current ?? "")?.[2] ?? ""}@${rest}`
}

const hasPlaceholder = (url: string): boolean => {
  const parsed = URL.parse(url)
  return parsed !== null && [parsed.username, parsed.password].includes(MASKED_SECRET)
}
