import { execFileSync } from "node:child_process"
import { createHash, generateKeyPairSync, sign as cryptoSign } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { git } from "../git/Fixture.test-support.ts"
import { string, uint32 } from "./SshEncoding.ts"
import { EMAIL, forge, hasKeygen, payloadOf, setUp } from "./SignedCommits.test-support.ts"

/** The data that an SSH signature for git signs. */
const signedData = (payload: string) => {
  const digest = createHash("sha512").update(payload).digest()
  return Buffer.concat([Buffer.from("SSHSIG"), string("git"), string(""), string("sha512"), string(digest)])
}

const armorSsh = (blob: Buffer, signature: Buffer) => {
  const body = [
    Buffer.from("SSHSIG"),
    uint32(1),
    string(blob),
    string("git"),
    string(""),
    string("sha512"),
    string(signature)
  ]
  const lines = Buffer.concat(body)
    .toString("base64")
    .replace(/.{1,70}/g, "$&\n")
  return `-----BEGIN SSH SIGNATURE-----\n${lines}-----END SSH SIGNATURE-----`
}

layer(forge, { excludeTestServices: true })("verification by SSH", (it) => {
  const keys = [
    ["ed25519", ["-t", "ed25519"]],
    ["rsa", ["-t", "rsa", "-b", "2048"]],
    ["nistp256", ["-t", "ecdsa", "-b", "256"]],
    ["nistp384", ["-t", "ecdsa", "-b", "384"]],
    ["nistp521", ["-t", "ecdsa", "-b", "521"]]
  ] as const

  for (const [name, options] of keys) {
    it.effect.skipIf(!hasKeygen)(`agrees with git and ssh-keygen: ${name}`, () =>
      Effect.gen(function* () {
        const { create, load, path, reasonOf, tree } = yield* setUp
        const file = join(path, `.git/key-${name}`)
        execFileSync("ssh-keygen", ["-q", "-N", "", "-C", name, "-f", file, ...options])
        const line = readFileSync(`${file}.pub`, "utf8")
        const ssh = ["-c", "gpg.format=ssh", "-c", `user.signingkey=${file}.pub`, "-c", "user.email=olga@example.org"]
        const oid = git(path, [...ssh, "commit-tree", "-S", "-m", `by ${name}`, tree])
        assert.strictEqual(yield* reasonOf(oid), "unknown_key")
        yield* load({ keys: [{ user: "olga", key: line }] })
        assert.strictEqual(yield* reasonOf(oid), "valid")

        // Git also accepts a commit that was created through the API.
        const payload = payloadOf(tree, name)
        const signature = execFileSync("ssh-keygen", ["-q", "-Y", "sign", "-n", "git", "-f", file], {
          input: payload
        }).toString()
        const made = yield* create(name, signature)
        assert.strictEqual(made.verification.reason, "valid")
        writeFileSync(join(path, ".git/allowed"), `${EMAIL} ${line}`)
        git(path, ["-c", "gpg.format=ssh", "-c", "gpg.ssh.allowedSignersFile=.git/allowed", "verify-commit", made.sha])

        assert.strictEqual((yield* create(`${name}!`, signature)).verification.reason, "invalid")
        const forFiles = execFileSync("ssh-keygen", ["-q", "-Y", "sign", "-n", "file", "-f", file], {
          input: payload
        }).toString()
        assert.strictEqual((yield* create(name, forFiles)).verification.reason, "invalid")
        assert.strictEqual(
          (yield* create(name, signature.replace("U1NIU0lH", "AAAAAAAA"))).verification.reason,
          "malformed_signature"
        )
        const forMia = execFileSync("ssh-keygen", ["-q", "-Y", "sign", "-n", "git", "-f", file], {
          input: payloadOf(tree, "mia", "mia@example.org")
        }).toString()
        assert.strictEqual((yield* create("mia", forMia, "mia@example.org")).verification.reason, "bad_email")
        const second = execFileSync("ssh-keygen", ["-q", "-Y", "sign", "-n", "git", "-f", file], {
          input: payloadOf(tree, "second", "second@example.org")
        }).toString()
        assert.strictEqual((yield* create("second", second, "second@example.org")).verification.reason, "valid")
      })
    )
  }

  it.effect.skipIf(!hasKeygen)("verifies commits that are not UTF-8", () =>
    Effect.gen(function* () {
      const { load, path, reasonOf, tree } = yield* setUp
      const file = join(path, ".git/key-latin")
      execFileSync("ssh-keygen", ["-q", "-N", "", "-t", "ed25519", "-f", file])
      yield* load({ keys: [{ user: "olga", key: readFileSync(`${file}.pub`, "utf8") }] })
      const ssh = ["-c", "gpg.format=ssh", "-c", `user.signingkey=${file}.pub`, "-c", "user.email=olga@example.org"]
      const latin = ["-c", "i18n.commitEncoding=ISO-8859-1"]
      const oid = git(
        path,
        [...ssh, ...latin, "commit-tree", "-S", "-F", "-", tree],
        Buffer.from("gr\xfc\xdfe", "latin1")
      )
      assert.strictEqual(yield* reasonOf(oid), "valid")
    })
  )

  it.effect("accepts security keys only with user presence", () =>
    Effect.gen(function* () {
      const { create, load, tree } = yield* setUp
      const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest()
      const { privateKey, publicKey } = generateKeyPairSync("ed25519")
      const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url")
      const algorithm = "sk-ssh-ed25519@openssh.com"
      const blob = Buffer.concat([string(algorithm), string(raw), string("ssh:")])
      yield* load({ keys: [{ user: "olga", key: `${algorithm} ${blob.toString("base64")}` }] })
      const signed = (flags: number) => {
        const token = Buffer.concat([Buffer.from([flags]), uint32(42)])
        const data = Buffer.concat([sha256("ssh:"), token, sha256(signedData(payloadOf(tree, "token")))])
        const value = cryptoSign(null, data, privateKey)
        return armorSsh(blob, Buffer.concat([string(algorithm), string(value), token]))
      }
      assert.strictEqual((yield* create("token", signed(1))).verification.reason, "valid")
      assert.strictEqual((yield* create("token", signed(0))).verification.reason, "invalid")

      const ec = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
      const { x = "", y = "" } = ec.publicKey.export({ format: "jwk" })
      const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")])
      const sk = "sk-ecdsa-sha2-nistp256@openssh.com"
      const ecBlob = Buffer.concat([string(sk), string("nistp256"), string(point), string("ssh:")])
      yield* load({ keys: [{ user: "olga", key: `${sk} ${ecBlob.toString("base64")}` }] })
      const token = Buffer.concat([Buffer.from([1]), uint32(7)])
      const data = Buffer.concat([sha256("ssh:"), token, sha256(signedData(payloadOf(tree, "ec")))])
      const both = cryptoSign("sha256", data, { key: ec.privateKey, dsaEncoding: "ieee-p1363" })
      const number = (bytes: Buffer) => string(Buffer.concat([Buffer.from([0]), bytes]))
      const value = Buffer.concat([number(both.subarray(0, 32)), number(both.subarray(32))])
      const signature = armorSsh(ecBlob, Buffer.concat([string(sk), string(value), token]))
      assert.strictEqual((yield* create("ec", signature)).verification.reason, "valid")
    })
  )

  it.effect.skipIf(!hasKeygen)("is forgotten with the key, and unsigned commits are unsigned", () =>
    Effect.gen(function* () {
      const { ask, base, load, path, reasonOf, tree } = yield* setUp
      const file = join(path, ".git/key-gone")
      execFileSync("ssh-keygen", ["-q", "-N", "", "-t", "ed25519", "-f", file])
      yield* load({
        tokens: [{ token: "olga", user: "olga", scopes: ["admin:public_key"] }],
        keys: [{ user: "olga", key: readFileSync(`${file}.pub`, "utf8") }]
      })
      const ssh = ["-c", "gpg.format=ssh", "-c", `user.signingkey=${file}.pub`, "-c", "user.email=olga@example.org"]
      const oid = git(path, [...ssh, "commit-tree", "-S", "-m", "gone", tree])
      assert.strictEqual(yield* reasonOf(oid), "valid")
      const keys = yield* ask("GET", "/user/keys", { token: "olga" })
      const id = keys.json.at(-1).id
      assert.strictEqual((yield* ask("DELETE", `/user/keys/${id}`, { token: "olga" })).status, 204)
      assert.strictEqual(yield* reasonOf(oid), "unknown_key")

      const log = yield* ask("GET", `${base}/hello/commits`)
      assert.deepStrictEqual(log.json[0].commit.verification, {
        verified: false,
        reason: "unsigned",
        signature: null,
        payload: null,
        verified_at: null
      })
    })
  )
})
