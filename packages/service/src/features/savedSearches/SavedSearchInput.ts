/** Checks names and queries of saved searches. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import * as ApiError from "../../api/ApiError.ts"

const MAX_NAME = 100

/** Maximum length of a query, in characters. */
export const MAX_QUERY = 1_000

/** Returns the reason why a name is invalid. Control and invisible characters could disguise a name. */
export const nameProblem = (name: string): string | undefined => {
  if (name.trim() === "") return "name is empty"
  if (name.length > MAX_NAME) return `name is longer than ${MAX_NAME} characters`
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name) ? "name contains control or invisible characters" : undefined
}

const invalid = (field: string, message: string) =>
  ApiError.invalid("Validation Failed", [{ resource: "SavedSearch", field, code: "invalid", message }])

/** Fails with 422 if a name is invalid. */
export const checkName = (name: string) => {
  const problem = nameProblem(name)
  return problem === undefined ? Effect.void : Effect.fail(invalid("name", problem))
}

/** The error of a name that the user has already used. */
export const nameTaken = Effect.fail(invalid("name", "you already have a saved search with this name"))

/** Parses a query, or fails with 422. */
export const parseQuery = (query: string) =>
  query.length > MAX_QUERY
    ? Effect.fail(invalid("query", `query is longer than ${MAX_QUERY} characters`))
    : Result.match(CodeQueryParser.parse(query), {
        onSuccess: Effect.succeed,
        onFailure: (problems) => Effect.fail(invalid("query", problems[0]?.message ?? "Invalid query"))
      })
