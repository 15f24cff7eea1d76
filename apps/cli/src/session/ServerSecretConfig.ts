import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as ServerSecret from "@tongs/connection/base/ServerSecret"
import { UsageError } from "../base/UsageError.ts"

/**
 * Returns the secret of a local server: the value of an environment variable, or a random secret. Fails with
 * `UsageError` if the value is too short or needs escaping in a URL.
 */
export const load = Effect.fnUntraced(function* (variable: string) {
  const chosen = yield* Config.option(Config.NonEmptyString(variable)).pipe(Effect.orDie)
  if (Option.isNone(chosen)) return { token: Redacted.make(ServerSecret.generate()), isChosen: false }
  if (ServerSecret.isStrong(chosen.value)) return { token: Redacted.make(chosen.value), isChosen: true }
  return yield* new UsageError({
    detail: `The secret in ${variable} is too weak or has other characters than allowed.`,
    hint: ServerSecret.REQUIREMENTS
  })
})
