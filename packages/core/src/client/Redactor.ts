/**
 * Makes server text in failures safe to show, and masks the secrets that the client sent, because a server can echo
 * secrets.
 */
import * as Failure from "../contract/Failure.ts"
import * as ControlCharacters from "../text/ControlCharacters.ts"
import * as ErrorResponse from "./responses/ErrorResponse.ts"

/** Minimum length of a masked secret. Shorter ones occur in ordinary words. */
const MIN_SECRET = 8

/** Maximum number of masked secrets: the most recently sent ones. */
const MAX_SECRETS = 4

/** Maximum number of characters of each text in a failure. */
const MAX_TEXT = 2_000

/** Maximum number of field errors in a failure, and of elements in any other list. */
const MAX_ERRORS = 100

/** Maximum nesting depth of a field error's value. Deeper values are cut. */
const MAX_DEPTH = 8

const MASK = "***"

/** Masks secrets and control characters. */
export interface Redactor {
  /** Adds a secret that is about to be sent. */
  readonly addSecret: (secret: string) => void
  /** Masks the added secrets. */
  readonly mask: (text: string) => string
  /** Masks secrets and escapes control characters. Returns one line of at most `MAX_TEXT` characters. */
  readonly text: (text: string) => string
  /** Returns a copy of the failure with all texts made safe. */
  readonly failure: (failure: Failure.Failure) => Failure.Failure
}

/** Creates a redactor without secrets. */
export const make = (): Redactor => {
  const patterns = new Map<string, RegExp>()

  const add = (secret: string) => {
    if (secret.length < MIN_SECRET || patterns.has(secret)) return
    patterns.set(secret, patternOf(secret))
    for (const oldest of patterns.keys()) if (patterns.size > MAX_SECRETS) patterns.delete(oldest)
  }

  const mask = (text: string): string => {
    let masked = text
    for (const pattern of patterns.values()) masked = masked.replace(pattern, MASK)
    return masked
  }

  const text = (text: string): string => {
    let masked = mask(text)
    if (masked.length > MAX_TEXT) masked = `${masked.slice(0, MAX_TEXT)}…`
    return ControlCharacters.escapeLine(masked.replace(/[\r\n\t]+/g, " "))
  }

  return { addSecret: add, mask, text, failure: (failure) => redactFailure(failure, text) }
}

/** Returns a pattern for a secret in the forms in which a server may echo the secret. */
const patternOf = (secret: string): RegExp => {
  const spelled = [...secret].map(encodings).join("")
  return new RegExp([spelled, ...[0, 1, 2].map((before) => base64Pattern(secret, before))].join("|"), "g")
}

/** Returns a pattern for an ASCII character, plain or escaped for a URL, JSON or HTML. */
const encodings = (character: string): string => {
  const code = character.charCodeAt(0)
  const hex = [...code.toString(16).padStart(2, "0")].map((digit) => `[${digit}${digit.toUpperCase()}]`).join("")
  return `(?:${[
    `${/\w/.test(character) ? "" : "\\\\?"}${escapeRegExp(character)}`,
    `%${hex}`,
    `\\\\u00${hex}`,
    `&#0*${code};`,
    `&#[xX]0*${hex};`,
    ...(entities[character] ?? []).map((name) => `&${name};`)
  ].join("|")})`
}

const entities: Readonly<Record<string, ReadonlyArray<string>>> = {
  "&": ["amp"],
  "<": ["lt"],
  ">": ["gt"],
  '"': ["quot"],
  "'": ["apos"]
}

/**
 * Returns the base64 characters that depend only on the secret if `before` bytes precede the secret, for example in
 * `Basic` credentials.
 */
const base64Pattern = (secret: string, before: number): string => {
  const encoded = btoa("x".repeat(before) + secret)
  const own = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + secret.length) * 8) / 6))
  return escapeRegExp(own).replace(/\\\+/g, "(?:\\+|-|%2[Bb])").replace(/\//g, "(?:\\/|_|%2[Ff])")
}

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")

type RedactText = (text: string) => string

const redactFailure = (failure: Failure.Failure, safe: RedactText): Failure.Failure => {
  const made = copyRedacted(failure, safe)
  ErrorResponse.copyBody(failure, made)
  return made
}

const copyRedacted = (failure: Failure.Failure, safe: RedactText): Failure.Failure => {
  const common = {
    request: safe(failure.request),
    detail: safe(failure.detail),
    status: failure.status,
    requestId: failure.requestId === undefined ? undefined : safe(failure.requestId),
    headers: Object.fromEntries(Object.entries(failure.headers).map(([name, value]) => [name, safe(value)]))
  }
  switch (failure._tag) {
    case "BadCredentials":
      return new Failure.BadCredentials({ ...common, cause: failure.cause })
    case "Forbidden":
      return new Failure.Forbidden({ ...common, ...accepted(failure, safe) })
    case "NotFound":
      return new Failure.NotFound({ ...common, ...accepted(failure, safe) })
    case "Conflict":
      return new Failure.Conflict(common)
    case "Gone":
      return new Failure.Gone(common)
    case "Unsupported":
      return new Failure.Unsupported(common)
    case "ValidationFailed": {
      const errors = failure.errors.slice(0, MAX_ERRORS).map((error) => fieldError(error, safe))
      return new Failure.ValidationFailed({ ...common, status: failure.status, errors })
    }
    case "RateLimited": {
      const { limit, resource, until } = failure
      return new Failure.RateLimited({ ...common, limit, until, resource: safe(resource) })
    }
    case "ServiceFailed":
      return new Failure.ServiceFailed({ ...common, status: failure.status })
    case "Unreachable":
      return new Failure.Unreachable({ ...common, host: failure.host === undefined ? undefined : safe(failure.host) })
    case "UnexpectedResponse":
      return new Failure.UnexpectedResponse({ ...common, status: failure.status })
    case "UntrustedLink":
      return new Failure.UntrustedLink({ ...common, url: safe(failure.url) })
  }
}

const accepted = ({ acceptedPermissions, acceptedScopes }: Failure.Forbidden | Failure.NotFound, safe: RedactText) => ({
  acceptedScopes: acceptedScopes.slice(0, MAX_ERRORS).map(safe),
  acceptedPermissions: acceptedPermissions.slice(0, MAX_ERRORS).map(safe)
})

const fieldError = (
  { code, field, message, resource, value }: Failure.FieldError,
  safe: RedactText
): Failure.FieldError => ({
  ...(resource === undefined ? {} : { resource: safe(resource) }),
  ...(field === undefined ? {} : { field: safe(field) }),
  ...(code === undefined ? {} : { code: safe(code) }),
  ...(message === undefined ? {} : { message: safe(message) }),
  ...(value === undefined ? {} : { value: redactValue(value, safe, MAX_DEPTH) })
})

const redactValue = (value: unknown, safe: RedactText, depth: number): unknown => {
  if (typeof value === "string") return safe(value)
  if (typeof value !== "object" || value === null) return value
  if (depth === 0) return "…"
  if (Array.isArray(value)) return value.slice(0, MAX_ERRORS).map((one) => redactValue(one, safe, depth - 1))
  const members = Object.entries(value).slice(0, MAX_ERRORS)
  return Object.fromEntries(members.map(([name, one]) => [safe(name), redactValue(one, safe, depth - 1)]))
}
