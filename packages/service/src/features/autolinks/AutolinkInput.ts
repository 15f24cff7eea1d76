/** Checks of new autolinks, with GitHub's messages. */
import * as ApiError from "../../api/ApiError.ts"

interface Problem {
  readonly field: string
  readonly message: string
}

/** Maximum length of a prefix and of a URL, in characters. */
const MAX_PREFIX = 32
const MAX_URL = 2048

/** 422: the values of an autolink are invalid. */
export const invalid = (problems: ReadonlyArray<Problem>) =>
  ApiError.invalid(
    "Validation Failed",
    problems.map((one) => ({ resource: "KeyLink", code: "custom", ...one }))
  )

/** True if both prefixes would match one reference, in any letter case. */
export const overlaps = (one: string, other: string) => {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()]
  return a.startsWith(b) || b.startsWith(a)
}

const isWebUrl = (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text)

/** Returns what is wrong with a prefix and a URL. */
export const problems = (prefix: string, url: string): ReadonlyArray<Problem> => {
  const prefixes: ReadonlyArray<readonly [isWrong: boolean, message: string]> = [
    [prefix === "", "key_prefix can't be blank"],
    [prefix.length > MAX_PREFIX, `key_prefix is too long (maximum is ${MAX_PREFIX} characters)`],
    [/\d$/.test(prefix), "key_prefix must not end with a number"],
    [!/^[A-Za-z0-9.\-_+=:/#]*$/.test(prefix), "key_prefix must only contain letters, numbers, or .-_+=:/#"]
  ]
  const urls: ReadonlyArray<readonly [isWrong: boolean, message: string]> = [
    [!url.includes("<num>"), "url_template is missing a <num> token"],
    [url.length > MAX_URL, `url_template is too long (maximum is ${MAX_URL} characters)`],
    [!isWebUrl(url.replaceAll("<num>", "1")), "url_template must be a http or https URL"]
  ]
  const of = (field: string, checks: typeof urls) =>
    checks.flatMap(([isWrong, message]) => (isWrong ? [{ field, message }] : []))
  return [...of("key_prefix", prefixes), ...of("url_template", urls)]
}
