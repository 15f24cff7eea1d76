/** Whose forge it is: an account, and the token by which the programs of this person sign in, made on first use. */
import { chmodSync, existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from "node:fs"
import { randomUUID } from "node:crypto"
import { userInfo } from "node:os"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { StorageFailed } from "./storage/Storage.ts"
import { Tokens } from "./storage/Tokens.ts"
import { type UserRow, Users } from "./storage/Users.ts"

/** The owner may do everything; a classic token with every scope (spec part 1 §5.5). */
const scopes = [
  "repo",
  "user",
  "admin:org",
  "admin:organization",
  "admin:enterprise",
  "admin:org_hook",
  "admin:public_key"
]

/** The account's name on this machine, made of what a login may have. */
const login = () => {
  let name = "owner"
  try {
    name = userInfo().username
  } catch {
    // No entry in the user database: as in some containers.
  }
  return name.replace(/[^A-Za-z0-9-]+/g, "-").replace(/^-+|-+$/g, "") || "owner"
}

export class Owner extends Context.Service<
  Owner,
  {
    readonly user: UserRow
    readonly token: Redacted.Redacted<string>
    /** Where the token is kept, readable by nobody else. */
    readonly tokenFile: string
  }
>()("@tongs/service/Owner") {
  /** `name`: the account's login; the person's on this machine, unless it is given. */
  static readonly layer = (data: string, name: string = login()) =>
    Layer.effect(
      Owner,
      Effect.gen(function* () {
        const users = yield* Users
        const tokens = yield* Tokens
        const tokenFile = join(data, "token")
        const user = yield* users.ensure({ login: name, siteAdmin: true })
        const known = yield* readToken(tokenFile)
        // Of two processes that start at once, the one that links its file first decides.
        const token = known ?? (yield* keep(tokenFile, yield* tokens.add({ userId: user.id, kind: "classic", scopes })))
        yield* tokens.add({ userId: user.id, kind: "classic", scopes }, token)
        return Owner.of({ user, token, tokenFile })
      })
    )
}

const failed = (path: string) => (cause: unknown) => new StorageFailed({ path, detail: String(cause) })

const readToken = (path: string) =>
  Effect.try({
    try: () => {
      if (!existsSync(path)) return undefined
      const token = readFileSync(path, "utf8").trim()
      chmodSync(path, 0o600)
      return token === "" ? undefined : Redacted.make(token)
    },
    catch: failed(path)
  })

/** Writes the token beside its place and links it in: whole or not at all, and never over another's. */
const keep = Effect.fnUntraced(function* (path: string, token: Redacted.Redacted<string>) {
  const aside = `${path}.${randomUUID()}`
  yield* Effect.try({
    try: () => {
      writeFileSync(aside, `${Redacted.value(token)}\n`, { mode: 0o600, flag: "wx", flush: true })
      try {
        linkSync(aside, path)
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
      } finally {
        unlinkSync(aside)
      }
    },
    catch: failed(path)
  })
  return (yield* readToken(path)) ?? token
})
