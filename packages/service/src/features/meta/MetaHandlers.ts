import * as Effect from "effect/Effect"
import { Meta } from "@tongs/core/contract/groups/Meta"
import { group } from "../../api/Handlers.ts"
import { CommitSigning } from "../../verification/CommitSigning.ts"

/** The newest version of GitHub Enterprise Server of which `gh` uses no operation that the forge lacks. */
const INSTALLED_VERSION = "3.17.0"

/** Handler of the forge's version and its public key. The forge has no passwords and no SSH. */
export const make = Effect.map(CommitSigning, (signing) =>
  group(Meta)({
    *get() {
      // A key that cannot be read fails only the verification of signatures.
      const key = yield* Effect.orElseSucceed(signing.key, () => undefined)
      return {
        verifiable_password_authentication: false,
        installed_version: INSTALLED_VERSION,
        ...(key === undefined ? {} : { commit_signing_key: key.publicKey })
      }
    }
  })
)
