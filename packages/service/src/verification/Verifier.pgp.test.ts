import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as openpgp from "openpgp"
import { git } from "../git/Fixture.test-support.ts"
import { EMAIL, forge, hasGpg, payloadOf, pgpKey, pgpSign, setUp } from "./SignedCommits.test-support.ts"

layer(forge, { excludeTestServices: true })("verification by PGP", (it) => {
  it.effect("accepts a signature by a registered key, like git", () =>
    Effect.gen(function* () {
      const { create, load, path, reasonOf, tree } = yield* setUp
      const { armored, privateKey } = yield* pgpKey()
      const payload = payloadOf(tree, "signed")
      const signature = yield* pgpSign(privateKey, payload)
      const before = yield* create("signed", signature)
      assert.strictEqual(before.verification.reason, "unknown_key")
      assert.isNull(before.verification.verified_at)

      yield* load({ keys: [{ user: "olga", armored_public_key: armored }] })
      const after = yield* create("signed", signature)
      assert.strictEqual(after.sha, before.sha)
      assert.deepInclude(after.verification, { verified: true, reason: "valid", payload })
      assert.match(after.verification.verified_at, /^20\d\d-/)
      assert.strictEqual(yield* reasonOf(after.sha), "valid")

      // A change of message, signature or address makes the signature invalid.
      assert.strictEqual((yield* create("signed otherwise", signature)).verification.reason, "invalid")
      const elsewhere = yield* pgpSign(privateKey, payloadOf(tree, "mia", "mia@example.org"))
      assert.strictEqual((yield* create("mia", elsewhere, "mia@example.org")).verification.reason, "bad_email")
      const second = yield* pgpSign(privateKey, payloadOf(tree, "second", "second@example.org"))
      assert.strictEqual((yield* create("second", second, "second@example.org")).verification.reason, "bad_email")

      if (!hasGpg) return
      const publicUrl = join(path, ".gnupg")
      mkdirSync(publicUrl, { mode: 0o700, recursive: true })
      writeFileSync(join(path, "public.asc"), armored)
      execFileSync("gpg", ["--homedir", publicUrl, "--batch", "--quiet", "--import", join(path, "public.asc")], {
        stdio: "ignore"
      })
      git(path, ["verify-commit", after.sha])
    })
  )

  it.effect("gives the reason why a signature is not verified", () =>
    Effect.gen(function* () {
      const { create, load, tree } = yield* setUp
      const { armored, privateKey } = yield* pgpKey()
      yield* load({ keys: [{ user: "olga", armored_public_key: armored }] })
      const signature = yield* pgpSign(privateKey, payloadOf(tree, "x"))
      const reason = (text: string, address = EMAIL) =>
        Effect.map(create("x", text, address), ({ verification }) => verification.reason)
      assert.strictEqual(
        yield* reason(signature.replace(/\n\n[^]{40}/, "\n\n" + "A".repeat(40))),
        "malformed_signature"
      )
      assert.strictEqual(
        yield* reason("-----BEGIN SIGNED MESSAGE-----\nMIIB\n-----END SIGNED MESSAGE-----"),
        "unknown_signature_type"
      )
      assert.strictEqual(yield* reason("no signature at all"), "unknown_signature_type")
      assert.strictEqual(yield* reason(signature, "nobody@example.org"), "no_user")
      assert.strictEqual(yield* reason(signature, "old@example.org"), "unverified_email")
      assert.strictEqual(yield* reason(signature), "valid")
    })
  )

  it.effect("rejects an expired key", () =>
    Effect.gen(function* () {
      const { create, load, tree } = yield* setUp
      const { armored, privateKey } = yield* pgpKey({ keyExpirationTime: 365 * 24 * 3600 })
      yield* load({ keys: [{ user: "olga", armored_public_key: armored }] })
      const signature = yield* pgpSign(privateKey, payloadOf(tree, "expired"))
      assert.strictEqual((yield* create("expired", signature)).verification.reason, "expired_key")
    })
  )

  it.effect("rejects a revoked key and accepts a subkey", () =>
    Effect.gen(function* () {
      const { create, load, tree } = yield* setUp
      const revoked = yield* pgpKey()
      const gone = yield* Effect.promise(() => openpgp.revokeKey({ key: revoked.privateKey, format: "object" }))
      const parent = yield* pgpKey({ subkeys: [{ sign: true }] })
      yield* load({
        keys: [
          { user: "olga", armored_public_key: gone.publicKey.armor() },
          { user: "olga", armored_public_key: parent.armored }
        ]
      })
      const byRevoked = yield* pgpSign(revoked.privateKey, payloadOf(tree, "revoked"))
      assert.strictEqual((yield* create("revoked", byRevoked)).verification.reason, "invalid")
      const bySubkey = yield* pgpSign(parent.privateKey, payloadOf(tree, "subkey"))
      const [named] = (yield* Effect.promise(() =>
        openpgp.readSignature({ armoredSignature: bySubkey })
      )).getSigningKeyIDs()
      assert.notStrictEqual(named?.toHex(), parent.privateKey.getKeyID().toHex())
      assert.strictEqual((yield* create("subkey", bySubkey)).verification.reason, "valid")
    })
  )

  it.effect("rejects a key that may not sign", () =>
    Effect.gen(function* () {
      const { create, load, tree } = yield* setUp
      const { privateKey } = yield* pgpKey()
      const signature = yield* pgpSign(privateKey, payloadOf(tree, "flags"))
      // The same key with a new certification that allows only certifying.
      const certified = yield* Effect.promise(async () => {
        const [user] = privateKey.users
        const [old] = user?.selfCertifications ?? []
        if (user?.userID === undefined || old === undefined) throw new Error("the key has no identity")
        const fresh = new openpgp.SignaturePacket()
        Object.assign(fresh, {
          signatureType: openpgp.enums.signature.certGeneric,
          publicKeyAlgorithm: privateKey.keyPacket.algorithm,
          hashAlgorithm: openpgp.enums.hash.sha512,
          keyFlags: new Uint8Array([openpgp.enums.keyFlags.certifyKeys])
        })
        const data = { userID: user.userID, key: privateKey.keyPacket }
        const date = new Date("2024-01-02T00:00:00Z")
        // The declared type lacks this form of data and the last parameter.
        await Reflect.apply(fresh.sign, fresh, [privateKey.keyPacket, data, date, false, openpgp.config]) // oxlint-disable-line typescript/unbound-method -- bound by `apply`
        user.selfCertifications = [fresh]
        return privateKey.toPublic().armor()
      })
      yield* load({ keys: [{ user: "olga", armored_public_key: certified }] })
      assert.strictEqual((yield* create("flags", signature)).verification.reason, "not_signing_key")
    })
  )

  it.effect.skipIf(!hasGpg)(
    "verifies commits and tags signed by gpg and git",
    () =>
      Effect.gen(function* () {
        const { ask, base, load, path, reasonOf } = yield* setUp
        const publicUrl = join(path, ".gnupg")
        // Stops an agent of another test that still uses the socket of this folder.
        execFileSync("gpgconf", ["--homedir", publicUrl, "--kill", "all"])
        rmSync(publicUrl, { recursive: true, force: true })
        mkdirSync(publicUrl, { mode: 0o700 })
        const gpg = (...args: ReadonlyArray<string>) =>
          execFileSync("gpg", ["--homedir", publicUrl, "--batch", "--quiet", ...args], {
            stdio: ["ignore", "pipe", "ignore"]
          }).toString()
        gpg("--passphrase", "", "--quick-generate-key", "Olga <olga@example.org>", "rsa2048", "sign", "never")
        // Git signs with the identity in the configuration.
        const signing = ["-c", "user.email=olga@example.org", "-c", "user.signingkey=olga@example.org"]
        const tip = git(path, [
          ...signing,
          "commit-tree",
          "-S",
          "-m",
          "by gpg",
          git(path, ["rev-parse", "HEAD^{tree}"])
        ])
        git(path, [...signing, "tag", "-s", "-m", "by gpg", "v1", tip])
        assert.strictEqual(yield* reasonOf(tip), "unknown_key")
        yield* load({ keys: [{ user: "olga", armored_public_key: gpg("--armor", "--export", EMAIL) }] })
        assert.strictEqual(yield* reasonOf(tip), "valid")
        const tag = yield* ask("GET", `${base}/hello/git/tags/${git(path, ["rev-parse", "v1"])}`)
        assert.strictEqual(tag.json.verification.reason, "valid")
        assert.deepStrictEqual(
          (yield* ask("GET", `${base}/hello/commits/${tip}`)).json.commit.verification.reason,
          "valid"
        )
        execFileSync("gpgconf", ["--homedir", publicUrl, "--kill", "all"])
      }),
    { timeout: 60_000 } // gpg waits for the agent
  )
})
