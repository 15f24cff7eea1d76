/**
 * Text of a server on its way into a failure: made safe to show, and without the secrets that the client has sent, which a
 * server can echo.
 */
import * as Failure from "../contract/Failure.ts"
import * as ControlCharacters from "../text/ControlCharacters.ts"
import * as ErrorResponse from "./ErrorResponse.ts"

/** Characters of a secret from which on it is masked: shorter ones are parts of ordinary words. */
const MIN_SECRET = 8

/** Secrets that are masked: the last ones that were sent. */
const MAX_SECRETS = 4

/** Characters of one text of a failure, and field errors of one; the rest is cut. */
const MAX_TEXT = 2_000
const MAX_ERRORS = 100

/** How deep the value of a field error is looked into; what is deeper is left out. */
const MAX_DEPTH = 8

const MASK = "***"

export interface Redactor {
  /** Notes a secret that is about to be sent. */
  readonly addSecret: (secret: string) => void
  /** The text without secrets. */
  readonly mask: (text: string) => string
  /** One line without control characters and secrets. */
  readonly text: (text: string) => string
  /** The same failure with all of its texts made safe. */
  readonly failure: (failure: Failure.Failure) => Failure.Failure
}

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

/** A secret in each of the forms in which a server may send it back. */
const patternOf = (secret: string): RegExp => {
  const spelled = [...secret].map(encodings).join("")
  return new RegExp([spelled, ...[0, 1, 2].map((before) => base64Pattern(secret, before))].join("|"), "g")
}

/** A character of ASCII as it is, or as a URL, JSON or HTML spells it. */
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

/** The characters of its base64 that depend on the secret alone, behind so many other bytes: as in `Basic` credentials. */
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
  const said = { request: safe(failure.request), detail: safe(failure.detail) }
  switch (failure._tag) {
    case "BadCredentials":
      return new Failure.BadCredentials(said)
    case "Forbidden": {
      const acceptedScopes = failure.acceptedScopes.slice(0, MAX_ERRORS).map(safe)
      const acceptedPermissions = failure.acceptedPermissions.slice(0, MAX_ERRORS).map(safe)
      return new Failure.Forbidden({ ...said, acceptedScopes, acceptedPermissions })
    }
    case "NotFound":
      return new Failure.NotFound(said)
    case "Conflict":
      return new Failure.Conflict(said)
    case "Gone":
      return new Failure.Gone(said)
    case "ValidationFailed": {
      const errors = failure.errors.slice(0, MAX_ERRORS).map((error) => fieldError(error, safe))
      return new Failure.ValidationFailed({ ...said, status: failure.status, errors })
    }
    case "RateLimited": {
      const { limit, resource, until } = failure
      return new Failure.RateLimited({ ...said, limit, until, resource: safe(resource) })
    }
    case "ServiceFailed": {
      const { requestId, status } = failure
      return new Failure.ServiceFailed({
        ...said,
        status,
        ...(requestId === undefined ? {} : { requestId: safe(requestId) })
      })
    }
    case "Unreachable":
      return new Failure.Unreachable(said)
    case "UnexpectedResponse":
      return new Failure.UnexpectedResponse({ ...said, status: failure.status })
    case "UntrustedLink":
      return new Failure.UntrustedLink({ ...said, url: safe(failure.url) })
  }
}

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
