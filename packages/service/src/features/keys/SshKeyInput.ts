/** Validates a public SSH key and its title in a request. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as ApiError from "../../api/ApiError.ts"
import * as SshKey from "../../verification/SshKey.ts"

/** Maximum length of a title, in characters. */
const MAX_TITLE = 255

export const invalidField = (field: string, message: string, code = "custom") =>
  ApiError.invalid("Validation Failed", [{ resource: "PublicKey", field, code, message }])

/** Fails with the reason for a key that is already in use. */
export const inUse = () => invalidField("key", "key is already in use")

/** Returns the key with its title, by default the comment of the key, usually user@host. */
export const parse = Effect.fnUntraced(function* (text: string, given: string | undefined) {
  const parsed = SshKey.parse(text)
  if (Result.isFailure(parsed))
    return yield* invalidField("key", `key is invalid: ${parsed.failure}. Use the OpenSSH public key format`)
  const title = given ?? parsed.success.comment
  if (title.length > MAX_TITLE)
    return yield* invalidField("title", `title is longer than ${MAX_TITLE} characters`, "invalid")
  return { key: parsed.success, title }
})
