import { execFileSync, spawnSync } from "node:child_process"
import { createHash, generateKeyPairSync, sign as cryptoSign } from "node:crypto"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { deflateRawSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as openpgp from "openpgp"
import { git } from "../git/Fixture.test-support.ts"
import * as Support from "../main/Forge.test-support.ts"
import * as Fixtures from "../main/Fixtures.ts"
import * as SshSignature from "./SshSignature.ts"
import { string, uint32 } from "./SshEncoding.ts"

const { TestForge } = Support

/** True if a program is installed. Tests compare with gpg and ssh-keygen if available. */
const has = (program: string, ...args: ReadonlyArray<string>) => spawnSync(program, args).error === undefined
const hasGpg = has("gpg", "--version")
const hasKeygen = has("ssh-keygen", "-?")

const email = "olga@example.org"
const moment = "2024-05-01T10:00:00Z"
const seconds = Date.parse(moment) / 1000

const forge = Support.layer((repos) => void Support.repository(repos, "hello"))

/** The unsigned text of a commit. */
const payloadOf = (tree: string, message: string, address = email) =>
  `tree ${tree}\nauthor Olga <${address}> ${seconds} +0000\ncommitter Olga <${address}> ${seconds} +0000\n\n${message}`

const pgpKey = (options: Partial<Parameters<typeof openpgp.generateKey>[0]> = {}, address = email) =>
  Effect.promise(async () => {
    const { privateKey } = await openpgp.generateKey({
      // The Ed25519 format that gpg also supports.
      type: "ecc",
      curve: "ed25519Legacy",
      userIDs: [{ name: "Olga", email: address }],
      date: new Date("2024-01-01T00:00:00Z"),
      ...options,
      format: "object"
    })
    return { privateKey, armored: privateKey.toPublic().armor() }
  })

const pgpSign = (privateKey: openpgp.PrivateKey, payload: string, date = new Date(moment)) =>
  Effect.promise(async () =>
    openpgp.sign({
      message: await openpgp.createMessage({ binary: Buffer.from(payload) }),
      signingKeys: privateKey,
      detached: true,
      date,
      format: "armored"
    })
  )

const setUp = Effect.gen(function* () {
  const { ask, base, repos } = yield* TestForge
  const path = join(repos, "hello")
  const tree = git(path, ["rev-parse", "HEAD^{tree}"])
  const load = (content: object) =>
    Effect.suspend(() => {
      const file = join(repos, "fixtures.json")
      writeFileSync(file, JSON.stringify(content))
      return Fixtures.load(file)
    })
  yield* load({
    users: [
      {
        login: "olga",
        email,
        emails: [{ email: "old@example.org", verified: false }, { email: "second@example.org" }]
      },
      { login: "mia", email: "mia@example.org" }
    ]
  })
  const create = (message: string, signature: string, address = email) =>
    Effect.map(
      ask("POST", `${base}/hello/git/commits`, {
        body: { tree, message, signature, author: { name: "Olga", email: address, date: moment } }
      }),
      ({ json, status }) => {
        assert.strictEqual(status, 201)
        return json
      }
    )
  const reasonOf = (sha: string) =>
    Effect.map(ask("GET", `${base}/hello/git/commits/${sha}`), ({ json }) => json.verification.reason)
  return { ask, base, create, load, path, reasonOf, tree }
})

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

      // A change of message, signature or address makes it invalid.
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
      const reason = (text: string, address = email) =>
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
        // Git signs with the identity in its configuration.
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
        yield* load({ keys: [{ user: "olga", armored_public_key: gpg("--armor", "--export", email) }] })
        assert.strictEqual(yield* reasonOf(tip), "valid")
        const tag = yield* ask("GET", `${base}/hello/git/tags/${git(path, ["rev-parse", "v1"])}`)
        assert.strictEqual(tag.json.verification.reason, "valid")
        assert.deepStrictEqual(
          (yield* ask("GET", `${base}/hello/commits/${tip}`)).json.commit.verification.reason,
          "valid"
        )
        execFileSync("gpgconf", ["--homedir", publicUrl, "--kill", "all"])
      }),
    { timeout: 60_000 } // gpg waits for its agent
  )
})

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
        writeFileSync(join(path, ".git/allowed"), `${email} ${line}`)
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
