import { deflateRawSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as SshSignature from "./SshSignature.ts"
import { string } from "./SshEncoding.ts"
import { forge, setUp } from "./SignedCommits.test-support.ts"

const packet = (tag: number, body: Uint8Array) => Buffer.concat([Buffer.from([0xc0 | tag, 0xff]), string(body)])
const armored = (type: string, bytes: Uint8Array) =>
  `-----BEGIN ${type}-----\n\n${Buffer.from(bytes).toString("base64")}\n-----END ${type}-----\n`
/** Zeros that decompress to half a gigabyte. */
const bomb = packet(8, Buffer.concat([Buffer.from([1]), deflateRawSync(Buffer.alloc(500_000_000), { level: 1 })]))

layer(forge, { excludeTestServices: true })("malicious signatures", (it) => {
  it.effect.each([
    ["an SSH signature of line feeds", `-----BEGIN SSH SIGNATURE-----${"\n".repeat(400_000)}!`],
    ["an SSH signature of spaces", `-----BEGIN SSH SIGNATURE-----${" ".repeat(60_000)}-----END SSH SIGNATURE----`],
    ["a compressed PGP signature", armored("PGP SIGNATURE", bomb)],
    ["a compressed PGP message", armored("PGP MESSAGE", bomb)],
    ["a PGP signature of line feeds", `-----BEGIN PGP SIGNATURE-----\n${"\n".repeat(60_000)}`],
    ["a PGP signature of 5,000 packets", armored("PGP SIGNATURE", Buffer.alloc(45_000, packet(2, Buffer.alloc(3, 4))))]
  ] as const)("rejects at little cost: %s", ([, signature]) =>
    Effect.gen(function* () {
      const { create, reasonOf } = yield* setUp
      const from = performance.now()
      const before = process.memoryUsage().rss
      const { sha } = yield* create("hostile", signature)
      assert.strictEqual(yield* reasonOf(sha), "malformed_signature")
      // Quadratic time would take minutes for the first case, and the bomb needs half a gigabyte.
      assert.isBelow(performance.now() - from, 20_000)
      assert.isBelow(process.memoryUsage().rss - before, 400e6)
    })
  )

  it("parses an SSH signature of line feeds in linear time", () => {
    const from = performance.now()
    assert.isTrue(Result.isFailure(SshSignature.parse(`-----BEGIN SSH SIGNATURE-----${"\n".repeat(300_000)}!`)))
    assert.isBelow(performance.now() - from, 20_000)
  })
})
