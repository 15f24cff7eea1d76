import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type AnyPacket, armor, enums, generateKey, PacketList } from "openpgp"
import * as Pgp from "./Pgp.ts"

it.effect("a key with very many parts is refused", () =>
  Effect.gen(function* () {
    const { publicKey } = yield* Effect.promise(() =>
      generateKey({ userIDs: [{ name: "Ann", email: "ann@a.example" }], format: "object" })
    )
    const [primary, identity, certification, subkey, binding] = publicKey.toPacketList()
    /** Repeats the identity, its certification, and the subkey of the key. */
    const isRead = (identities: number, certifications: number, subkeys: number) => {
      const repeat = (count: number, ...packets: ReadonlyArray<AnyPacket | undefined>) =>
        Array.from({ length: count }, () => packets).flat()
      const list = new PacketList<AnyPacket>()
      for (const packet of [
        primary,
        ...repeat(identities, identity, ...repeat(certifications, certification)),
        ...repeat(subkeys, subkey, binding)
      ])
        if (packet !== undefined) list.push(packet)
      const armored = armor(enums.armor.publicKey, list.write())
      assert.isBelow(armored.length, 1024 * 1024)
      return Effect.map(Pgp.readKey(armored), (key) => key !== undefined)
    }
    assert.isTrue(yield* isRead(100, 1, 100))
    assert.isFalse(yield* isRead(101, 1, 1))
    assert.isFalse(yield* isRead(1, 1, 101))
    assert.isFalse(yield* isRead(1, 1001, 1))
  })
)
