/** Checks the texts of issues. */
import * as Effect from "effect/Effect"
import * as Characters from "../../base/Characters.ts"
import { MAX_BODY } from "../../issues/CommentRules.ts"
import * as IssueTarget from "./IssueTarget.ts"

/** Maximum length of a title, in characters. */
const MAX_TITLE = 256

/** Returns a title. Fails with 422 if it is blank or too long. */
export const title = (given: string | number) => {
  const text = String(given)
  if (text.trim() === "") return Effect.fail(IssueTarget.invalid("title", undefined, "missing_field"))
  return Characters.exceed(text, MAX_TITLE)
    ? Effect.fail(IssueTarget.tooLong("title", MAX_TITLE))
    : Effect.succeed(text)
}

/** Returns a text. Fails with 422 if it is too long. */
export const body = (text: string | null) =>
  text !== null && Characters.exceed(text, MAX_BODY)
    ? Effect.fail(IssueTarget.tooLong("body", MAX_BODY))
    : Effect.succeed(text)
