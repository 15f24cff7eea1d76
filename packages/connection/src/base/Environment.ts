import * as Config from "effect/Config"
import * as Option from "effect/Option"

/** Reads an environment variable. Returns undefined if unset or empty. */
export const variable = (name: string): Config.Config<string | undefined> =>
  Config.NonEmptyString(name).pipe(Config.option, Config.map(Option.getOrUndefined))
