/**
 * The pages on which owners create apps from manifests, and install apps. The forge has no sessions of browsers, so the
 * owner confirms with an access token, in the form of the page.
 */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type Authenticated, Callers, hasScope } from "../../access/Caller.ts"
import { type AppWithKey, type InstallationRow, InstallationRows } from "../../access/InstallationRows.ts"
import { atLeast, Roles } from "../../access/Roles.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as AppShapes from "../../api/AppShapes.ts"
import { PublicUrl } from "../../api/PublicUrl.ts"
import * as RequestInput from "../../api/RequestInput.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import type { GitError } from "../../git/values/GitError.ts"
import * as AppManifest from "./AppManifest.ts"
import * as AppRegistration from "./AppRegistration.ts"
import * as InstallationChanges from "./InstallationChanges.ts"
import * as Page from "./Page.ts"

const { html } = Page

/** Maximum size of a form, in bytes. */
const MAX_FORM = 256 * 1024

/** Maximum number of repositories that a form selects. */
const MAX_REPOSITORIES = 500

const patterns = {
  create: /^\/settings\/apps\/new$/,
  createInOrganization: /^\/organizations\/([^/]+)\/settings\/apps\/new$/,
  install: /^\/apps\/([^/]+)\/installations\/new$/
} as const // the kinds of pages

/** Further scopes of a token that gives a permission to an app, which the token could not use otherwise. */
const scopesOfPermissions: Readonly<Record<string, string>> = {
  administration: "delete_repo",
  organization_hooks: "admin:org_hook",
  organization_webhooks: "admin:org_hook",
  workflows: "workflow"
}

type Permissions = Readonly<Record<string, string>>

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, ApiError.ApiError | GitError>

const failed = (title: string, status: number, detail: string) => Page.response(status, title, html`<p>${detail}</p>`)

const rowsOf = (values: Readonly<Record<string, string | undefined>>) =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === ""
      ? []
      : [
          html`<dt>${name}</dt>
            <dd>${value}</dd> `
        ]
  )

const listOf = (permissions: Permissions) =>
  Object.entries(permissions)
    .map(([name, level]) => `${name}: ${level}`)
    .join(", ")

export const make = Effect.gen(function* () {
  const callers = yield* Callers
  const installations = yield* InstallationRows
  const users = yield* UserRows
  const roles = yield* Roles
  const registry = yield* RepositoryRegistry
  const publicUrl = yield* PublicUrl
  const registration = yield* AppRegistration.make
  const changes = yield* InstallationChanges.make

  /** Returns the owner of a token with all scopes. Fails with 401 or 403. */
  const signIn = Effect.fnUntraced(function* (token: string, path: string) {
    const caller = yield* callers.identify(path, `Bearer ${token.trim()}`)
    if (caller.kind !== "classic") return yield* ApiError.forbidden("Use a classic access token of the owner")
    return caller
  })

  /** Fails unless the token stands for an owner of the account. */
  const checkOwner = Effect.fnUntraced(function* (caller: Authenticated, account: UserRow, permissions: Permissions) {
    const isOrganization = account.type === "Organization"
    const isOwner = isOrganization
      ? atLeast(yield* roles.onOrganization(caller, account.id), "admin")
      : account.id === caller.user.id
    if (!isOwner) return yield* ApiError.forbidden(`${caller.user.login} does not own ${account.login}`)
    const scopes = [
      "repo",
      isOrganization ? "admin:org" : "user",
      ...Object.entries(permissions).flatMap(([name, level]) =>
        level === "write" ? [scopesOfPermissions[name] ?? []].flat() : []
      )
    ]
    const missing = scopes.filter((scope) => !hasScope(caller, [scope]))
    if (missing.length > 0) return yield* ApiError.forbidden(`The token needs the scopes ${missing.join(", ")}`)
  })

  /** Asks the owner to confirm a manifest, then creates the app and sends the code to the app. */
  const create = Effect.fnUntraced(function* (
    request: HttpServerRequest.HttpServerRequest,
    path: string,
    query: URLSearchParams,
    organization: string | undefined
  ) {
    const title = "Create an app"
    if (request.method !== "POST") {
      const hint = "An app creates itself here: its setup page sends a manifest to this address."
      return Page.response(200, title, html`<p>${hint}</p>`)
    }
    const form = yield* RequestInput.readForm(request, MAX_FORM)
    const text = form.get("manifest") ?? ""
    const state = form.get("state") ?? query.get("state") ?? ""
    const parsed = yield* Effect.result(AppManifest.parse(text))
    if (parsed._tag === "Failure") return failed(title, 422, `Invalid manifest: ${parsed.failure.detail}`)
    const manifest = parsed.success
    const { default_events = [], default_permissions = {}, hook_attributes, redirect_url } = manifest
    const token = form.get("token")
    if (token === null) {
      const values = {
        Name: manifest.name,
        Owner: organization ?? "you",
        Description: manifest.description ?? undefined,
        "Web page": manifest.url,
        "Receives events at": hook_attributes?.url,
        Events: default_events.join(", "),
        Permissions: listOf(default_permissions),
        "Can be installed by": manifest.public === true ? "everyone" : "the owner",
        "Sends you back to": redirect_url
      }
      const content = html`<dl>${rowsOf(values)}</dl>
        <form method="post" action="${path}">
          <input type="hidden" name="manifest" value="${text}" />
          <input type="hidden" name="state" value="${state}" />
          ${Page.tokenField(`repo and ${organization === undefined ? "user" : "admin:org"}`)}
          <button>Create ${manifest.name}</button>
        </form>`
      return Page.response(200, title, content, redirect_url)
    }
    const caller = yield* signIn(token, path)
    const owner = organization === undefined ? caller.user : yield* users.byLogin(organization)
    if (owner === undefined || (organization !== undefined && owner.type !== "Organization"))
      return yield* ApiError.notFound()
    yield* checkOwner(caller, owner, {})
    const created = yield* Effect.result(registration.create(owner, manifest))
    if (created._tag === "Failure") return failed(title, 422, created.failure.message)
    const code = created.success
    if (redirect_url !== undefined) return Page.redirect(redirect_url, { code, ...(state === "" ? {} : { state }) })
    return Page.response(
      200,
      `${manifest.name} is created`,
      html`<p>POST /app-manifests/${code}/conversions gives its credentials once, within an hour.</p>`
    )
  })

  /** Returns the ids of repositories by name. Fails with 404 for an unknown one. */
  const selectedOf = Effect.fnUntraced(function* (account: UserRow, text: string) {
    const names = text.split(/[\s,]+/).filter((name) => name !== "")
    if (names.length === 0 || names.length > MAX_REPOSITORIES)
      return yield* ApiError.invalid(`Name 1 to ${MAX_REPOSITORIES} repositories`)
    return yield* Effect.forEach(
      new Set(names),
      Effect.fnUntraced(function* (name) {
        const found = yield* registry.find(account.login, name)
        return found?.row.id ?? (yield* ApiError.notFound(`${account.login} has no repository ${name.slice(0, 100)}`))
      })
    )
  })

  /** The page is the same for private apps as for missing ones. */
  const installationPage = (slug: string, path: string, app: AppWithKey | undefined, permissions: Permissions) => {
    const { name = slug, setup_url } = app?.details ?? {}
    const content = html`<dl>${rowsOf({ App: name, Permissions: listOf(permissions) })}</dl>
      <form method="post" action="${path}">
        <label
          >Account: your login, or that of an organization you own <input type="text" name="account" required
        /></label>
        <label><input type="radio" name="selection" value="all" checked /> All repositories</label>
        <label
          ><input type="radio" name="selection" value="selected" /> Only these, by name:
          <textarea name="repositories" rows="3"></textarea>
        </label>
        ${Page.tokenField("repo and user, or admin:org for an organization")}
        <button>Install</button>
      </form>`
    return Page.response(200, `Install ${name}`, content, setup_url)
  }

  const installed = (
    { details, slug }: AppWithKey,
    { account, id }: InstallationRow,
    before: InstallationRow | undefined
  ) => {
    const { setup_on_update = false, setup_url } = details
    if (setup_url !== undefined && (before === undefined || setup_on_update)) {
      const setup_action = before === undefined ? "install" : "update"
      return Page.redirect(setup_url, { installation_id: String(id), setup_action })
    }
    return Page.response(
      200,
      `${details.name ?? slug} is installed`,
      html`<p>Account: ${account.login}. Installation: ${String(id)}.</p>`
    )
  }

  /** Installs an app, or changes the repositories and accepts new permissions of an installation. */
  const install = Effect.fnUntraced(function* (
    request: HttpServerRequest.HttpServerRequest,
    path: string,
    slug: string
  ) {
    const found = yield* installations.bySlug(slug)
    const { events, permissions } =
      found === undefined ? { events: [], permissions: {} } : AppShapes.app(found, yield* publicUrl.urls)
    if (request.method !== "POST") {
      const shown = found?.details.public === false ? undefined : found
      return installationPage(slug, path, shown, shown === undefined ? {} : permissions)
    }
    const app = found ?? (yield* ApiError.notFound())
    const granted: Record<string, "read" | "write"> = {}
    for (const [name, level] of Object.entries(permissions)) granted[name] = level === "write" ? "write" : "read"
    const form = yield* RequestInput.readForm(request, MAX_FORM)
    const caller = yield* signIn(form.get("token") ?? "", path)
    const account = (yield* users.byLogin(form.get("account") ?? "")) ?? (yield* ApiError.notFound())
    if (app.details.public === false && app.owner?.id !== account.id) return yield* ApiError.notFound()
    yield* checkOwner(caller, account, granted)
    const isSelected = form.get("selection") === "selected"
    const wanted = {
      appId: app.id,
      accountId: account.id,
      permissions: granted,
      events,
      repositories: isSelected ? yield* selectedOf(account, form.get("repositories") ?? "") : undefined
    }
    const [before] = yield* installations.onAccount(app.id, account.id)
    const after = yield* before === undefined
      ? changes.install(wanted, caller.user)
      : changes.update(before, wanted, caller.user)
    return installed(app, after, before)
  })

  const find = (path: string) => {
    if (patterns.create.test(path)) return { organization: undefined }
    const organization = patterns.createInOrganization.exec(path)?.[1]
    if (organization !== undefined) return { organization }
    const slug = patterns.install.exec(path)?.[1]
    return slug === undefined ? undefined : { slug }
  }

  return {
    /** True for the path of a page. */
    has: (path: string) => find(path) !== undefined,

    /** Answers with a page, also for an error. */
    answer: (request: HttpServerRequest.HttpServerRequest, path: string, query: URLSearchParams): Answer => {
      if (!["GET", "HEAD", "POST"].includes(request.method)) {
        return Effect.fail(ApiError.unreadableRequest(405, `${request.method} is not allowed here; GET, POST would be`))
      }
      const found = find(path)
      const page =
        found?.slug === undefined
          ? create(request, path, query, found?.organization)
          : install(request, path, found.slug)
      return page.pipe(
        Effect.catch((error) =>
          error._tag === "GitError"
            ? Effect.fail(error)
            : Effect.succeed(failed("This did not work", ApiError.status(error), error.detail))
        )
      )
    }
  }
})
