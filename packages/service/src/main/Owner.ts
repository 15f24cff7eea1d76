/** Whose forge it is: an account, and the token by which the programs of this person sign in, made on first use. */
import { userInfo } from "node:os"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as PrivateFile from "../storage/PrivateFile.ts"
import { generateToken, TokenRows } from "../access/TokenRows.ts"
import { type UserRow, UserRows } from "../accounts/UserRows.ts"

/** The owner may do everything; a classic token with every scope (spec part 1 §5.5). */
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
>()("@tongs/service/main/Owner") {
  /** `name`: the account's login; the person's on this machine, unless it is given. */
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
