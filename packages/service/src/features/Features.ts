/** The handlers of every group of the contract. */
import * as Effect from "effect/Effect"
import * as AgentConfigurationHandlers from "./agents/AgentConfigurationHandlers.ts"
import * as ArtifactHandlers from "./artifacts/ArtifactHandlers.ts"
import * as BillingHandlers from "./billing/BillingHandlers.ts"
import * as BlockHandlers from "./blocks/BlockHandlers.ts"
import * as BranchHandlers from "./repositories/BranchHandlers.ts"
import * as CacheLimitHandlers from "./actions/CacheLimitHandlers.ts"
import * as CommitCommentHandlers from "./comments/CommitCommentHandlers.ts"
import * as CommitHandlers from "./commits/CommitHandlers.ts"
import * as ContentHandlers from "./contents/ContentHandlers.ts"
import * as EventHandlers from "./events/EventHandlers.ts"
import * as GitCommitHandlers from "./gitData/GitCommitHandlers.ts"
import * as GitObjectHandlers from "./gitData/GitObjectHandlers.ts"
import * as GitRefHandlers from "./gitData/GitRefHandlers.ts"
import * as InsightHandlers from "./insights/InsightHandlers.ts"
import * as InstallationHandlers from "./apps/InstallationHandlers.ts"
import * as KeyHandlers from "./keys/KeyHandlers.ts"
import * as OrganizationHandlers from "./organizations/OrganizationHandlers.ts"
import * as OrganizationHookHandlers from "./hooks/OrganizationHookHandlers.ts"
import * as ProjectViewHandlers from "./projects/ProjectViewHandlers.ts"
import * as RateLimitHandlers from "./rateLimit/RateLimitHandlers.ts"
import * as RepositoryHandlers from "./repositories/RepositoryHandlers.ts"
import * as RepositoryHookHandlers from "./hooks/RepositoryHookHandlers.ts"
import * as ReviewCommentHandlers from "./comments/ReviewCommentHandlers.ts"
import * as RootHandlers from "./root/RootHandlers.ts"
import * as RulesetHandlers from "./rulesets/RulesetHandlers.ts"
import * as SearchHandlers from "./search/SearchHandlers.ts"
import * as TagHandlers from "./repositories/TagHandlers.ts"
import * as UserHandlers from "./users/UserHandlers.ts"
import * as WorkflowPolicyHandlers from "./actions/WorkflowPolicyHandlers.ts"

export const make = Effect.map(
  Effect.all([
    RootHandlers.make,
    RateLimitHandlers.make,
    UserHandlers.make,
    OrganizationHandlers.make,
    RepositoryHandlers.make,
    BranchHandlers.make,
    TagHandlers.make,
    GitRefHandlers.make,
    GitCommitHandlers.make,
    GitObjectHandlers.make,
    CommitHandlers.make,
    ContentHandlers.make,
    SearchHandlers.make,
    CommitCommentHandlers.make,
    ReviewCommentHandlers.make,
    ArtifactHandlers.make,
    EventHandlers.make,
    RepositoryHookHandlers.make,
    OrganizationHookHandlers.make,
    WorkflowPolicyHandlers.make,
    CacheLimitHandlers.make,
    BillingHandlers.make,
    ProjectViewHandlers.make,
    AgentConfigurationHandlers.make,
    KeyHandlers.make,
    BlockHandlers.make,
    RulesetHandlers.make,
    InstallationHandlers.make,
    InsightHandlers.make
  ]),
  (groups) => groups.flat()
)
