import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as openpgp from "openpgp"
import { git } from "../git/Fixture.test-support.ts"
import * as Support from "../main/Forge.test-support.ts"
import * as Fixtures from "../main/Fixtures.ts"

const { TestForge } = Support

/** True if a program is installed. Tests compare with gpg and ssh-keygen if available. */
const has = (program: string, ...args: ReadonlyArray<string>) => spawnSync(program, args).error === undefined
export const hasGpg = has("gpg", "--version")
export const hasKeygen = has("ssh-keygen", "-?")

export const EMAIL = "olga@example.org"
const MOMENT = "2024-05-01T10:00:00Z"
const seconds = Date.parse(MOMENT) / 1000

export const forge = Support.layer((repos) => void Support.repository(repos, "hello"))

/** The unsigned text of a commit. */
export const payloadOf = (tree: string, message: string, address = EMAIL) =>
  `tree ${tree}\nauthor Olga <${address}> ${seconds} +0000\ncommitter Olga <${address}> ${seconds} +0000\n\n${message}`

export const pgpKey = (options: Partial<Parameters<typeof openpgp.generateKey>[0]> = {}, address = EMAIL) =>
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

export const pgpSign = (privateKey: openpgp.PrivateKey, payload: string, date = new Date(MOMENT)) =>
  Effect.promise(async () =>
    openpgp.sign({
      message: await openpgp.createMessage({ binary: Buffer.from(payload) }),
      signingKeys: privateKey,
      detached: true,
      date,
      format: "armored"
    })
  )

export const setUp = Effect.gen(function* () {
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
        email: EMAIL,
        emails: [{ email: "old@example.org", verified: false }, { email: "second@example.org" }]
      },
      { login: "mia", email: "mia@example.org" }
    ]
  })
  const create = (message: string, signature: string, address = EMAIL) =>
    Effect.map(
      ask("POST", `${base}/hello/git/commits`, {
        body: { tree, message, signature, author: { name: "Olga", email: address, date: MOMENT } }
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
