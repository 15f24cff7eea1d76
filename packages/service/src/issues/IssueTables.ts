/** All rows of issues. */
import * as Layer from "effect/Layer"
import { AssigneeRows } from "./AssigneeRows.ts"
import { AutolinkRows } from "./AutolinkRows.ts"
import { AutoMergeRows } from "./AutoMergeRows.ts"
import { IssueCommentRows } from "./IssueCommentRows.ts"
import { IssueEventRows } from "./IssueEventRows.ts"
import { IssueIds } from "./IssueIds.ts"
import { IssueRows } from "./IssueRows.ts"
import { IssueTypeRows } from "./IssueTypeRows.ts"
import { LabelRows } from "./LabelRows.ts"
import { LinkedBranchRows } from "./LinkedBranchRows.ts"
import { MilestoneRows } from "./MilestoneRows.ts"
import { PullRequestRows } from "./PullRequestRows.ts"
import { ReactionRows } from "./ReactionRows.ts"

export const layer = Layer.mergeAll(
  AssigneeRows.layer,
  AutolinkRows.layer,
  AutoMergeRows.layer,
  Layer.provideMerge(IssueEventRows.layer, IssueCommentRows.layer),
  IssueIds.layer,
  IssueRows.layer,
  IssueTypeRows.layer,
  LabelRows.layer,
  LinkedBranchRows.layer,
  MilestoneRows.layer,
  PullRequestRows.layer,
  ReactionRows.layer
)
