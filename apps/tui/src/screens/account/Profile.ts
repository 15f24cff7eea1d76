/** The profile of an account. */
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { User } from "@tongs/core/contract/groups/User"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Document from "../../content/Document.ts"
import type { DocumentLine, LineAtTime } from "../../content/Document.ts"
import * as Route from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Role } from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"

/** Width of the names of fields. */
const NAME_WIDTH = 14

const line = (name: string, value: string, role?: Role): DocumentLine => ({
  line: [...StyledLine.fit(StyledLine.line(name, "muted"), NAME_WIDTH), StyledLine.span(value, role)],
  copy: value
})

const optional = (name: string, value: string | null, role?: Role): ReadonlyArray<DocumentLine> =>
  value === null || value === "" ? [] : [line(name, value, role)]

const web = (name: string, value: string | null): ReadonlyArray<DocumentLine> =>
  optional(name, value, "link").map((shown) => ({ ...shown, url: value ?? undefined }))

const time =
  (name: string, at: string): LineAtTime =>
  (now) => ({ ...line(name, RelativeTime.format(Date.parse(at), now)), copy: at })

/** Creates the document of a profile. Only the own profile has the private facts. */
export const make = (user: User): Document.Document => {
  const { followers, following, login, two_factor_authentication: twoFactor } = user
  const isOrganization = user.type === "Organization"
  const repositories = NumberFormat.quantity(user.public_repos, "public repository", "public repositories")
  const privateCount = user.total_private_repos ?? 0
  return Document.make(
    login,
    (columns) =>
      Document.fromLines([
        {
          line: [
            StyledLine.span(login, "title"),
            ...(user.name === null || user.name === "" ? [] : [StyledLine.span(`  ${user.name}`)]),
            ...(user.type === "User" ? [] : [StyledLine.span(`  ${user.type.toLowerCase()}`, "accent")]),
            ...(user.site_admin ? [StyledLine.span("  site administrator", "accent")] : [])
          ],
          copy: login
        },
        ...(user.bio === null || user.bio === ""
          ? []
          : StyledLine.wrap(user.bio, Math.min(columns, 100)).map((part) => ({ line: StyledLine.line(part) }))),
        { line: StyledLine.empty },
        {
          ...line(
            "repositories",
            privateCount === 0 ? repositories : `${repositories}, ${privateCount} private`,
            "link"
          ),
          route: isOrganization
            ? Route.make("repositories.listForOrg", { org: login })
            : Route.make("repositories.listForUser", { username: login })
        },
        ...(followers + following === 0
          ? []
          : [line("followers", `${NumberFormat.format(followers)}, follows ${NumberFormat.format(following)}`)]),
        ...optional("email", user.email),
        ...optional("company", user.company),
        ...optional("location", user.location),
        ...web("web", user.blog),
        ...(twoFactor === undefined
          ? []
          : [twoFactor ? line("two factors", "on", "success") : line("two factors", "off", "warning")]),
        ...(user.disk_usage === undefined || user.disk_usage === 0
          ? []
          : [line("disk usage", NumberFormat.bytes(user.disk_usage * 1_000))]),
        line("id", String(user.id), "id"),
        time("joined", user.created_at),
        time("updated", user.updated_at)
      ]),
    { webUrl: user.html_url, value: user }
  )
}

export const screens: ReadonlyArray<Screen> = [
  {
    id: "users.getAuthenticated",
    label: "profile",
    get entry() {
      return entriesOfGroup("users").find(({ name }) => name === "getAuthenticated")
    },
    required: [],
    title: () => "profile",
    open: (environment) =>
      Source.fromEffect(
        environment,
        (forge, options) => forge.users.getAuthenticated({}, options),
        make,
        ResponseAge.age
      )
  },
  {
    id: "users.getByUsername",
    label: "profile",
    get entry() {
      return entriesOfGroup("users").find(({ name }) => name === "getByUsername")
    },
    required: ["username"],
    title: () => "profile",
    open: (environment, values) =>
      Source.fromEffect(
        environment,
        (forge, options) => forge.users.getByUsername({ username: text(values, "username") }, options),
        make,
        ResponseAge.age
      )
  }
]
