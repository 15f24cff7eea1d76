/** Topics of a repository: form, and GitHub's limits. */
import * as Effect from "effect/Effect"
import type { ValidationFailed } from "@tongs/core/contract/Failure"
import * as ApiError from "../../api/ApiError.ts"

const MAX_TOPICS = 20

const invalid = ApiError.invalid(
  "Validation Failed: topics must start with a lowercase letter or number, consist of 50 characters or less, and can include hyphens"
)

/** Returns the topics in lower case, each once. Fails if one is invalid or there are too many. */
export const read = (names: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>, ValidationFailed> => {
  const topics = [...new Set(names.map((name) => name.toLowerCase()))]
  if (topics.length > MAX_TOPICS) {
    return Effect.fail(ApiError.invalid(`Validation Failed: a repository can have at most ${MAX_TOPICS} topics`))
  }
  return topics.every((topic) => /^[a-z0-9][a-z0-9-]{0,49}$/.test(topic))
    ? Effect.succeed(topics)
    : Effect.fail(invalid)
}
