/** The account that owns the forge, and the access token with which local programs sign in. First use creates both. */
import { userInfo } from "node:os"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as PrivateFile from "../storage/PrivateFile.ts"
import { generateToken, TokenRows } from "../access/TokenRows.ts"
import { type UserRow, UserRows } from "../accounts/UserRows.ts"

/** OAuth scopes of the owner's token: all scopes that operations name. */
const scopes = [
  "repo",
  "delete_repo",
  "user",
  "admin:org",
  "admin:organization",
  "admin:enterprise",
  "admin:org_hook",
  "admin:public_key",
  "admin:gpg_key",
  "admin:ssh_signing_key",
  "site_admin",
  "project",
  "workflow"
]

/** Returns the user name on this machine, with `-` for characters that a login cannot contain. */
const login = () => {
  let name = "owner"
  try {
    name = userInfo().username
  } catch {
    // The operating system does not know the user, for example in a container.
  }
  return name.replace(/[^A-Za-z0-9-]+/g, "-").replace(/^-+|-+$/g, "") || "owner"
}

/** The owner of the forge, who is a site administrator. */
export class Owner extends Context.Service<
  Owner,
  {
    readonly user: UserRow
    readonly token: Redacted.Redacted<string>
    /** Path of the file with the owner's token, which only the operating-system user can read. */
    readonly tokenFile: string
  }
>()("@tongs/service/main/Owner") {
  /** Creates the layer. `name` is the login of the account, by default the user name on this machine. */
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
