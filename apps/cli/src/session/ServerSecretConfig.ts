/** The secret of a local server: the one in a variable of the environment, or a random one. */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as ServerSecret from "@tongs/connection/base/ServerSecret"
import { UsageError } from "../base/UsageError.ts"

/** Fails if the variable has a secret that is too easy to guess or needs escapes. */
export const load = Effect.fnUntraced(function* (variable: string) {
  const chosen = yield* Config.option(Config.NonEmptyString(variable)).pipe(Effect.orDie)
  if (Option.isNone(chosen)) return { token: Redacted.make(ServerSecret.generate()), isChosen: false }
  if (ServerSecret.isStrong(chosen.value)) return { token: Redacted.make(chosen.value), isChosen: true }
  return yield* new UsageError({ detail: `The secret in ${variable} cannot be used.`, hint: ServerSecret.REQUIREMENTS })
})
