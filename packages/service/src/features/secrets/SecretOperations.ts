/** The operations that secrets of organizations, repositories and environments share. */
import * as Effect from "effect/Effect"
import type { NotFound } from "@tongs/core/contract/Failure"
import type { Secret, SecretKey } from "@tongs/core/contract/groups/Secret"
import * as ApiError from "../../api/ApiError.ts"
import type { RequestContext } from "../../api/RequestContext.ts"
import { parseTimestamp } from "../../base/Time.ts"
import * as Transaction from "../../storage/Transaction.ts"
import { OVERHEAD, SecretBoxes } from "./SecretBoxes.ts"
import { type SecretRow, SecretRows } from "./SecretRows.ts"
import * as ValueContent from "./ValueContent.ts"
import type { Selection, ValueOwner } from "./ValueRows.ts"

interface Named {
  readonly secret_name: string
}

interface NewSecret extends Named {
  readonly encrypted_value?: string
  readonly key_id?: string
}

const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Maximum length of a sealed box in Base64. */
const maxLength = Math.ceil((ValueContent.MAX_BYTES + OVERHEAD) / 3) * 4

export const shape = ({ created_at, name, updated_at }: SecretRow): Secret => ({
  name,
  created_at: parseTimestamp(created_at),
  updated_at: parseTimestamp(updated_at)
})

/** Creates the operations. */
export const make = Effect.gen(function* () {
  const boxes = yield* SecretBoxes
  const rows = yield* SecretRows
  const transaction = yield* Transaction.make

  /** Checks that the value is a box for the owner's key. */
  const checkBox = Effect.fnUntraced(function* (owner: ValueOwner, encrypted: string, keyId: string | undefined) {
    const { keyId: current } = yield* boxes.publicKey(owner)
    if (keyId !== current) {
      return yield* ApiError.invalid("The key_id does not match the current public key. Get the key, and seal again")
    }
    if (encrypted.length > maxLength) return yield* ValueContent.tooLarge("secret")
    if (!base64Pattern.test(encrypted)) return yield* ApiError.invalid("The encrypted_value is not Base64")
    if (!(yield* boxes.opens(owner, Buffer.from(encrypted, "base64"))))
      return yield* ApiError.invalid("Improperly encrypted secret")
  })

  return {
    find: Effect.fnUntraced(function* (owner: ValueOwner, { secret_name: name }: Named) {
      return (yield* rows.find(owner, name)) ?? (yield* ApiError.notFound())
    }),

    key: Effect.fnUntraced(function* (owner: ValueOwner) {
      const { key, keyId } = yield* boxes.publicKey(owner)
      const shape: SecretKey = { key_id: keyId, key }
      return shape
    }),

    /** Adds a secret, or changes what the request has. Returns undefined for a change. */
    set: Effect.fnUntraced(function* (
      owner: ValueOwner,
      input: NewSecret,
      { repositories, visibility }: Selection = {}
    ) {
      const { encrypted_value: sealed, key_id: keyId, secret_name: name } = input
      const problem = ValueContent.nameProblem("secret", name)
      if (problem !== undefined) return yield* problem
      if (sealed !== undefined) yield* checkBox(owner, sealed, keyId)
      return yield* transaction(
        Effect.gen(function* () {
          const before = yield* rows.find(owner, name)
          let id = before?.id
          if (before === undefined) {
            if (sealed === undefined)
              return yield* ApiError.invalid("A new secret needs an encrypted_value and a key_id")
            const excess = ValueContent.countProblem("secret", owner, yield* rows.count(owner))
            if (excess !== undefined) return yield* excess
            id = yield* rows.add(owner, { name, content: sealed }, visibility)
          } else yield* rows.update(before.id, { content: sealed }, visibility)
          if (id !== undefined && visibility !== undefined && visibility !== "selected") {
            yield* rows.setRepositories(id, [])
          } else if (id !== undefined && repositories !== undefined) yield* rows.setRepositories(id, repositories)
          return before === undefined ? {} : undefined
        })
      )
    })
  }
})

export type SecretOperations = Effect.Success<typeof make>

/** The handlers of secrets of repositories and environments. `ownerOf` finds the owner of a request. */
export const handlers = <Input, X extends RequestContext>(
  operations: SecretOperations,
  rows: SecretRows["Service"],
  ownerOf: (input: Input, context: X) => Effect.Effect<ValueOwner, NotFound>
) => ({
  *list(input: Input, context: X) {
    const { items, total } = yield* rows.list(yield* ownerOf(input, context), context.page)
    return {
      items: items.map(shape),
      total,
      wrap: (secrets: ReadonlyArray<Secret>) => ({ total_count: total, secrets })
    }
  },

  *getPublicKey(input: Input, context: X) {
    return yield* operations.key(yield* ownerOf(input, context))
  },

  *get(input: Input & Named, context: X) {
    return shape(yield* operations.find(yield* ownerOf(input, context), input))
  },

  *createOrUpdate(input: Input & NewSecret, context: X) {
    return yield* operations.set(yield* ownerOf(input, context), input)
  },

  *delete(input: Input & Named, context: X) {
    const { id } = yield* operations.find(yield* ownerOf(input, context), input)
    yield* rows.remove(id)
  }
})
