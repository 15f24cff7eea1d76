/** The contract: every endpoint of the forge, declared once. */
import * as HttpApi from "effect/http-api/HttpApi"
import { AgentConfigurations } from "./AgentConfiguration.ts"
import { Artifacts } from "./Artifacts.ts"
import { Billing } from "./Billing.ts"
import { Blocks } from "./Blocks.ts"
import { Branches } from "./Branches.ts"
import { CacheLimits } from "./CacheLimits.ts"
import { CommitComments } from "./CommitComments.ts"
import { CodeIndex } from "./CodeIndex.ts"
import { CodeNavigation } from "./CodeNavigation.ts"
import { CodeSearch } from "./CodeSearch.ts"
import { Commits } from "./Commits.ts"
import { Comparisons } from "./Comparisons.ts"
import { Contents } from "./Contents.ts"
import { Events } from "./Events.ts"
import { FilePaths } from "./FilePaths.ts"
import { GitCommits } from "./GitCommits.ts"
import { GitBlobs, GitTags, GitTrees } from "./GitObjects.ts"
import { GitRefs } from "./GitRefs.ts"
import { History } from "./History.ts"
import { Insights } from "./Insights.ts"
import { Installations } from "./Installations.ts"
import { Keys } from "./Keys.ts"
import { OrganizationHooks } from "./OrganizationHooks.ts"
import { Organizations } from "./Organizations.ts"
import { ProjectViews } from "./ProjectViews.ts"
import { RateLimit } from "./RateLimit.ts"
import { Repositories } from "./Repositories.ts"
import { RepositoryHooks } from "./RepositoryHooks.ts"
import { ReviewComments } from "./ReviewComments.ts"
import { Root } from "./Root.ts"
import { Rulesets } from "./Rulesets.ts"
import { SavedSearches } from "./SavedSearches.ts"
import { Search } from "./Search.ts"
import { Tags } from "./Tags.ts"
import { Users } from "./Users.ts"
import { WorkflowPolicies } from "./WorkflowPolicies.ts"

/** Every group of the contract. A new group must be added here. */
export class Api extends HttpApi.make("forge").add(
  Root,
  RateLimit,
  Users,
  Organizations,
  Repositories,
  Branches,
  Tags,
  GitRefs,
  GitCommits,
  GitTrees,
  GitBlobs,
  GitTags,
  Commits,
  Contents,
  Search,
  CommitComments,
  ReviewComments,
  Artifacts,
  Events,
  RepositoryHooks,
  OrganizationHooks,
  WorkflowPolicies,
  CacheLimits,
  Billing,
  ProjectViews,
  AgentConfigurations,
  Keys,
  Blocks,
  Rulesets,
  Installations,
  Insights,
  // Groups of extensions
  CodeSearch,
  CodeNavigation,
  History,
  Comparisons,
  FilePaths,
  CodeIndex,
  SavedSearches
) {}
