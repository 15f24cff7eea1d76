/** The limits of secrets and variables, and their errors in GitHub's words. */
import type { ValidationFailed } from "@tongs/core/contract/Failure"
import * as ApiError from "../../api/ApiError.ts"
import type { ValueOwner } from "./ValueRows.ts"

type Noun = "secret" | "variable"

/** Maximum size of a secret's or variable's text, in bytes. */
export const MAX_BYTES = 48 * 1024

const MAX_NAME = 255

/** Maximum numbers, as on GitHub. */
const maxima = {
  secret: { organization: 1000, repository: 100, environment: 100 },
  variable: { organization: 1000, repository: 500, environment: 100 }
} as const // numbers by owner

const namePattern = /^[a-z_][a-z0-9_]*$/i
const reservedPattern = /^github_/i

const title = (noun: Noun) => (noun === "secret" ? "Secret" : "Variable")

/** Returns the problem of a name, if any. */
export const nameProblem = (noun: Noun, name: string): ValidationFailed | undefined => {
  if (!namePattern.test(name)) {
    return ApiError.invalid(
      `${title(noun)} names can only contain alphanumeric characters ([a-z], [A-Z], [0-9]) or underscores (_). ` +
        "Spaces are not allowed. Must start with a letter ([a-z], [A-Z]) or underscores (_)."
    )
  }
  if (reservedPattern.test(name)) return ApiError.invalid(`${title(noun)} names must not start with GITHUB_.`)
  if (name.length > MAX_NAME) return ApiError.invalid(`${title(noun)} names can have at most ${MAX_NAME} characters.`)
  return undefined
}

/** Returns the error for an owner that has the maximum number of values already. */
export const countProblem = (noun: Noun, { kind }: ValueOwner, count: number): ValidationFailed | undefined =>
  count < maxima[noun][kind]
    ? undefined
    : ApiError.invalid(`The ${kind} has ${count} ${noun}s, the maximum. Delete one`)

/** Returns the error for a text that is too long. */
export const tooLarge = (noun: Noun): ValidationFailed =>
  ApiError.invalid(`${title(noun)} values can have at most ${MAX_BYTES} bytes.`)
