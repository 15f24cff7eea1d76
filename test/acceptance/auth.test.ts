/** All kinds of credentials, with processes, keys and sockets. */
import { generateKeyPairSync, verify } from "node:crypto"
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { user } from "@tongs/core/contract/Samples.test-support"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { inLongTests } from "../LongTests.test-support.ts"
import { sendJson, shell, httpServer } from "./TongsCommand.test-support.ts"

/** A forge that accepts one token. */
const forgeOf = (token: string) =>
  httpServer(({ headers, url }, _, response) =>
    headers.authorization !== `Bearer ${token}`
      ? sendJson(response, 401, { message: "Bad credentials" })
      : url === "/user"
        ? sendJson(response, 200, { ...user("octo") })
        : sendJson(response, 404, { message: "Not Found" })
  )

const configure = (home: string, profile: object) => {
  mkdirSync(join(home, ".config/tongs"), { recursive: true })
  writeFileSync(join(home, ".config/tongs/config.json"), JSON.stringify({ profiles: { default: profile } }))
}

describe("a stored token", () => {
  it("is read from stdin, and status names its location", async () => {
    const url = await forgeOf("secret-token")
    const { home, tongs } = shell()
    const login = await tongs(["auth", "login", "--with-token", "--url", url], { input: "secret-token\n" })
    const file = join(home, ".config/tongs/credentials.json")
    expect(login.stderr).toBe(`Signed in to ${new URL(url).host} as octo. The token is in ${file}.\n`)
    const status = await tongs(["auth", "status", "--url", url])
    expect(status.stdout.toString()).toBe(
      `Signed in to ${new URL(url).host} as octo.\nThe credential is from ${file}.\n`
    )
    const env = { TONGS_TOKEN: "secret-token" }
    expect(JSON.parse((await tongs(["auth", "status", "--json", "--url", url], { env })).stdout.toString())).toEqual({
      forge: new URL(url).host,
      login: "octo",
      source: "TONGS_TOKEN",
      stored: [new URL(url).host]
    })
    const other = await tongs(["auth", "status", "--url", url], { env: { TONGS_TOKEN: "secret-token\n" } })
    expect(other.stdout.toString()).toContain("is from TONGS_TOKEN.\nThe stored credential is not used.\n")
    const wrong = await tongs(["auth", "status", "--url", url], { env: { TONGS_TOKEN: "wrong-token" } })
    expect([wrong.code, wrong.stderr]).toEqual([
      3,
      `tongs: ${new URL(url).host} rejected the credential from TONGS_TOKEN: Bad credentials. ` +
        "Correct or remove the token in TONGS_TOKEN.\n"
    ])
    const logout = await tongs(["auth", "logout", "--url", url], { env })
    expect(logout.stderr).toContain("The credential from TONGS_TOKEN is still used.")
  })

  it.skipIf(!hasPrograms("gnome-keyring-daemon", "dbus-run-session"))(
    "is in the keychain if there is one (needs gnome-keyring-daemon)",
    async () => {
      const url = await forgeOf("secret-token")
      const { home, tongs } = shell()
      const script = join(home, "session")
      // Three commands in one desktop session.
      writeFileSync(
        script,
        `echo -n pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null
       echo secret-token | "$@" auth login --with-token --url ${url} || exit
       "$@" auth status --url ${url} || exit
       "$@" auth logout --url ${url} || exit
       "$@" auth status --url ${url}`
      )
      const ran = await tongs([], {
        within: ["dbus-run-session", "--", "sh", script],
        env: { XDG_RUNTIME_DIR: home }
      })
      expect(ran.stderr).toContain("The token is in the keychain.")
      expect(ran.stdout.toString()).toContain("The credential is from the keychain.")
      expect(ran.stderr).toContain("from this machine")
      expect(ran.code).toBe(3)
      expect(readFileSync(join(home, ".config/tongs/credentials.json"), "utf8")).not.toContain("secret-token")
    }
  )
})

describe("a token from a command", () => {
  it("is the output of the program, which runs without a shell", async () => {
    const url = await forgeOf("$(printed)")
    const { home, tongs } = shell()
    configure(home, { url, tokenCommand: ["printf", "\\n%s\\nmore\\n", "$(printed)"] })
    const status = await tongs(["auth", "status"])
    expect(status.stdout.toString()).toContain("The credential is from the tokenCommand `printf`.")
  })

  it("is requested again when the forge rejects it", async () => {
    const url = await forgeOf("second")
    const { home, tongs } = shell()
    const script = join(home, "token")
    writeFileSync(script, "if [ -e asked ]; then echo second; else touch asked; echo first; fi")
    configure(home, { url, tokenCommand: ["sh", script] })
    expect((await tongs(["users", "me", "--json"])).code).toBe(0)
  })

  it("that fails reports the cause and a remedy, without its output and arguments", async () => {
    const { home, tongs } = shell()
    const failing = ["sh", "-c", "echo canary-out; echo canary-err >&2; exit 4", "canary-argument"]
    configure(home, { url: "http://127.0.0.1:1", tokenCommand: failing })
    const failed = await tongs(["users", "me"])
    expect(failed.code).toBe(3)
    expect(failed.stderr).toBe(
      "tongs: Cannot get a token from the tokenCommand `sh`: it exited with code 4. " +
        "Run the program to see why, or change `tokenCommand` in the config file.\n"
    )
    expect((await tongs(["doctor"])).stdout.toString()).not.toContain("canary")
    configure(home, { url: "http://127.0.0.1:1", tokenCommand: ["no-such-program"] })
    expect((await tongs(["users", "me"])).stderr).toContain("no such program")
  })
})

describe("an app", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })

  /** The claims of a JWT with a valid signature; undefined otherwise. */
  const claims = (authorization = "") => {
    const [header = "", payload = "", signature = ""] = authorization.replace("Bearer ", "").split(".")
    const isSigned = verify(
      "RSA-SHA256",
      Buffer.from(`${header}.${payload}`),
      publicKey,
      Buffer.from(signature, "base64url")
    )
    return isSigned ? JSON.parse(Buffer.from(payload, "base64url").toString()) : undefined
  }

  /** A forge that issues a new token per request after a delay, and accepts only the newest, but none of the first ones. */
  const forge = async (refused = 1) => {
    const tokens: Array<string> = []
    const requests: Array<string> = []
    const url = await httpServer(({ headers, method, url }, body, response) => {
      requests.push(`${method} ${url} ${body}`)
      if (url === "/app/installations/7/access_tokens") {
        const { exp, iat, iss } = claims(headers.authorization)
        const now = Date.now() / 1000
        if (iss !== "12" || iat > now || exp < now || exp - iat > 600) {
          return sendJson(response, 401, { message: "A JSON web token could not be decoded" })
        }
        tokens.push(`ghs_${tokens.length}`)
        const expires_at = new Date(Date.now() + 3_600_000).toISOString()
        return void setTimeout(() => sendJson(response, 201, { token: tokens.at(-1), expires_at }), 100)
      }
      if (url?.startsWith("/app/")) return sendJson(response, 404, { message: "Not Found" })
      if (tokens.length <= refused || headers.authorization !== `Bearer ${tokens.at(-1)}`) {
        return sendJson(response, 401, { message: "Bad credentials" })
      }
      return url?.startsWith("/installation/repositories") === true
        ? sendJson(response, 200, { total_count: 0, repositories: [] })
        : sendJson(response, 201, { made: JSON.parse(body) })
    })
    const made = () => tokens.length
    /** Revokes the newest token. */
    const revoke = () => void tokens.push("revoked")
    return { requests, made, revoke, url }
  }

  const keyIn = (home: string, type: "pkcs1" | "pkcs8" = "pkcs1") => {
    const path = join(home, "app.pem")
    writeFileSync(path, privateKey.export({ type, format: "pem" }), { mode: 0o600 })
    return path
  }

  it("signs with its key, and repeats a write with a new token if the forge rejects the old one", async () => {
    const { requests, url } = await forge()
    const { home, tongs } = shell()
    configure(home, { url, app: { id: 12, installation: 7, keyFile: keyIn(home) } })
    const made = await tongs(["api", "POST", "/things", "-f", "name=x"])
    expect(made.stderr).toBe("")
    expect(JSON.parse(made.stdout.toString())).toEqual({ made: { name: "x" } })
    expect(requests).toEqual([
      "POST /app/installations/7/access_tokens ",
      'POST /things {"name":"x"}',
      "POST /app/installations/7/access_tokens ",
      'POST /things {"name":"x"}'
    ])
  })

  it("uses one token for sequential and concurrent commands until the forge rejects it", async () => {
    const { made, revoke, url } = await forge(0)
    const { home, tongs } = shell()
    configure(home, { url, app: { id: 12, installation: 7, keyFile: keyIn(home) } })
    const run = async () => expect((await tongs(["api", "POST", "/things", "-f", "name=x"])).stderr).toBe("")
    await Promise.all([run(), run(), run()])
    await run()
    expect(made()).toBe(1)
    const file = join(home, ".config/tongs/credentials.json")
    expect([statSync(file).mode & 0o777, readFileSync(file, "utf8").includes("ghs_0")]).toEqual([0o600, true])
    revoke()
    await run()
    await run()
    expect(made()).toBe(3)
    expect((await tongs(["auth", "logout"])).stderr).toContain("from this machine")
    expect(readFileSync(file, "utf8")).not.toContain("ghs_")
  })

  it("is read from the environment, and status names it", async () => {
    const { url } = await forge()
    const { home, tongs } = shell()
    const env = {
      TONGS_URL: url,
      TONGS_APP_ID: "12",
      TONGS_APP_INSTALLATION: "7",
      TONGS_APP_KEY_FILE: keyIn(home, "pkcs8")
    }
    const status = await tongs(["auth", "status"], { env })
    expect(status.stdout.toString()).toBe(
      `Signed in to ${new URL(url).host} as installation 7 of app 12, on 0 repositories.\n` +
        "The credential is from app 12, installation 7 (TONGS_APP_ID).\n"
    )
  })

  inLongTests(() => {
    it("with a wrong id, installation or key gets a specific error", async () => {
      const { url } = await forge()
      const { home, tongs } = shell()
      const keyFile = keyIn(home)
      const statusOf = async (app: object) => {
        configure(home, { url, app: { id: 12, installation: 7, keyFile, ...app } })
        return (await tongs(["api", "/things"])).stderr
      }
      expect(await statusOf({ id: 13 })).toContain("rejected the key of app 13")
      expect(await statusOf({ installation: 8 })).toContain("app 12 has no installation 8")
      expect(await statusOf({ keyFile: join(home, "missing.pem") })).toContain("missing.pem: no such file")
      writeFileSync(keyFile, "-----BEGIN canary-----")
      const broken = await statusOf({})
      expect(broken).toContain("app.pem: not a private key")
      expect(broken).not.toContain("canary")
    })
  })
})

describe("a browser", () => {
  const device = {
    device_code: "device",
    user_code: "WDJB-MJHT",
    verification_uri: "https://forge.example/login/device",
    expires_in: 900,
    interval: 1
  }

  const forge = (answers: ReadonlyArray<object>) => {
    let count = 0
    return httpServer(({ headers, url }, body, response) => {
      switch (url) {
        case "/login/device/code":
          expect(Object.fromEntries(new URLSearchParams(body))).toEqual({ client_id: "Iv1.app", scope: "repo" })
          return sendJson(response, 200, device)
        case "/login/oauth/access_token":
          return sendJson(response, 200, answers[count++] ?? { error: "authorization_pending" })
        default:
          return headers.authorization === "Bearer gho_web"
            ? sendJson(response, 200, { ...user("octo") })
            : sendJson(response, 401, { message: "Bad credentials" })
      }
    })
  }
  const flags = ["auth", "login", "--web", "--client-id", "Iv1.app", "--scope", "repo"]

  it("shows a code, waits, and stores the token", async () => {
    const url = await forge([{ error: "authorization_pending" }, { access_token: "gho_web" }])
    const { home, tongs } = shell()
    const login = await tongs([...flags, "--insecure-storage", "--url", `${url}/api/v3`])
    expect(login.code).toBe(0)
    expect(login.stderr).toContain("Open  https://forge.example/login/device\nEnter WDJB-MJHT\n")
    expect(login.stderr).toContain("as octo. The token is in ")
    expect(login.stderr).not.toContain("gho_web")
    expect(readFileSync(join(home, ".config/tongs/credentials.json"), "utf8")).toContain("gho_web")
  })

  it("replaces a stored token by auth refresh, and auth token prints it", async () => {
    const url = `${await forge([{ access_token: "gho_web" }, { access_token: "gho_web" }])}/api/v3`
    const { tongs } = shell()
    const refresh = ["auth", "refresh", "--client-id", "Iv1.app", "--scope", "repo", "--url", url]
    const early = await tongs(refresh)
    expect([early.code, early.stderr]).toEqual([3, expect.stringContaining("`tongs auth login --url")])
    expect(await tongs(["auth", "token", "--url", url])).toMatchObject({ code: 3 })
    expect((await tongs([...flags, "--insecure-storage", "--url", url])).code).toBe(0)
    const again = await tongs(refresh)
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("Enter WDJB-MJHT")])
    const token = await tongs(["auth", "token", "--url", url])
    expect([token.stdout.toString(), token.stderr]).toEqual(["gho_web\n", ""])
    const given = await tongs(["auth", "token", "--url", url], { env: { TONGS_TOKEN: "given" } })
    expect(given.stdout.toString()).toBe("given\n")
  })

  it("is not needed again while the token can be renewed", async () => {
    let count = 1
    const requests: Array<unknown> = []
    const tokens = () => ({
      access_token: `ghu_${count}`,
      expires_in: 8,
      refresh_token: `ghr_${count}`,
      refresh_token_expires_in: 3600
    })
    const url = await httpServer(({ headers, url }, body, response) => {
      if (url === "/login/device/code") return sendJson(response, 200, device)
      if (url === "/login/oauth/access_token") {
        const { grant_type, ...form } = Object.fromEntries(new URLSearchParams(body))
        if (grant_type !== "refresh_token") return sendJson(response, 200, tokens())
        requests.push(form)
        if (form["refresh_token"] !== `ghr_${count}`) return sendJson(response, 200, { error: "bad_refresh_token" })
        count += 1
        return sendJson(response, 200, tokens())
      }
      return headers.authorization === `Bearer ghu_${count}`
        ? sendJson(response, 200, { ...user("octo") })
        : sendJson(response, 401, { message: "Bad credentials" })
    })
    const { home, tongs } = shell()
    expect((await tongs([...flags, "--insecure-storage", "--url", url])).code).toBe(0)
    const file = join(home, ".config/tongs/credentials.json")
    const ran = await tongs(["users", "me", "--url", url])
    expect([ran.code, ran.stderr]).toEqual([0, ""])
    expect(requests).toEqual([{ client_id: "Iv1.app", refresh_token: "ghr_1" }])
    expect(readFileSync(file, "utf8")).toContain("ghr_2")
    count = 7
    const over = await tongs(["users", "me", "--url", url])
    expect([over.code, over.stderr]).toEqual([3, expect.stringMatching(/bad_refresh_token.*`tongs auth login`/)])
    expect(over.stderr).not.toContain("ghr_2")
  })

  it("stores nothing if the user denies access or interrupts", async () => {
    const { tongs } = shell()
    const refused = await tongs([...flags, "--url", await forge([{ error: "access_denied" }])])
    expect([refused.code, refused.stderr]).toEqual([
      3,
      expect.stringContaining("The sign-in was declined in the browser")
    ])
    const url = await forge([])
    const left = await tongs([...flags, "--url", url], {
      watch: (stderr, kill) => stderr.includes("Enter") && kill("SIGINT")
    })
    expect(left.code).toBe(130)
    expect((await tongs(["auth", "status", "--url", url])).code).toBe(3)
  })
})
