/** Signs commits that the forge creates, with a key in the data folder, which all processes of a forge share. */
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { CommitSigner } from "../git/objects/ObjectWriter.ts"
import * as PrivateFile from "../storage/PrivateFile.ts"
import { StorageFailed } from "../storage/StorageFailed.ts"
import type { PgpUnavailable } from "./Pgp.ts"
import * as PgpKeyPair from "./PgpKeyPair.ts"

export class CommitSigning extends Context.Service<
  CommitSigning,
  {
    /** Signs a commit. Undefined if the forge does not sign. */
    readonly sign: CommitSigner | undefined
    /** The key, also of a forge that does not sign any more. Undefined if the data folder has none. */
    readonly key: Effect.Effect<PgpKeyPair.PgpKeyPair | undefined, PgpUnavailable | StorageFailed>
  }
>()("@tongs/service/verification/CommitSigning") {
  /** Creates the key `commit-signing.key` if `enabled` and the data folder has none. */
  static readonly layer = (data: string, enabled = false) => {
    const path = join(data, "commit-signing.key")
    return Layer.effect(CommitSigning, enabled ? signing(path) : verifying(path))
  }
}

/** A forge that signs. The key is read at the start, so that a damaged file fails the start and not a merge. */
const signing = Effect.fnUntraced(function* (path: string) {
  const failed = (detail: string) => new StorageFailed({ path, detail })
  const noLibrary = Effect.mapError(() => failed("the PGP library cannot be loaded"))
  const existing = (yield* PrivateFile.find(path)) ?? ""
  const made = existing === "" ? yield* noLibrary(PgpKeyPair.generate(yield* Clock.currentTimeMillis)) : existing
  const key = yield* noLibrary(PgpKeyPair.open(yield* PrivateFile.line(path, () => made)))
  if (key === undefined) return yield* failed("it does not hold a private PGP key without a passphrase")
  return CommitSigning.of({
    sign: (payload) => Effect.flatMap(Clock.currentTimeMillis, (now) => key.sign(payload, now)),
    key: Effect.succeed(key)
  })
})

/** A forge that does not sign. Another process of the forge can create the key later. */
const verifying = (path: string) =>
  Effect.sync(() => {
    let known: PgpKeyPair.PgpKeyPair | undefined
    return CommitSigning.of({
      sign: undefined,
      key: Effect.gen(function* () {
        if (known !== undefined) return known
        const armored = yield* PrivateFile.find(path)
        if (armored !== undefined) known = yield* PgpKeyPair.open(armored)
        return known
      })
    })
  })
