/** Texts of licenses and of `.gitignore` files for new repositories. The texts are loaded on first use. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { UserRow } from "../../accounts/UserRows.ts"

/** The licenses. The first `LISTED` are those that lists show. */
export const licenses = Effect.map(
  Effect.promise(() => import("./LicenseData.ts")),
  ({ licenses }) => licenses
)

/** Number of licenses that lists show. */
export const LISTED = 13

/** Returns the license with a key, such as `mit`, in any letter case. */
export const license = (key: string) => Effect.map(licenses, (all) => all.find((one) => one.key === key.toLowerCase()))

/** Texts of `.gitignore` files by name, such as `Node`. */
export const ignores = Effect.map(
  Effect.promise(() => import("./GitignoreData.ts")),
  ({ templates }) => templates
)

/** Returns the text of the `.gitignore` file with a name. */
export const ignore = (name: string) => Effect.map(ignores, (all) => (Object.hasOwn(all, name) ? all[name] : undefined))

/** Returns the text of a license with the year and the holder of the copyright. */
export const licenseText = Effect.fnUntraced(function* (body: string, owner: UserRow) {
  const year = String(new Date(yield* Clock.currentTimeMillis).getUTCFullYear())
  const holder = owner.name ?? owner.login
  return body.replaceAll("[year]", () => year).replaceAll("[fullname]", () => holder)
})
