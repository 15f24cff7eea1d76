/** The account that owns the forge, and the token that its programs sign in with. Both are created on first use. */
import { userInfo } from "node:os"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as PrivateFile from "../storage/PrivateFile.ts"
import { generateToken, TokenRows } from "../access/TokenRows.ts"
import { type UserRow, UserRows } from "../accounts/UserRows.ts"

/** Every scope of classic tokens (spec part 1 §5.5): the owner has all permissions. */
const scopes = [
  "repo",
  "user",
  "admin:org",
  "admin:organization",
  "admin:enterprise",
  "admin:org_hook",
  "admin:public_key",
  "project"
]

/** User name on this machine, with characters that a login cannot contain replaced by `-`. */
const login = () => {
  let name = "owner"
  try {
    name = userInfo().username
  } catch {
    // The user database has no entry, for example in containers.
  }
  return name.replace(/[^A-Za-z0-9-]+/g, "-").replace(/^-+|-+$/g, "") || "owner"
}

/** Owner of the forge, a site administrator. */
export class Owner extends Context.Service<
  Owner,
  {
    readonly user: UserRow
    readonly token: Redacted.Redacted<string>
    /** Path of the file with the token, readable for its owner only. */
    readonly tokenFile: string
  }
>()("@tongs/service/main/Owner") {
  /** `name` is the account's login, by default the user name on this machine. */
  static readonly layer = (data: string, name: string = login()) =>
    Layer.effect(
      Owner,
      Effect.gen(function* () {
        const users = yield* UserRows
        const tokens = yield* TokenRows
        const tokenFile = join(data, "token")
        const user = yield* users.ensure({ login: name, siteAdmin: true })
        const token = Redacted.make(yield* PrivateFile.line(tokenFile, generateToken))
        yield* tokens.add({ userId: user.id, kind: "classic", scopes }, token)
        return Owner.of({ user, token, tokenFile })
      })
    )
}
