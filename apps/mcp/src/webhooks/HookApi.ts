/** The webhooks of a repository or of an organization, which have the same operations. */
import type * as Effect from "effect/Effect"
import type { Forge } from "@tongs/core/client/Forge"
import type * as Failure from "@tongs/core/contract/Failure"
import type { HookConfig, HookDeliverySummary } from "@tongs/core/contract/groups/Hooks"
import type { Page } from "@tongs/core/paging/Page"
import type { Arguments } from "../answer/Answer.ts"
import type { RepositoryName } from "../call/Call.ts"

/** A webhook. */
export interface Hook {
  readonly id: number
  readonly active: boolean
  readonly events: ReadonlyArray<string>
  readonly config: HookConfig
}

interface PageOptions {
  readonly perPage: number
  readonly cursor?: string
  readonly deadline: number
}

/** Reads webhooks and deliveries. */
export interface HookApi {
  /** The repository `owner/name`, or the organization. */
  readonly name: string
  /** Group of the operations in the contract. */
  readonly group: "repositoryHooks" | "organizationHooks"
  /** Arguments of the operations that name the repository or organization. */
  readonly arguments: Arguments
  /** Scope that a token needs to read webhooks. */
  readonly scope: string
  readonly list: (options: PageOptions) => Effect.Effect<Page<Hook>, Failure.Failure>
  readonly get: (hook: number, options: PageOptions) => Effect.Effect<Hook, Failure.Failure>
  readonly deliveries: (
    hook: number,
    isFailed: boolean,
    options: PageOptions
  ) => Effect.Effect<Page<HookDeliverySummary>, Failure.Failure>
}

const statusOf = (isFailed: boolean) => (isFailed ? ({ status: "failure" } as const) : {}) // a literal type

/** Creates the API for a repository. */
export const ofRepository = (
  { repositoryHooks: hooks }: Forge["Service"],
  { owner, repo }: RepositoryName
): HookApi => ({
  name: `${owner}/${repo}`,
  group: "repositoryHooks",
  arguments: { repo: `${owner}/${repo}` },
  scope: "read:repo_hook",
  list: (options) => hooks.list({ owner, repo }, options).first,
  get: (hook_id, { deadline }) => hooks.get({ owner, repo, hook_id }, { deadline }),
  deliveries: (hook_id, isFailed, options) =>
    hooks.listDeliveries({ owner, repo, hook_id, ...statusOf(isFailed) }, options).first
})

/** Creates the API for an organization. */
export const ofOrganization = ({ organizationHooks: hooks }: Forge["Service"], org: string): HookApi => ({
  name: org,
  group: "organizationHooks",
  arguments: { org },
  scope: "admin:org_hook",
  list: (options) => hooks.list({ org }, options).first,
  get: (hook_id, { deadline }) => hooks.get({ org, hook_id }, { deadline }),
  deliveries: (hook_id, isFailed, options) =>
    hooks.listDeliveries({ org, hook_id, ...statusOf(isFailed) }, options).first
})
