/** Changes of installations, which the webhook of the app announces. */
import * as Effect from "effect/Effect"
import {
  type AppRow,
  type InstallationRow,
  InstallationRows,
  type NewInstallation
} from "../../access/InstallationRows.ts"
import * as BotAccount from "../../accounts/BotAccount.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import * as AppShapes from "../../api/AppShapes.ts"
import { nodeId } from "../../api/NodeId.ts"
import { PublicUrl } from "../../api/PublicUrl.ts"
import * as Shapes from "../../api/Shapes.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import { requireRow } from "../../storage/RowDecoder.ts"
import * as Transaction from "../../storage/Transaction.ts"
import { HookRows } from "../../webhooks/HookRows.ts"
import { Outbox } from "../../webhooks/Outbox.ts"
import { includes } from "./InstallationTokens.ts"

type App = Pick<AppRow, "id" | "slug">

const described = ({ id, name, owner, private: hidden }: RepositoryRow) => ({
  id,
  node_id: nodeId("Repository", id),
  name,
  full_name: `${owner.login}/${name}`,
  private: hidden === 1
})

export const make = Effect.gen(function* () {
  const rows = yield* InstallationRows
  const users = yield* UserRows
  const hooks = yield* HookRows
  const outbox = yield* Outbox
  const publicUrl = yield* PublicUrl
  const registry = yield* RepositoryRegistry
  const transaction = yield* Transaction.make

  /** Queues an event for the webhook of the app. Every app receives the events of its installations. */
  const announce = Effect.fnUntraced(function* (
    event: "installation" | "installation_repositories",
    action: string,
    installation: InstallationRow,
    sender: UserRow,
    own: Effect.Effect<Readonly<Record<string, unknown>>>
  ) {
    const [hook] = yield* hooks.list({ kind: "app", id: installation.app_id })
    if (hook === undefined || hook.active === 0) return
    const urls = yield* publicUrl.urls
    yield* outbox.put(hook, {
      event,
      action,
      repositoryId: null,
      installationId: installation.id,
      payload: {
        action,
        installation: AppShapes.installation(installation, urls),
        ...(yield* own),
        requester: null,
        sender: Shapes.userSummary(sender, urls)
      }
    })
  })

  const repositoriesOf = (installation: InstallationRow) =>
    Effect.map(registry.list, (all) => all.filter((row) => includes(installation, row)).map(described))

  const announceInstallation = (action: string, installation: InstallationRow, sender: UserRow) => {
    const own = Effect.map(repositoriesOf(installation), (repositories) => ({ repositories }))
    return announce("installation", action, installation, sender, own)
  }

  const announceRepositories = (
    action: "added" | "removed",
    installation: InstallationRow,
    sender: UserRow,
    repositories: ReadonlyArray<RepositoryRow>
  ) => {
    const own = {
      repository_selection: installation.selection,
      repositories_added: action === "added" ? repositories.map(described) : [],
      repositories_removed: action === "removed" ? repositories.map(described) : []
    }
    return announce("installation_repositories", action, installation, sender, Effect.succeed(own))
  }

  const reread = ({ id }: InstallationRow) => requireRow(rows.find(id))

  return {
    /** Installs an app on an account. */
    install: (installation: NewInstallation, sender: UserRow) =>
      transaction(
        Effect.gen(function* () {
          const added = yield* rows.install(installation)
          yield* announceInstallation("created", added, sender)
          return added
        })
      ),

    /** Replaces permissions, events and repositories of an installation. */
    update: (before: InstallationRow, wanted: NewInstallation, sender: UserRow) =>
      transaction(
        Effect.gen(function* () {
          const after = yield* rows.install({ ...wanted, id: before.id })
          if (JSON.stringify(before.permissions) !== JSON.stringify(after.permissions))
            yield* announceInstallation("new_permissions_accepted", after, sender)
          const all = yield* registry.list
          const added = all.filter((row) => includes(after, row) && !includes(before, row))
          const removed = all.filter((row) => includes(before, row) && !includes(after, row))
          if (added.length > 0) yield* announceRepositories("added", after, sender, added)
          if (removed.length > 0) yield* announceRepositories("removed", after, sender, removed)
          return after
        })
      ),

    /** Adds a repository to the selected ones, or removes it. */
    select: (installation: InstallationRow, repository: RepositoryRow, isSelected: boolean, sender: UserRow) =>
      transaction(
        Effect.gen(function* () {
          yield* rows.select(installation.id, repository.id, isSelected)
          const after = yield* reread(installation)
          yield* announceRepositories(isSelected ? "added" : "removed", after, sender, [repository])
        })
      ),

    /** Suspends an installation as the app, or ends the suspension. Does nothing if it is so already. */
    suspend: (app: App, installation: InstallationRow, isSuspended: boolean) =>
      transaction(
        Effect.gen(function* () {
          if (isSuspended === (installation.suspended_at !== null)) return
          const bot = yield* users.ensure(BotAccount.of(app.slug))
          yield* rows.suspend(installation.id, isSuspended ? bot.id : undefined)
          yield* announceInstallation(isSuspended ? "suspend" : "unsuspend", yield* reread(installation), bot)
        })
      ),

    /** Deletes an installation as the app. */
    uninstall: (app: App, installation: InstallationRow) =>
      transaction(
        Effect.gen(function* () {
          const bot = yield* users.ensure(BotAccount.of(app.slug))
          yield* announceInstallation("deleted", installation, bot)
          yield* rows.uninstall(installation.id)
        })
      )
  }
})
