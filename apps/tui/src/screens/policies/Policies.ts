/**
 * The policies of an organization or an enterprise on one screen, in words. The lines of a policy have the actions that
 * change the policy.
 */
import * as Effect from "effect/Effect"
import type { Forge } from "@tongs/core/client/Forge"
import { type CatalogEntry, entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { Failure } from "@tongs/core/contract/Failure"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Document from "../../content/Document.ts"
import type { DocumentLine } from "../../content/Document.ts"
import * as Source from "../../content/Source.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import { blank, type Fact, fact } from "../organization/Heading.ts"
import * as Part from "../organization/Part.ts"
import { type Screen, text } from "../Screen.ts"

/** A policy: the read operation, and the values in words. */
interface Policy {
  readonly entry: CatalogEntry | undefined
  readonly title: string
  readonly load: (
    forge: Forge["Service"],
    place: string,
    options: Source.LoadOptions
  ) => Effect.Effect<LoadedPolicy, Failure>
}

interface LoadedPolicy {
  /** The policy as the forge sent it. */
  readonly value: object
  readonly facts: ReadonlyArray<Fact>
}

const policy = <A extends object>(
  group: "workflowPolicies" | "cacheLimits",
  name: string,
  title: string,
  fetch: (forge: Forge["Service"], place: string, options: Source.LoadOptions) => Effect.Effect<A, Failure>,
  facts: (value: A) => ReadonlyArray<Fact>
): Policy => ({
  get entry() {
    return entriesOfGroup(group).find((entry) => entry.name === name)
  },
  title,
  load: (forge, place, options) => Effect.map(fetch(forge, place, options), (value) => ({ value, facts: facts(value) }))
})

/** Returns the words for a value. Returns an unknown value of a newer forge with spaces for underscores. */
const inWords = (words: Readonly<Record<string, string>>, value: string): string =>
  words[value] ?? value.replaceAll("_", " ")

const repositoryWords = { all: "all repositories", none: "no repositories", selected: "selected repositories" }

const actionWords = {
  all: "all actions",
  local_only: "only actions of this organization",
  selected: "selected actions"
}

const approvalWords = {
  first_time_contributors_new_to_github: "of contributors who are new to the forge",
  first_time_contributors: "of contributors who are new to the repository",
  all_external_contributors: "of everyone outside the organization"
}

const yesNo = (name: string, value: boolean, isRisk = true): Fact => ({
  name,
  value: value ? "yes" : "no",
  role: value && isRisk ? "warning" : value ? "success" : "muted"
})

const organizationPolicies: ReadonlyArray<Policy> = [
  policy(
    "workflowPolicies",
    "getPermissions",
    "Permissions for workflows",
    (forge, org, options) => forge.workflowPolicies.getPermissions({ org }, options),
    ({ allowed_actions, enabled_repositories, sha_pinning_required }) => [
      { name: "workflows run in", value: inWords(repositoryWords, enabled_repositories) },
      ...(allowed_actions === undefined
        ? []
        : [{ name: "they may use", value: inWords(actionWords, allowed_actions) }]),
      ...(sha_pinning_required === undefined ? [] : [yesNo("actions pinned to commits", sha_pinning_required, false)])
    ]
  ),
  policy(
    "workflowPolicies",
    "getArtifactAndLogRetention",
    "Retention of artifacts and logs",
    (forge, org, options) => forge.workflowPolicies.getArtifactAndLogRetention({ org }, options),
    ({ days, maximum_allowed_days }) => [
      {
        name: "kept for",
        value: `${NumberFormat.quantity(days, "day")}, at most ${NumberFormat.format(maximum_allowed_days)}`
      }
    ]
  ),
  policy(
    "workflowPolicies",
    "getForkPrContributorApproval",
    "Approval of pull requests from forks",
    (forge, org, options) => forge.workflowPolicies.getForkPrContributorApproval({ org }, options),
    ({ approval_policy }) => [{ name: "approve workflows", value: inWords(approvalWords, approval_policy) }]
  ),
  policy(
    "workflowPolicies",
    "getPrivateRepoForkPrWorkflows",
    "Workflows from forks of private repositories",
    (forge, org, options) => forge.workflowPolicies.getPrivateRepoForkPrWorkflows({ org }, options),
    (value) => [
      yesNo("run workflows", value.run_workflows_from_fork_pull_requests),
      yesNo("with write tokens", value.send_write_tokens_to_workflows),
      yesNo("with secrets", value.send_secrets_and_variables),
      yesNo("only after approval", value.require_approval_for_fork_pr_workflows, false)
    ]
  ),
  policy(
    "cacheLimits",
    "getRetentionForOrg",
    "Age of caches",
    (forge, org, options) => forge.cacheLimits.getRetentionForOrg({ org }, options),
    ({ max_cache_retention_days }) => [cacheAge(max_cache_retention_days)]
  ),
  policy(
    "cacheLimits",
    "getStorageForOrg",
    "Size of caches",
    (forge, org, options) => forge.cacheLimits.getStorageForOrg({ org }, options),
    ({ max_cache_size_gb }) => [cacheSize(max_cache_size_gb)]
  )
]

const cacheAge = (days: number): Fact => ({
  name: "deleted after at most",
  value: NumberFormat.quantity(days, "day")
})

const cacheSize = (gigabytes: number): Fact => ({
  name: "at most, per repository",
  value: `${NumberFormat.format(gigabytes)} GB`
})

const enterprisePolicies: ReadonlyArray<Policy> = [
  policy(
    "cacheLimits",
    "getRetentionForEnterprise",
    "Age of caches",
    (forge, enterprise, options) => forge.cacheLimits.getRetentionForEnterprise({ enterprise }, options),
    ({ max_cache_retention_days }) => [cacheAge(max_cache_retention_days)]
  ),
  policy(
    "cacheLimits",
    "getStorageForEnterprise",
    "Size of caches",
    (forge, enterprise, options) => forge.cacheLimits.getStorageForEnterprise({ enterprise }, options),
    ({ max_cache_size_gb }) => [cacheSize(max_cache_size_gb)]
  )
]

type LoadedPart = Pick<Policy, "entry" | "title"> & { readonly part: Part.Part<LoadedPolicy> }

/** Creates the document of policies. The lines of a policy have the policy's operations. */
const document = (
  parameter: "org" | "enterprise",
  place: string,
  policies: ReadonlyArray<LoadedPart>
): Document.Document =>
  Document.make(place, (columns) => {
    const sections: Array<Document.Section> = []
    const lines: Array<DocumentLine> = [
      { line: StyledLine.line("m changes the policy under the cursor, [ and ] jump between them", "muted") }
    ]
    for (const { entry, part, title } of policies) {
      const value = Part.value(part)
      const rest = { entry, value: value?.value, arguments: { [parameter]: place }, title: place }
      lines.push(blank)
      sections.push({ firstLine: lines.length, title, label: StyledLine.line(title) })
      lines.push({ line: StyledLine.line(title, "title"), copy: title, ...rest })
      const rows = Part.lines(part, columns, ({ facts }) => facts.flatMap((one) => fact(one, columns, rest)))
      lines.push(...rows)
    }
    return Document.fromLines(lines, { sections, initialLine: 2 })
  })

const screen = (
  parameter: "org" | "enterprise",
  label: string,
  policies: ReadonlyArray<Policy>,
  id: string
): Screen => ({
  id,
  label,
  get entry() {
    return policies[0]?.entry
  },
  required: [parameter],
  title: () => label,
  open: (environment, values) => {
    const place = text(values, parameter)
    return Source.fromEffect(
      environment,
      (forge, options) =>
        Effect.gen(function* () {
          const loaded = yield* Effect.forEach(
            policies,
            ({ entry, load, title }) =>
              Effect.map(Part.load(load(forge, place, options)), (part): LoadedPart => ({ entry, title, part })),
            { concurrency: 3 }
          )
          yield* Part.failIfAll(loaded.map(({ part }) => part))
          return loaded
        }),
      (loaded) => document(parameter, place, loaded),
      (loaded) => Part.age(loaded.map(({ part }) => part))
    )
  }
})

/**
 * The screens of all policies of an organization, and of an enterprise. Each replaces the screen of the first policy.
 */
export const screens: ReadonlyArray<Screen> = [
  screen("org", "policies and caches", organizationPolicies, "workflowPolicies.getPermissions"),
  screen("enterprise", "caches of an enterprise", enterprisePolicies, "cacheLimits.getRetentionForEnterprise")
]
