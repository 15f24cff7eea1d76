import * as Effect from "effect/Effect"
import { Meta } from "@tongs/core/contract/groups/Meta"
import { group } from "../../api/Handlers.ts"

/** The newest version of GitHub Enterprise Server of which `gh` uses no operation that the forge lacks. */
const INSTALLED_VERSION = "3.17.0"

/** Handler of the forge's version. The forge has no passwords and no SSH. */
export const make = Effect.succeed(
  group(Meta)({
    *get() {
      return { verifiable_password_authentication: false, installed_version: INSTALLED_VERSION }
    }
  })
)
