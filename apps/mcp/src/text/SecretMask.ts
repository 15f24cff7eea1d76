/**
 * Masks secrets in answers, failures and logs: the credential in use if the forge echoes it, `Authorization` headers,
 * passwords in URLs, and the signatures of signed links.
 *
 * **Details**
 *
 * There are two modes. `mask` is for the forge's own data: links, headers, messages and other metadata. This mode masks
 * every such value. `maskContent` is for names and messages of commits, where `token=${token}` and `user:password@host`
 * are ordinary text. This mode only masks a value with the shape of a secret: long, with digits and letters, without
 * spaces and placeholders. In the text of files, which agents edit, only the credential in use is masked.
 */

/** Masks the credential in use, in the forms in which a forge may echo it. */
export type MaskCredential = (text: string) => string

const MASK = "***"

/** Query parameters that alone are a secret. */
const SECRET_PARAMETERS =
  "access_token|refresh_token|id_token|client_secret|private_token|job_token|auth_token|api_?key|token|jwt|secret|password|passwd"

/** Query parameters of signed links, also in an encoded URL. With such a parameter, the whole query gives access. */
const signature =
  /(?:[?&;]|%3f|%26|\\u0026)(?:sig|signature|x-(?:amz|goog)-(?:signature|credential|security-token)|key-pair-id|googleaccessid|awsaccesskeyid)(?:=|%3d)/i

/** URLs, also escaped in JSON, up to a quote, space or bracket of markup. */
const urls = /\b[a-z][a-z0-9+.-]{1,20}:(?:\\?\/){2}(?:[^\s"'<>`\\|]|\\\/|\\u00[\da-f]{2})+/gi

/** The part of a URL before the host: a user, and mostly a password. The end may be missing: `https://me:secr…`. */
const userInformation = /^([a-z0-9+.-]+:(?:\\?\/){2})([^/?#\s\\]*)(?:@|(?<=:[^:@/]*[^\d:@/][^:@/]*)…)/i

/** A query without a host, for example of a relative link. */
const relativeQuery = /(?<![\w:/.-])\\?\/[^\s"'<>`\\?]{0,2000}\?[^\s"'<>`]+/g

/** The query of an encoded URL, for example in the path of a request. */
const encodedQuery = /%3f[^\s"'<>`\\/]+/gi

const parameter = new RegExp(`((?:[?&;]|\\\\u0026)(?:${SECRET_PARAMETERS})=)([^&#;\\s"'<>\\\\]+)`, "gi")

/** A header with credentials, as a line, as a member of JSON, or as an argument of a command. */
const authorization =
  /(\b(?:proxy-)?authorization\\?["']?\s{0,9}[:=]\s{0,9}\\?["']?)((?:bearer|basic|token|digest|negotiate|aws4-hmac-sha256)\s+)?([^\s"'\\,]+(?:,\s*[\w-]+="?[^\s\\,]+)*)/gi

/** Credentials after a scheme, without the name of the header. */
const scheme = /(\b(?:bearer|basic)\s+)([\w.~+/=-]{16,})/gi

/** Masks every secret in text of a forge that is not the content of a repository. */
export const mask = (text: string, maskCredential: MaskCredential): string =>
  maskForms(maskCredential(text), () => true)

/** Masks the values that have the shape of a secret in names and messages of a repository. */
export const maskContent = (text: string, maskCredential: MaskCredential): string =>
  maskForms(maskCredential(text), hasSecretShape)

/** Masks the strings of a JSON value, and members with the name of a secret header. */
export const maskValue = (value: unknown, maskCredential: MaskCredential, depth = MAX_DEPTH): unknown => {
  if (typeof value === "string") return mask(value, maskCredential)
  if (typeof value !== "object" || value === null) return value
  if (depth === 0) return MASK
  if (Array.isArray(value)) return value.map((item) => maskValue(item, maskCredential, depth - 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      mask(name, maskCredential),
      secretHeader.test(name) && member !== null ? MASK : maskValue(member, maskCredential, depth - 1)
    ])
  )
}

/**
 * Masks the strings of a result of the forge as content. Must precede cutting and splitting, after which a part of a
 * secret would remain. In the text of files, masks only the credential in use, and leaves Base64 for the decoder.
 */
export const maskResult = <A>(result: A, maskCredential: MaskCredential): A => {
  const change = (value: unknown, depth: number): unknown => {
    if (typeof value === "string") return maskContent(value, maskCredential)
    if (typeof value !== "object" || value === null) return value
    if (depth === 0) return "…"
    if (Array.isArray(value)) return value.map((item) => change(item, depth - 1))
    const isBase64 = "encoding" in value && value.encoding === "base64"
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        if (typeof member !== "string" || !isFileText(value, name)) return [name, change(member, depth - 1)]
        return [name, isBase64 ? member : maskCredential(member)]
      })
    )
  }
  return change(result, MAX_DEPTH) as A // oxlint-disable-line typescript/no-unsafe-type-assertion -- only strings change
}

/** Members with text of files, and the members of the same resources in the contract that identify such text. */
const fileText: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["content", ["encoding"]],
  ["patch", ["filename"]],
  ["fragment", ["matches"]],
  ["text", ["number", "line"]],
  ["signature", ["line"]],
  ["documentation", ["line"]]
])

const isFileText = (value: object, name: string): boolean =>
  fileText.get(name)?.some((beside) => beside in value) === true

/** Maximum nesting depth of a value. */
const MAX_DEPTH = 64

const secretHeader = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-api-key|private-token|job-token)$/i

/** Characters after a URL that belong to the surrounding sentence. */
const endOfSentence = /[),.;:!\]}]{1,9}$/

type IsSecret = (value: string) => boolean

const maskForms = (text: string, isSecret: IsSecret): string => {
  if (!candidate.test(text)) return text
  const maskQuery = (url: string) => {
    const query = url.indexOf("?")
    if (query === -1) return url
    if (signature.test(url) && isSecret(url.slice(query + 1)))
      return `${url.slice(0, query)}?${MASK}${endOfSentence.exec(url)?.[0] ?? ""}`
    return url.replace(parameter, (whole, name: string, value: string) => (isSecret(value) ? `${name}${MASK}` : whole))
  }
  const maskUser = (url: string) =>
    url.replace(userInformation, (whole, scheme: string, information: string) =>
      isSecretUser(information, isSecret) ? `${scheme}${MASK}@` : whole
    )
  return text
    .replace(urls, (url) => maskQuery(maskUser(url)))
    .replace(relativeQuery, maskQuery)
    .replace(encodedQuery, (query) => (signature.test(query) && isSecret(query) ? `%3F${MASK}` : query))
    .replace(authorization, (whole, name: string, scheme: string | undefined, value: string) =>
      isSecret(value.replace(/,\s+/g, "")) ? `${name}${scheme ?? ""}${MASK}` : whole
    )
    .replace(scheme, (whole, scheme: string, value: string) => (hasSecretShape(value) ? `${scheme}${MASK}` : whole))
}

/**
 * Returns whether the user or password of a URL is a secret. A user without a password often is not: `ssh://git@host`.
 */
const isSecretUser = (information: string, isSecret: IsSecret): boolean => {
  const colon = information.indexOf(":")
  const user = colon === -1 ? information : information.slice(0, colon)
  const password = colon === -1 ? "" : information.slice(colon + 1)
  return hasSecretShape(user) || (password !== "" && isSecret(password))
}

/** Text without any of these has nothing to mask, except for the credential. */
const candidate = /:\\?\/\\?\/|\?[\w%-]+=|%3f|authorization|bearer|basic/i

/** Minimum number of characters of a value with the shape of a secret. */
const MIN_SECRET = 12

/** Returns true for a value that is probably random: digits and letters, without a placeholder or a sentence. */
const hasSecretShape = (value: string): boolean => {
  const token = value.replace(/[),.;\]}]+$/, "")
  return (
    token.length >= MIN_SECRET &&
    !/[\s${}<>[\]()*]|%[sd]\b|\.\.\.|…/.test(token) &&
    !/x{4}|_?(?:your|example|placeholder|redacted|changeme)/i.test(token) &&
    /[a-z]/i.test(token) &&
    (token.match(/\d/g) ?? []).length >= 2 &&
    new Set(token).size >= 8
  )
}
