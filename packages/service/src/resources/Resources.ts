/** The handlers of every group of the contract. */
import * as Effect from "effect/Effect"
import * as AgentConfigurations from "./AgentConfigurations.ts"
import * as Artifacts from "./Artifacts.ts"
import * as Billing from "./Billing.ts"
import * as Blocks from "./Blocks.ts"
import * as Branches from "./Branches.ts"
import * as CacheLimits from "./CacheLimits.ts"
import * as CommitComments from "./CommitComments.ts"
import * as Commits from "./Commits.ts"
import * as Contents from "./Contents.ts"
import * as Events from "./Events.ts"
import * as GitCommits from "./GitCommits.ts"
import * as GitObjects from "./GitObjects.ts"
import * as GitRefs from "./GitRefs.ts"
import * as Insights from "./Insights.ts"
import * as Installations from "./Installations.ts"
import * as Keys from "./Keys.ts"
import * as OrganizationHooks from "./OrganizationHooks.ts"
import * as ProjectViews from "./ProjectViews.ts"
import * as RateLimit from "./RateLimit.ts"
import * as Repositories from "./Repositories.ts"
import * as RepositoryHooks from "./RepositoryHooks.ts"
import * as ReviewComments from "./ReviewComments.ts"
import * as Root from "./Root.ts"
import * as Rulesets from "./Rulesets.ts"
import * as Search from "./Search.ts"
import * as Tags from "./Tags.ts"
import * as Users from "./Users.ts"
import * as WorkflowPolicies from "./WorkflowPolicies.ts"

export const make = Effect.map(
  Effect.all([
    Root.make,
    RateLimit.make,
    Users.make,
    Repositories.make,
    Branches.make,
    Tags.make,
    GitRefs.make,
    GitCommits.make,
    GitObjects.make,
    Commits.make,
    Contents.make,
    Search.make,
    CommitComments.make,
    ReviewComments.make,
    Artifacts.make,
    Events.make,
    RepositoryHooks.make,
    OrganizationHooks.make,
    WorkflowPolicies.make,
    CacheLimits.make,
    Billing.make,
    ProjectViews.make,
    AgentConfigurations.make,
    Keys.make,
    Blocks.make,
    Rulesets.make,
    Installations.make,
    Insights.make
  ]),
  (groups) => groups.flat()
)
