/** A profile with an app on the embedded forge: key, installation, token, requests. */
import { generateKeyPairSync } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import * as ForgeProcess from "./ForgeProcess.test-support.ts"
import { shell } from "./TongsCommand.test-support.ts"

it("an app signs in with its key, sees its installation's repositories, and reuses one token until it is revoked", async () => {
  const root = ForgeProcess.temporaryFolder()
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  writeFileSync(join(root, "public.pem"), publicKey.export({ type: "spki", format: "pem" }))
  const keyFile = join(root, "app.pem")
  writeFileSync(keyFile, privateKey.export({ type: "pkcs1", format: "pem" }), { mode: 0o600 })
  const fixtures = {
    users: [{ login: "ada" }, { login: "bob" }],
    repositories: [
      { full_name: "ada/hidden", private: true },
      { full_name: "ada/other", private: true },
      { full_name: "bob/secret", private: true }
    ],
    apps: [{ slug: "helper", id: 12, public_key: "public.pem" }],
    installations: [
      { account: "ada", app_slug: "helper", id: 7, permissions: { metadata: "read" }, repositories: ["ada/hidden"] }
    ]
  }
  writeFileSync(join(root, "fixtures.json"), JSON.stringify(fixtures))
  mkdirSync(join(root, "repos"))
  const { url } = await ForgeProcess.serve(root, "--fixtures", join(root, "fixtures.json"))

  const { home, tongs } = shell()
  const profile = (app: object = {}) => ({ url: `${url}/api/v3`, app: { id: 12, installation: 7, keyFile, ...app } })
  mkdirSync(join(home, ".config/tongs"), { recursive: true })
  writeFileSync(
    join(home, ".config/tongs/config.json"),
    JSON.stringify({ profiles: { bot: profile(), elsewhere: profile({ installation: 8 }) } })
  )
  const run = async (...args: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await tongs([...args, "--profile", "bot"])
    return { code, stderr, stdout: stdout.toString() }
  }
  const kept = () => /"token": "(.+)"/.exec(readFileSync(join(home, ".config/tongs/credentials.json"), "utf8"))?.[1]

  expect((await run("auth", "status")).stdout).toContain("installation 7 of app 12, on 1 repository.")
  const token = kept()
  expect(token).toMatch(/^tongs_/)
  const seen = JSON.parse((await run("installations", "repositories", "--json")).stdout)
  expect(seen.map(({ full_name }: { readonly full_name: string }) => full_name)).toEqual(["ada/hidden"])
  expect((await run("repositories", "get", "bob/secret")).code).toBe(4)
  expect(kept()).toBe(token)

  expect((await run("installations", "revoke-token", "--yes")).code).toBe(0)
  expect(await run("repositories", "get", "ada/hidden")).toMatchObject({ code: 0, stderr: "" })
  expect(kept()).toMatch(/^tongs_/)
  expect(kept()).not.toBe(token)

  const wrong = await tongs(["repositories", "get", "ada/hidden", "--profile", "elsewhere"])
  expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining("app 12 has no installation 8 on this forge")])
})
